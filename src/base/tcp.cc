#include "base/tcp.h"

#include <netdb.h>
#include <netinet/in.h>

#include <cerrno>
#include <cstring>

namespace edgewise {

Result<std::vector<SocketAddress>> FindAddresses(const std::string& host,
                                                 int port, bool to_listen) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV | (to_listen ? AI_PASSIVE : 0);
  addrinfo* found = nullptr;
  const int failed =
      ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (failed != 0 || found == nullptr) {
    return Error{ErrorCode::kInvalid,
                 "there is no host \"" + host + "\" (" + gai_strerror(failed) +
                     "): write its name or address as HOST:PORT"};
  }
  std::vector<SocketAddress> addresses;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    SocketAddress address;
    std::memcpy(&address.storage, each->ai_addr, each->ai_addrlen);
    address.size = each->ai_addrlen;
    addresses.push_back(address);
  }
  ::freeaddrinfo(found);
  return addresses;
}

bool IsLoopback(const SocketAddress& address) {
  if (address.storage.ss_family == AF_INET) {
    const auto* v4 = reinterpret_cast<const sockaddr_in*>(&address.storage);
    return (ntohl(v4->sin_addr.s_addr) >> 24) == 127;
  }
  if (address.storage.ss_family == AF_INET6) {
    const auto* v6 = reinterpret_cast<const sockaddr_in6*>(&address.storage);
    return IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
  }
  return false;
}

std::string AddressText(const sockaddr* address) {
  if (address == nullptr) {
    return "";
  }
  const socklen_t size = address->sa_family == AF_INET6 ? sizeof(sockaddr_in6)
                                                        : sizeof(sockaddr_in);
  char host[NI_MAXHOST] = "";
  if (::getnameinfo(address, size, host, sizeof host, nullptr, 0,
                    NI_NUMERICHOST) != 0) {
    return "";
  }
  return host;
}

Result<void> ListenOn(int socket, const SocketAddress& address, int backlog,
                      const std::string& where) {
  const int yes = 1;
  if (::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
      ::bind(socket, address.get(), address.size) == 0 &&
      ::listen(socket, backlog) == 0) {
    return {};
  }
  const int error = errno;
  if (error == EADDRINUSE) {
    return Error{ErrorCode::kBusy,
                 "cannot listen on " + where +
                     ": another program does; choose another port, or 0 for a "
                     "free one"};
  }
  return Error{ErrorCodeFromErrno(error),
               "cannot listen on " + where + ": " + ErrnoText(error)};
}

int BoundPort(int socket) {
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&own), &size) != 0) {
    return 0;
  }
  return own.ss_family == AF_INET6
             ? ntohs(reinterpret_cast<const sockaddr_in6*>(&own)->sin6_port)
             : ntohs(reinterpret_cast<const sockaddr_in*>(&own)->sin_port);
}

}  // namespace edgewise
