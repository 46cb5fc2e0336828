// The shared memory through which an executor tells programs when to run
// their jobs. docs/formats/releases.md describes the bytes.
//
// One file for each core (or group of them), one slot for each task. Both
// sides include this header; neither trusts what the other writes: values are
// copied before they are looked at, and nonsense ends the dialogue, never
// memory safety.
#ifndef EDGEWISE_CLIENT_RELEASE_LAYOUT_H_
#define EDGEWISE_CLIENT_RELEASE_LAYOUT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace edgewise::client {

inline constexpr uint64_t kReleasesMagic = 0x7361656c65727765;  // "ewreleas"
inline constexpr uint32_t kReleasesVersion = 1;
inline constexpr uint32_t kMaxReleaseSlots = 256;
// "SLOT:PATH" tells a program which slot of which file is its own.
inline constexpr char kReleasesVariable[] = "EDGEWISE_RELEASES";

struct alignas(64) ReleasesHeader {
  uint64_t magic;
  uint32_t version;
  uint32_t slot_count;
  // A futex. Programs add to it and wake it when a slot has news, so that an
  // executor can wait for all of them at once.
  alignas(64) std::atomic<uint32_t> doorbell;
};
static_assert(sizeof(ReleasesHeader) == 128);

// Sequence numbers of jobs start at 1. There is at most one job at a time.
struct alignas(64) ReleaseSlot {
  // Written by the executor. `released` is a futex, stored last, with release:
  // the number of the job that may run now. With `stop` set there is no such
  // job: the program is to end.
  std::atomic<uint32_t> released;
  std::atomic<uint32_t> stop;
  std::atomic<uint64_t> release_ns;   // CLOCK_MONOTONIC, as intended
  std::atomic<uint64_t> deadline_ns;  // absolute

  // Written by the program. `tid` is the thread that runs the jobs; 0: nobody
  // has claimed the slot. `done` is stored last, with release.
  alignas(64) std::atomic<int32_t> tid;
  std::atomic<uint32_t> started;  // the job that has begun
  std::atomic<uint32_t> done;     // the job that has ended
  std::atomic<uint64_t> start_ns;
  std::atomic<uint64_t> end_ns;
  std::atomic<uint64_t> cpu_ns;  // UINT64_MAX: not known
  // How often the thread gave up its core during the job: by itself (it
  // waited), and because another took it. 0 of both: what the job did not
  // compute was stolen from the core.
  std::atomic<uint32_t> waits;
  std::atomic<uint32_t> preemptions;
};
static_assert(sizeof(ReleaseSlot) == 128);
static_assert(std::atomic<uint32_t>::is_always_lock_free &&
              std::atomic<uint64_t>::is_always_lock_free);

constexpr size_t ReleasesBytes(uint32_t slot_count) {
  return sizeof(ReleasesHeader) + size_t{slot_count} * sizeof(ReleaseSlot);
}

}  // namespace edgewise::client

#endif  // EDGEWISE_CLIENT_RELEASE_LAYOUT_H_
