#include "live/control_server.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <utility>

#include "probes/rings/hello_socket.h"

namespace edgewise::live {
namespace {

constexpr size_t kMostConnections = 16;
constexpr size_t kMostRequestBytes = 512;

bool MayAsk(int socket) {
  ucred peer{};
  socklen_t size = sizeof(peer);
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         (peer.uid == geteuid() || peer.uid == 0);
}

}  // namespace

Result<std::unique_ptr<ControlServer>> ControlServer::Listen(
    const std::string& path, ControlHandler handler, LiveSink& sink) {
  auto listener = ListenAt(path, 0600, SOCK_STREAM);
  if (!listener) {
    return listener.error();
  }
  UniqueFd epoll(epoll_create1(EPOLL_CLOEXEC));
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = listener->get();
  if (!epoll.valid() ||
      epoll_ctl(epoll.get(), EPOLL_CTL_ADD, listener->get(), &event) != 0) {
    return Error{ErrorCodeFromErrno(errno),
                 "Watching " + path + " failed: " + ErrnoText() + "."};
  }
  return std::unique_ptr<ControlServer>(new ControlServer(
      path, std::move(*listener), std::move(epoll), std::move(handler), sink));
}

ControlServer::ControlServer(std::string path, UniqueFd listener,
                             UniqueFd epoll, ControlHandler handler,
                             LiveSink& sink)
    : path_(std::move(path)),
      listener_(std::move(listener)),
      epoll_(std::move(epoll)),
      handler_(std::move(handler)),
      sink_(sink),
      spare_(eventfd(0, EFD_CLOEXEC)) {}

ControlServer::~ControlServer() {
  for (auto& [fd, connection] : connections_) {
    connection.gone = true;
  }
  RemoveGone();
  unlink(path_.c_str());
}

void ControlServer::Accept() {
  const auto accept = [this] {
    return UniqueFd(accept4(listener_.get(), nullptr, nullptr,
                            SOCK_NONBLOCK | SOCK_CLOEXEC));
  };
  UniqueFd socket = accept();
  if (!socket.valid() && (errno == EMFILE || errno == ENFILE)) {
    // Somebody who asks how things are is answered also then.
    spare_.reset();
    socket = accept();
  }
  if (!socket.valid() || connections_.size() >= kMostConnections ||
      !MayAsk(socket.get())) {
    return;
  }
  epoll_event event{};
  event.events = EPOLLIN | EPOLLRDHUP;
  event.data.fd = socket.get();
  if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, socket.get(), &event) == 0) {
    const int fd = socket.get();
    connections_[fd].socket = std::move(socket);
  }
}

void ControlServer::Serve() {
  epoll_event events[32];
  const int count = epoll_wait(epoll_.get(), events, 32, 0);
  for (int i = 0; i < count; ++i) {
    const int fd = events[i].data.fd;
    if (fd == listener_.get()) {
      Accept();
      continue;
    }
    const auto found = connections_.find(fd);
    if (found == connections_.end()) {
      continue;
    }
    if ((events[i].events & EPOLLOUT) != 0) {
      Send(found->second);
    }
    if ((events[i].events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP)) != 0) {
      Read(found->second);
    }
  }
  RemoveGone();
}

void ControlServer::Read(Connection& connection) {
  char bytes[kMostRequestBytes];
  const ssize_t count =
      recv(connection.socket.get(), bytes, sizeof(bytes), MSG_DONTWAIT);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
    return;
  }
  // One that has asked says no more; what it does then is to hang up.
  if (count <= 0 || connection.answered) {
    connection.gone = true;
    return;
  }
  connection.request.append(bytes, static_cast<size_t>(count));
  if (connection.request.find('\n') != std::string::npos) {
    Answer(connection);
  } else if (connection.request.size() >= kMostRequestBytes) {
    connection.gone = true;
  }
}

void ControlServer::Answer(Connection& connection) {
  connection.answered = true;
  const std::string_view line = std::string_view(connection.request)
                                    .substr(0, connection.request.find('\n'));
  Result<ControlAnswer> answer = handler_(line);
  if (!answer) {
    connection.out = "error " +
                     std::to_string(static_cast<int>(answer.error().code)) +
                     " " + answer.error().message + "\n";
  } else {
    connection.out = "ok\n" + std::move(answer->text);
    if (answer->tap_app) {
      connection.tap = std::make_unique<TapWriter>();
      sink_.AddTap(*answer->tap_app, connection.tap.get());
    }
  }
  Send(connection);
}

void ControlServer::Send(Connection& connection) {
  if (connection.tap) {
    connection.out += connection.tap->waiting();
    connection.tap->waiting().clear();
  }
  const ssize_t sent = send(connection.socket.get(), connection.out.data(),
                            connection.out.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent < 0 && errno != EAGAIN && errno != EINTR) {
    connection.gone = true;
    return;
  }
  connection.out.erase(0, sent > 0 ? static_cast<size_t>(sent) : 0);
  const bool more = !connection.out.empty();
  if (!more && connection.answered && !connection.tap) {
    connection.gone = true;
    return;
  }
  epoll_event event{};
  event.events = EPOLLIN | EPOLLRDHUP;
  if (more) {
    event.events |= EPOLLOUT;
  }
  event.data.fd = connection.socket.get();
  epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, connection.socket.get(), &event);
}

void ControlServer::SendTaps() {
  for (auto& [fd, connection] : connections_) {
    // What waits in the connection is sent first; the tap bounds itself.
    if (connection.tap && connection.out.empty() &&
        !connection.tap->waiting().empty()) {
      Send(connection);
    }
  }
  RemoveGone();
}

void ControlServer::RemoveGone() {
  std::erase_if(connections_, [&](const auto& entry) {
    if (entry.second.gone && entry.second.tap) {
      sink_.RemoveTap(entry.second.tap.get());
    }
    return entry.second.gone;
  });
  if (!spare_.valid()) {
    spare_.reset(eventfd(0, EFD_CLOEXEC));
  }
}

}  // namespace edgewise::live
