#include "mqtt/paho/socket_facts.h"

#include <linux/sockios.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "base/unique_fd.h"

namespace edgewise::mqtt {
namespace {

constexpr int kMostDescriptors = 1024;
constexpr int kPatienceMs = 2'000;

int PeerPort(int fd) {
  sockaddr_storage peer{};
  socklen_t bytes = sizeof peer;
  if (::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &bytes) != 0) {
    return -1;
  }
  if (peer.ss_family == AF_INET) {
    return ntohs(reinterpret_cast<const sockaddr_in*>(&peer)->sin_port);
  }
  if (peer.ss_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6*>(&peer)->sin6_port);
  }
  return -1;
}

template <typename Value>
std::optional<Value> Option(int fd, int level, int name) {
  int value = 0;
  socklen_t bytes = sizeof value;
  if (::getsockopt(fd, level, name, &value, &bytes) != 0) {
    return std::nullopt;
  }
  return static_cast<Value>(value);
}

// 0, or an errno.
int TryConnect(const addrinfo& address) {
  const UniqueFd fd(::socket(address.ai_family,
                             SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.valid()) {
    return errno;
  }
  if (::connect(fd.get(), address.ai_addr, address.ai_addrlen) == 0) {
    return 0;
  }
  if (errno != EINPROGRESS) {
    return errno;
  }
  pollfd wait{fd.get(), POLLOUT, 0};
  if (::poll(&wait, 1, kPatienceMs) <= 0) {
    return ETIMEDOUT;
  }
  return Option<int>(fd.get(), SOL_SOCKET, SO_ERROR).value_or(EIO);
}

}  // namespace

std::optional<int> SocketToPort(int port) {
  for (int fd = kMostDescriptors - 1; fd > 2; --fd) {
    if (PeerPort(fd) == port) {
      return fd;
    }
  }
  return std::nullopt;
}

std::optional<bool> TcpNoDelay(int fd) {
  return Option<bool>(fd, IPPROTO_TCP, TCP_NODELAY);
}

void SetTcpNoDelay(int fd) {
  const int on = 1;
  (void)::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

std::optional<int64_t> SendBufferBytes(int fd) {
  return Option<int64_t>(fd, SOL_SOCKET, SO_SNDBUF);
}

std::optional<int64_t> SendRoomBytes(int fd) {
  const auto all = SendBufferBytes(fd);
  int waiting = 0;
  if (!all || ::ioctl(fd, SIOCOUTQ, &waiting) != 0) {
    return std::nullopt;
  }
  return *all / 2 - waiting;  // the kernel doubled it for its own use
}

void WidenSendBuffer(int fd, int64_t bytes) {
  if (SendBufferBytes(fd).value_or(0) >= bytes) {
    return;
  }
  const int wanted = static_cast<int>(bytes / 2);  // the kernel doubles it
  if (::setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &wanted, sizeof wanted) !=
      0) {
    (void)::setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &wanted, sizeof wanted);
  }
}

const char* WhyUnreachable(const char* host, int port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int failed =
          ::getaddrinfo(host, std::to_string(port).c_str(), &hints, &found);
      failed != 0) {
    return ::gai_strerror(failed);
  }
  int error = EHOSTUNREACH;
  for (const addrinfo* each = found; each != nullptr && error != 0;
       each = each->ai_next) {
    error = TryConnect(*each);
  }
  ::freeaddrinfo(found);
  return error == 0 ? "" : ::strerrordesc_np(error);
}

}  // namespace edgewise::mqtt
