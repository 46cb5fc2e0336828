#include "impair/netem.h"

#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <thread>

#include "controls/network_namespace.h"

namespace edgewise {
namespace {

// In a fresh namespace the loopback is the first interface.
constexpr int32_t kLoopback = 1;
constexpr int32_t kHandle = kLeastNetemHandle;
constexpr int kMtuBytes = 1500;
// Without a rate nothing should ever be dropped for lack of room.
constexpr uint32_t kAmplePackets = 100'000;

int Control(int socket, unsigned long what, ifreq* request) {
  std::strcpy(request->ifr_name, "lo");
  return ::ioctl(socket, what, request) == 0 ? 0 : errno;
}

// Large packets that the hardware would cut up would be lost as a whole.
int SwitchOff(int socket, uint32_t feature) {
  ethtool_value value{feature, 0};
  ifreq request{};
  request.ifr_data = reinterpret_cast<char*>(&value);
  return Control(socket, SIOCETHTOOL, &request);
}

// Makes the loopback of this thread's fresh namespace like an Ethernet link.
// Returns 0 or errno.
int PrepareLoopback() {
  const UniqueFd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket.valid()) {
    return errno;
  }
  ifreq request{};
  request.ifr_mtu = kMtuBytes;
  if (const int error = Control(socket.get(), SIOCSIFMTU, &request)) {
    return error;
  }
  // Where that is refused, loss hits bursts instead of packets.
  (void)SwitchOff(socket.get(), ETHTOOL_STSO);
  (void)SwitchOff(socket.get(), ETHTOOL_SGSO);
  request = {};
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  return Control(socket.get(), SIOCSIFFLAGS, &request);
}

// Runs on a thread of its own, which ends in the new namespace.
int MakeInside(const NetemValues& values, UniqueFd* inside) {
  if (::unshare(CLONE_NEWNET) != 0) {
    return errno;
  }
  *inside = UniqueFd(::open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC));
  if (!inside->valid()) {
    return errno;
  }
  if (const int error = PrepareLoopback()) {
    return error;
  }
  return AddNetem(kLoopback, kHandle, values);
}

Result<UniqueFd> MakeNamespace(const NetemValues& values) {
  UniqueFd inside;
  int error = 0;
  std::thread([&] { error = MakeInside(values, &inside); }).join();
  switch (error) {
    case 0:
      return inside;
    case ENOENT:
      return Error{ErrorCode::kUnsupported,
                   "this kernel has no netem (modprobe sch_netem loads it "
                   "where there is one)"};
    case EPERM:
      return Error{ErrorCode::kPermission,
                   "netem needs root (CAP_SYS_ADMIN and CAP_NET_ADMIN)"};
    default:
      return Error{
          ErrorCodeFromErrno(error),
          "cannot make a network namespace with netem: " + ErrnoText(error)};
  }
}

}  // namespace

NetemValues NetemValuesFrom(const Impairment& impairment) {
  NetemValues values;
  values.delay_ns = impairment.delay_ns;
  values.jitter_ns = impairment.jitter_ns;
  values.loss_of_2_32 =
      static_cast<uint32_t>(std::llround(impairment.loss * 0x1p32));
  if (impairment.rate_bits_per_s) {
    values.rate_bytes_per_s =
        static_cast<uint64_t>(*impairment.rate_bits_per_s / 8);
  } else {
    values.limit_packets = kAmplePackets;
  }
  return values;
}

Result<void> CheckNetem() {
  const auto made = MakeNamespace(NetemValues());
  return made ? Result<void>() : made.error();
}

Result<NetemNamespace> NetemNamespace::Make(const Impairment& impairment) {
  auto made = MakeNamespace(NetemValuesFrom(impairment));
  if (!made) {
    return made.error();
  }
  return NetemNamespace(std::move(*made));
}

std::optional<NetemCounts> NetemNamespace::Counts() const {
  const InNetworkNamespace inside(namespace_.get());
  NetemCounts counts;
  if (inside.error() != 0 || CountNetem(kLoopback, kHandle, &counts) != 0) {
    return std::nullopt;
  }
  return counts;
}

}  // namespace edgewise
