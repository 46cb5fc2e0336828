// The kernel's netem, a queue that delays and drops, as the root queue of a
// network interface: by rtnetlink, as tc(8) does it.
//
// Free of allocation and of the C++ library: the guardian program uses it too.
// All of it is about the network namespace of the calling thread.
#ifndef EDGEWISE_CONTROLS_NETEM_QUEUE_H_
#define EDGEWISE_CONTROLS_NETEM_QUEUE_H_

#include <cstdint>

namespace edgewise {

// 0 is nothing of it.
struct NetemValues {
  int64_t delay_ns = 0;
  int64_t jitter_ns = 0;
  uint32_t loss_of_2_32 = 0;  // share of packets, as a fraction of 2^32
  uint64_t rate_bytes_per_s = 0;
  uint32_t limit_packets = 1000;  // that may wait; beyond it they are dropped
};

// Handles ("MAJOR:" in tc's words) that sessions may use. Below those that the
// kernel gives by itself.
inline constexpr int32_t kLeastNetemHandle = 0x100;
inline constexpr int32_t kMostNetemHandle = 0x7fff;

// Adds the queue. Returns 0 or errno: EEXIST if the interface has a queue that
// somebody set, ENODEV without such an interface, ENOENT if the kernel has no
// netem, EPERM without the right to (CAP_NET_ADMIN).
int AddNetem(int32_t interface, int32_t handle, const NetemValues& values);

// Removes the queue if the interface's root is a netem of that handle; what
// else is there stays. Returns 0, also if there is none such, or errno.
int RemoveNetem(int32_t interface, int32_t handle);

struct NetemCounts {
  int64_t packets = 0;  // let through
  int64_t dropped = 0;
};
// Returns 0 or errno; ENOENT if there is no netem of that handle.
int CountNetem(int32_t interface, int32_t handle, NetemCounts* counts);

}  // namespace edgewise

#endif  // EDGEWISE_CONTROLS_NETEM_QUEUE_H_
