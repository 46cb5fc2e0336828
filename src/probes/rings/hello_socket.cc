#include "probes/rings/hello_socket.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <string_view>
#include <vector>

#include "probes/rings/event_names.h"

namespace edgewise {
namespace {

Error SystemError(const std::string& doing, const std::string& path) {
  const int error = errno;
  return Error{ErrorCodeFromErrno(error),
               doing + " " + path + " failed: " + ErrnoText(error) + "."};
}

// Whether somebody accepts connections at this address.
bool SomebodyListens(const sockaddr_un& address, int type) {
  const UniqueFd probe(socket(AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  return connect(probe.get(), reinterpret_cast<const sockaddr*>(&address),
                 sizeof(address)) == 0 ||
         errno == EAGAIN;
}

}  // namespace

Result<UniqueFd> ListenAt(const std::string& path, mode_t mode, int type) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof(address.sun_path)) {
    return Error{ErrorCode::kInvalid,
                 "The socket path '" + path + "' must have 1 to " +
                     std::to_string(sizeof(address.sun_path) - 1) +
                     " bytes; choose a shorter directory."};
  }
  memcpy(address.sun_path, path.data(), path.size());
  UniqueFd fd(socket(AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd.valid()) {
    return SystemError("Creating the socket", path);
  }
  struct stat status;
  if (lstat(path.c_str(), &status) == 0) {
    if (!S_ISSOCK(status.st_mode)) {
      return Error{ErrorCode::kInvalid,
                   "The socket path " + path +
                       " exists and is not a socket; choose another."};
    }
    if (SomebodyListens(address, type)) {
      return Error{ErrorCode::kBusy,
                   "Another collector listens on " + path +
                       "; stop it or choose another socket path."};
    }
    unlink(path.c_str());
  }
  // Before bind(), so that the socket never has a wider mode.
  if (fchmod(fd.get(), mode) != 0 ||
      bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) !=
          0 ||
      chmod(path.c_str(), mode) != 0 || listen(fd.get(), SOMAXCONN) != 0) {
    return SystemError("Listening on", path);
  }
  return fd;
}

SocketMessage ReadMessage(int socket_fd) {
  // One byte more than the longest shows that a message is too long.
  char data[client::kMaxIdentityBytes + 1];
  constexpr size_t kMaxDescriptors = 4;
  alignas(cmsghdr) char control[CMSG_SPACE(kMaxDescriptors * sizeof(int))];
  iovec part{data, sizeof(data)};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);

  SocketMessage result;
  const ssize_t bytes =
      recvmsg(socket_fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (bytes < 0) {
    result.kind = errno == EAGAIN || errno == EINTR
                      ? SocketMessage::Kind::kNothing
                      : SocketMessage::Kind::kClosed;
    return result;
  }
  std::vector<UniqueFd> descriptors;
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
       header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) {
      continue;
    }
    const size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int fd;
      memcpy(&fd, CMSG_DATA(header) + i * sizeof(int), sizeof(int));
      descriptors.emplace_back(fd);
    }
  }
  const bool cut = (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0;
  if (bytes == 0 && descriptors.empty()) {
    result.kind = SocketMessage::Kind::kClosed;
  } else if (cut) {
    result.kind = SocketMessage::Kind::kRubbish;
  } else if (bytes == sizeof(client::Hello) && descriptors.size() == 1) {
    result.kind = SocketMessage::Kind::kHello;
    memcpy(&result.hello, data, sizeof(result.hello));
    result.memfd = std::move(descriptors[0]);
  } else if (std::string_view(data, static_cast<size_t>(bytes))
                 .starts_with(client::kIdentityMagic) &&
             bytes <= static_cast<ssize_t>(client::kMaxIdentityBytes) &&
             descriptors.empty()) {
    result.kind = SocketMessage::Kind::kIdentity;
    result.identity.assign(data + strlen(client::kIdentityMagic), data + bytes);
    CleanText(result.identity, /*keep_newlines=*/true);
  } else if (bytes == 1 && descriptors.empty()) {
    result.kind = SocketMessage::Kind::kDoorbell;
  } else {
    result.kind = SocketMessage::Kind::kRubbish;
  }
  return result;
}

}  // namespace edgewise
