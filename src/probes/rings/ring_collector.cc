#include "probes/rings/ring_collector.h"

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <utility>

#include "base/clock.h"
#include "probes/rings/hello_socket.h"

namespace edgewise {
namespace {

constexpr int kMaxAcceptsPerDrain = 64;
constexpr int kMaxEventsPerDrain = 128;
constexpr int kMaxDrainsAtEnd = 64;
// An honest client sends one doorbell per arming.
constexpr int kMaxMessagesPerDrain = 16;
constexpr int64_t kHelloTimeoutNs = 5 * kNsPerSecond;

// What an epoll event is about: the listener, or a client's socket or pidfd.
constexpr uint64_t kListenerTag = 0;
uint64_t SocketTag(uint32_t client_id) { return uint64_t{client_id} << 1; }
uint64_t PidfdTag(uint32_t client_id) { return SocketTag(client_id) | 1; }

std::string ProgramName(const client::Hello& hello) {
  std::string name(hello.program,
                   strnlen(hello.program, sizeof(hello.program)));
  CleanText(name, /*keep_newlines=*/false);
  return name;
}

// Root may be served and may serve; others only themselves.
bool MayConnect(uid_t peer) {
  return peer == geteuid() || peer == 0 || geteuid() == 0;
}

}  // namespace

Result<std::unique_ptr<RingCollector>> RingCollector::Create(
    RingCollectorOptions options) {
  Result<UniqueFd> listener =
      ListenAt(options.socket_path, options.socket_mode);
  if (!listener) {
    return listener.error();
  }
  UniqueFd epoll(epoll_create1(EPOLL_CLOEXEC));
  if (!epoll.valid()) {
    return Error{ErrorCodeFromErrno(errno),
                 "Creating an epoll descriptor failed: " + ErrnoText() + "."};
  }
  std::unique_ptr<RingCollector> collector(new RingCollector(
      std::move(options), std::move(*listener), std::move(epoll)));
  if (!collector->Watch(collector->listener_.get(), kListenerTag)) {
    return Error{ErrorCodeFromErrno(errno),
                 "Watching the socket failed: " + ErrnoText() + "."};
  }
  return collector;
}

RingCollector::RingCollector(RingCollectorOptions options, UniqueFd listener,
                             UniqueFd epoll)
    : options_(std::move(options)),
      listener_(std::move(listener)),
      epoll_(std::move(epoll)) {
  struct stat status;
  if (stat(options_.socket_path.c_str(), &status) == 0) {
    socket_inode_ = status.st_ino;
  }
}

RingCollector::~RingCollector() {
  struct stat status;
  if (stat(options_.socket_path.c_str(), &status) == 0 &&
      status.st_ino == socket_inode_) {
    unlink(options_.socket_path.c_str());
  }
}

bool RingCollector::Watch(int fd, uint64_t tag) {
  epoll_event event{};
  event.events = EPOLLIN | EPOLLRDHUP;
  event.data.u64 = tag;
  return epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) == 0;
}

void RingCollector::Drain(RingSink& sink) {
  epoll_event events[kMaxEventsPerDrain];
  const int count =
      epoll_wait(epoll_.get(), events, kMaxEventsPerDrain, /*timeout=*/0);
  for (int i = 0; i < count; ++i) {
    const uint64_t tag = events[i].data.u64;
    if (tag == kListenerTag) {
      AcceptClients(sink);
      continue;
    }
    const auto found = clients_.find(static_cast<uint32_t>(tag >> 1));
    if (found == clients_.end()) {
      continue;
    }
    Client& client = found->second;
    if (tag == PidfdTag(client.info.id)) {
      // What it sent before it ended is still to be read, the hello too.
      ReadSocket(client, sink);
      client.gone = true;
    } else {
      ReadSocket(client, sink);
    }
  }
  for (auto& [id, client] : clients_) {
    if (client.reader) {
      client.reader->Drain(client.info, names_, batch_, sink);
      client.reader->ArmDoorbell();
    } else if (MonotonicNs() - client.connected_ns > kHelloTimeoutNs) {
      Refuse("A client connected but did not say who it is.");
      client.gone = true;
    }
  }
  RemoveGoneClients(sink);
}

void RingCollector::Finish(RingSink& sink) {
  // Short programs may have come and gone since the last time, more of them
  // than one Drain() takes in.
  pollfd waiting{epoll_.get(), POLLIN, 0};
  for (int i = 0; i < kMaxDrainsAtEnd; ++i) {
    Drain(sink);
    if (poll(&waiting, 1, 0) <= 0) {
      break;
    }
  }
  for (auto& [id, client] : clients_) {
    client.gone = true;
  }
  RemoveGoneClients(sink);
}

void RingCollector::AcceptClients(RingSink& sink) {
  for (int i = 0; i < kMaxAcceptsPerDrain; ++i) {
    UniqueFd socket(accept4(listener_.get(), nullptr, nullptr,
                            SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!socket.valid()) {
      return;
    }
    AcceptOne(std::move(socket), sink);
  }
}

void RingCollector::AcceptOne(UniqueFd socket, RingSink& sink) {
  ucred peer{};
  socklen_t size = sizeof(peer);
  if (getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 ||
      !MayConnect(peer.uid)) {
    Refuse("A process of user " + std::to_string(peer.uid) +
           " was turned away; it belongs to another user.");
    return;
  }
  if (clients_.size() >= options_.max_clients) {
    Refuse("Process " + std::to_string(peer.pid) +
           " was turned away; there are already " +
           std::to_string(clients_.size()) + " clients.");
    return;
  }
  const uint32_t id = next_client_id_++;
  if (!Watch(socket.get(), SocketTag(id))) {
    Refuse("Watching a client's socket failed: " + ErrnoText() + ".");
    return;
  }
  // A child that inherited the socket would hide the end of its parent.
  UniqueFd pidfd(static_cast<int>(syscall(SYS_pidfd_open, peer.pid, 0)));
  const bool ended = !pidfd.valid() && peer.pid > 0 && errno == ESRCH;
  if (pidfd.valid()) {
    Watch(pidfd.get(), PidfdTag(id));
  }
  Client& client = clients_[id];
  client.info = {id, peer.pid, peer.uid, {}};
  client.socket = std::move(socket);
  client.pidfd = std::move(pidfd);
  client.connected_ns = MonotonicNs();
  // The hello follows the connection at once; most likely it is there.
  ReadSocket(client, sink);
  client.gone = client.gone || ended;
}

void RingCollector::ReadSocket(Client& client, RingSink& sink) {
  for (int i = 0; i < kMaxMessagesPerDrain && !client.gone; ++i) {
    SocketMessage message = ReadMessage(client.socket.get());
    switch (message.kind) {
      case SocketMessage::Kind::kNothing:
        return;
      case SocketMessage::Kind::kClosed:
        client.gone = true;
        return;
      case SocketMessage::Kind::kDoorbell:
        if (client.reader) {
          break;
        }
        [[fallthrough]];
      case SocketMessage::Kind::kRubbish:
        Refuse("Process " + std::to_string(client.info.pid) +
               " sent something that is not part of the protocol.");
        client.gone = true;
        return;
      case SocketMessage::Kind::kHello:
        TakeHello(client, message.hello, std::move(message.memfd), sink);
        break;
    }
  }
  if (!client.gone) {
    Refuse("Process " + std::to_string(client.info.pid) +
           " was cut off; it sent one message after another.");
    client.gone = true;
  }
}

void RingCollector::TakeHello(Client& client, const client::Hello& hello,
                              UniqueFd memfd, RingSink& sink) {
  if (client.reader) {
    Refuse("Process " + std::to_string(client.info.pid) + " said hello twice.");
    client.gone = true;
    return;
  }
  Result<std::unique_ptr<RingReader>> reader =
      RingReader::Open(std::move(memfd), hello);
  if (!reader) {
    Refuse("Process " + std::to_string(client.info.pid) + " was turned away. " +
           reader.error().message);
    client.gone = true;
    return;
  }
  client.reader = std::move(*reader);
  client.info.program = ProgramName(hello);
  if (client.info.pid == 0) {
    client.info.pid = hello.pid;  // not visible from this pid namespace
  }
  sink.OnClientStart(client.info);
}

void RingCollector::Refuse(std::string why) {
  ++refused_clients_;
  last_refusal_ = std::move(why);
}

void RingCollector::RemoveGoneClients(RingSink& sink) {
  for (auto next = clients_.begin(); next != clients_.end();) {
    const auto current = next++;
    Client& client = current->second;
    if (!client.gone) {
      continue;
    }
    if (client.reader) {
      sink.OnClientEnd(client.info, client.reader->Account());
    }
    clients_.erase(current);
  }
}

size_t RingCollector::client_count() const {
  size_t count = 0;
  for (const auto& [id, client] : clients_) {
    count += client.reader != nullptr ? 1 : 0;
  }
  return count;
}

std::optional<RingAccount> RingCollector::Account(uint32_t client_id) const {
  const auto found = clients_.find(client_id);
  if (found == clients_.end() || !found->second.reader) {
    return std::nullopt;
  }
  return found->second.reader->Account();
}

}  // namespace edgewise
