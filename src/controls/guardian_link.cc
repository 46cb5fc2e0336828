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

const char* StageName(guardian::Stage stage) {
  switch (stage) {
    case guardian::Stage::kFork:
      return "fork";
    case guardian::Stage::kRequest:
      return "request";
    case guardian::Stage::kCgroup:
      return "cgroup";
    case guardian::Stage::kAffinity:
      return "affinity";
    case guardian::Stage::kNice:
      return "nice";
    case guardian::Stage::kPolicy:
      return "policy";
    case guardian::Stage::kChdir:
      return "chdir";
    case guardian::Stage::kExec:
      return "exec";
  }
  return "exec";
}

double Seconds(int64_t microseconds) {
  return static_cast<double>(microseconds) / 1e6;
}

// GuardianEvent and TreeUsage name the same figures.
template <typename Figures>
void CopyUsage(const guardian::Usage& used, Figures* figures) {
  figures->cpu_user_s = Seconds(used.user_us);
  figures->cpu_system_s = Seconds(used.system_us);
  figures->max_rss_bytes = used.max_rss_bytes;
  figures->minor_faults = used.minor_faults;
  figures->major_faults = used.major_faults;
  figures->voluntary_switches = used.voluntary_switches;
  figures->involuntary_switches = used.involuntary_switches;
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

GuardianEvent EventFromWire(const guardian::Event& wire) {
  GuardianEvent event;
  switch (wire.kind) {
    case guardian::Event::Kind::kExited:
      event.kind = GuardianEvent::Kind::kExited;
      break;
    case guardian::Event::Kind::kLaunchFailed:
      event.kind = GuardianEvent::Kind::kLaunchFailed;
      event.stage = StageName(wire.stage);
      event.error_number = wire.error;
      break;
    case guardian::Event::Kind::kTreeEmpty:
      event.kind = GuardianEvent::Kind::kTreeEmpty;
      break;
  }
  event.pid = wire.pid;
  event.status = wire.status;
  CopyUsage(wire.usage, &event);
  return event;
}

TreeUsage UsageFromWire(const guardian::Reply& reply) {
  TreeUsage usage;
  CopyUsage(reply.tree, &usage);
  usage.killed_leftovers = reply.killed;
  usage.guardian_cpu_s = Seconds(reply.own_cpu_us);
  usage.guardian_max_rss_bytes = reply.own_max_rss_bytes;
  return usage;
}

}  // namespace edgewise
