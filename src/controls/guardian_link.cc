#include "controls/guardian_link.h"

#include <poll.h>
#include <sys/socket.h>

#include <cassert>
#include <cerrno>
#include <cstddef>
#include <cstring>

namespace edgewise {
namespace {

bool Send(int socket, const guardian::Command& command,
          const std::vector<int>& fds) {
  const size_t size =
      offsetof(guardian::Command, text) + strlen(command.text) + 1;
  iovec part{const_cast<guardian::Command*>(&command), size};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * guardian::kLaunchFds)];
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  assert(fds.size() <= guardian::kLaunchFds);
  if (!fds.empty()) {
    memset(control, 0, sizeof(control));
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(sizeof(int) * fds.size());
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * fds.size());
    memcpy(CMSG_DATA(header), fds.data(), sizeof(int) * fds.size());
  }
  ssize_t sent = 0;
  do {
    sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(size);
}

}  // namespace

Result<guardian::Command> MakeCommand(guardian::Kind kind, int number,
                                      const std::string& text) {
  guardian::Command command{};
  if (text.size() >= sizeof(command.text)) {
    return Error{ErrorCode::kInvalid, "the path " + text + " is too long"};
  }
  command.kind = kind;
  command.number = number;
  memcpy(command.text, text.c_str(), text.size() + 1);
  return command;
}

Result<guardian::Reply> AskGuardian(int socket,
                                    const guardian::Command& command,
                                    const std::vector<int>& fds,
                                    int timeout_ms) {
  const Error gone{ErrorCode::kIo, "the guardian does not answer"};
  if (!Send(socket, command, fds)) {
    return gone;
  }
  pollfd readable{socket, POLLIN, 0};
  int ready = 0;
  do {
    ready = poll(&readable, 1, timeout_ms);
  } while (ready < 0 && errno == EINTR);
  guardian::Reply reply{};
  if (ready <= 0 || recv(socket, &reply, sizeof(reply), 0) !=
                        static_cast<ssize_t>(sizeof(reply))) {
    return gone;
  }
  return reply;
}

Received ReceiveEvent(int socket, guardian::Event* event) {
  ssize_t got = 0;
  do {
    got = recv(socket, event, sizeof(*event), MSG_DONTWAIT);
  } while (got < 0 && errno == EINTR);
  if (got == static_cast<ssize_t>(sizeof(*event))) {
    return Received::kMessage;
  }
  return got < 0 && errno == EAGAIN ? Received::kNothing : Received::kHungUp;
}

}  // namespace edgewise
