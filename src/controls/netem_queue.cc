#include "controls/netem_queue.h"

#include <linux/gen_stats.h>
#include <linux/netlink.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

namespace edgewise {
namespace {

constexpr char kKind[] = "netem";
// One tick of the kernel's packet scheduler, in which old kernels take times.
constexpr int64_t kTickNs = 64;

uint32_t Saturated(uint64_t value) {
  return value > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(value);
}

uint32_t HandleOf(int32_t handle) {
  return static_cast<uint32_t>(handle) << 16;
}

// A request about the root queue of an interface, with room for attributes.
class Request {
 public:
  Request(uint16_t type, uint16_t flags, int32_t interface, uint32_t handle) {
    message_.header.nlmsg_len = NLMSG_LENGTH(sizeof(tcmsg));
    message_.header.nlmsg_type = type;
    message_.header.nlmsg_flags = static_cast<uint16_t>(NLM_F_REQUEST | flags);
    message_.queue.tcm_family = AF_UNSPEC;
    message_.queue.tcm_ifindex = interface;
    message_.queue.tcm_handle = handle;
    message_.queue.tcm_parent = TC_H_ROOT;
  }

  void Add(uint16_t type, const void* data, size_t size) {
    rtattr* attribute = End();
    attribute->rta_type = type;
    attribute->rta_len = static_cast<uint16_t>(RTA_LENGTH(size));
    memcpy(RTA_DATA(attribute), data, size);
    Grow(RTA_SPACE(size));
  }
  // Attributes that follow are inside this one until Close. netem's options
  // begin with a plain struct.
  rtattr* Open(uint16_t type, const void* data, size_t size) {
    rtattr* attribute = End();
    Add(type, data, size);
    return attribute;
  }
  void Close(rtattr* attribute) {
    attribute->rta_len = static_cast<uint16_t>(
        reinterpret_cast<char*>(End()) - reinterpret_cast<char*>(attribute));
  }

  // Sends it on a socket of its own. The answer's size, or -errno.
  ssize_t Ask(int socket_fd, void* answer, size_t size) const {
    sockaddr_nl kernel{};
    kernel.nl_family = AF_NETLINK;
    if (sendto(socket_fd, &message_, message_.header.nlmsg_len, 0,
               reinterpret_cast<const sockaddr*>(&kernel),
               sizeof(kernel)) < 0) {
      return -errno;
    }
    return Receive(socket_fd, answer, size);
  }
  static ssize_t Receive(int socket_fd, void* answer, size_t size) {
    ssize_t got = 0;
    do {
      got = recv(socket_fd, answer, size, 0);
    } while (got < 0 && errno == EINTR);
    return got < 0 ? -errno : got;
  }

 private:
  rtattr* End() {
    return reinterpret_cast<rtattr*>(reinterpret_cast<char*>(&message_) +
                                     NLMSG_ALIGN(message_.header.nlmsg_len));
  }
  void Grow(size_t size) {
    message_.header.nlmsg_len =
        static_cast<uint32_t>(NLMSG_ALIGN(message_.header.nlmsg_len) + size);
  }

  struct {
    nlmsghdr header;
    tcmsg queue;
    char attributes[512];
  } message_ = {};
};

int OpenSocket() {
  return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
}

// Sends a request that is answered by an errno alone.
int Do(const Request& request) {
  const int fd = OpenSocket();
  if (fd < 0) {
    return errno;
  }
  alignas(nlmsghdr) char answer[1024];
  const ssize_t got = request.Ask(fd, answer, sizeof(answer));
  close(fd);
  if (got < 0) {
    return static_cast<int>(-got);
  }
  const auto* header = reinterpret_cast<const nlmsghdr*>(answer);
  if (got < static_cast<ssize_t>(NLMSG_LENGTH(sizeof(nlmsgerr))) ||
      header->nlmsg_type != NLMSG_ERROR) {
    return EPROTO;
  }
  return -reinterpret_cast<const nlmsgerr*>(NLMSG_DATA(header))->error;
}

// Takes what is in TCA_STATS2.
void TakeCounts(const rtattr* stats, NetemCounts* counts) {
  auto left = static_cast<unsigned>(RTA_PAYLOAD(stats));
  for (const auto* each = static_cast<const rtattr*>(RTA_DATA(stats));
       RTA_OK(each, left); each = RTA_NEXT(each, left)) {
    if (each->rta_type == TCA_STATS_BASIC &&
        RTA_PAYLOAD(each) >= offsetof(gnet_stats_basic, packets) + 4) {
      gnet_stats_basic basic{};
      memcpy(&basic, RTA_DATA(each), offsetof(gnet_stats_basic, packets) + 4);
      counts->packets = basic.packets;
    } else if (each->rta_type == TCA_STATS_QUEUE &&
               RTA_PAYLOAD(each) >= sizeof(gnet_stats_queue)) {
      gnet_stats_queue queue{};
      memcpy(&queue, RTA_DATA(each), sizeof(queue));
      counts->dropped = queue.drops;
    }
  }
}

// Whether a message of the dump is about that queue; then its counts are taken.
bool TakeQueue(const nlmsghdr* header, int32_t interface, uint32_t handle,
               NetemCounts* counts) {
  const auto* queue = static_cast<const tcmsg*>(NLMSG_DATA(header));
  if (header->nlmsg_type != RTM_NEWQDISC || queue->tcm_ifindex != interface ||
      queue->tcm_handle != handle) {
    return false;
  }
  auto left =
      static_cast<unsigned>(header->nlmsg_len - NLMSG_LENGTH(sizeof(tcmsg)));
  for (const auto* each = reinterpret_cast<const rtattr*>(
           reinterpret_cast<const char*>(queue) + NLMSG_ALIGN(sizeof(tcmsg)));
       RTA_OK(each, left); each = RTA_NEXT(each, left)) {
    if ((each->rta_type & NLA_TYPE_MASK) == TCA_STATS2) {
      TakeCounts(each, counts);
    }
  }
  return true;
}

}  // namespace

int AddNetem(int32_t interface, int32_t handle, const NetemValues& values) {
  Request request(RTM_NEWQDISC, NLM_F_CREATE | NLM_F_EXCL | NLM_F_ACK,
                  interface, HandleOf(handle));
  request.Add(TCA_KIND, kKind, sizeof(kKind));
  tc_netem_qopt options{};
  options.latency = Saturated(static_cast<uint64_t>(values.delay_ns / kTickNs));
  options.jitter = Saturated(static_cast<uint64_t>(values.jitter_ns / kTickNs));
  options.limit = values.limit_packets;
  options.loss = values.loss_of_2_32;
  rtattr* nested = request.Open(TCA_OPTIONS, &options, sizeof(options));
  request.Add(TCA_NETEM_LATENCY64, &values.delay_ns, sizeof(values.delay_ns));
  request.Add(TCA_NETEM_JITTER64, &values.jitter_ns, sizeof(values.jitter_ns));
  if (values.rate_bytes_per_s > 0) {
    tc_netem_rate rate{};
    rate.rate = Saturated(values.rate_bytes_per_s);
    request.Add(TCA_NETEM_RATE, &rate, sizeof(rate));
    if (values.rate_bytes_per_s > UINT32_MAX) {
      request.Add(TCA_NETEM_RATE64, &values.rate_bytes_per_s,
                  sizeof(values.rate_bytes_per_s));
    }
  }
  request.Close(nested);
  return Do(request);
}

int RemoveNetem(int32_t interface, int32_t handle) {
  Request request(RTM_DELQDISC, NLM_F_ACK, interface, HandleOf(handle));
  // The kernel compares both with what is there.
  request.Add(TCA_KIND, kKind, sizeof(kKind));
  const int error = Do(request);
  return error == ENOENT || error == EINVAL || error == ENODEV ? 0 : error;
}

int CountNetem(int32_t interface, int32_t handle, NetemCounts* counts) {
  const int fd = OpenSocket();
  if (fd < 0) {
    return errno;
  }
  alignas(nlmsghdr) char answer[16 << 10];
  const Request request(RTM_GETQDISC, NLM_F_DUMP, interface, 0);
  ssize_t got = request.Ask(fd, answer, sizeof(answer));
  int outcome = ENOENT;
  for (bool done = false; !done;
       got = done ? got : Request::Receive(fd, answer, sizeof(answer))) {
    if (got <= 0) {
      outcome = got < 0 ? static_cast<int>(-got) : EPROTO;
      break;
    }
    auto left = static_cast<unsigned>(got);
    for (const auto* header = reinterpret_cast<const nlmsghdr*>(answer);
         NLMSG_OK(header, left); header = NLMSG_NEXT(header, left)) {
      done = done || header->nlmsg_type == NLMSG_DONE ||
             header->nlmsg_type == NLMSG_ERROR;
      if (TakeQueue(header, interface, HandleOf(handle), counts)) {
        outcome = 0;
      }
    }
  }
  close(fd);
  return outcome;
}

}  // namespace edgewise
