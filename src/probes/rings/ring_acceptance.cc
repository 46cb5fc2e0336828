// How clients of a collector are taken in or turned away.
#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <utility>

#include "base/clock.h"
#include "probes/rings/hello_socket.h"
#include "probes/rings/ring_collector.h"

namespace edgewise {
namespace {

// An honest client sends one doorbell per arming.
constexpr int kMaxMessagesPerDrain = 16;
constexpr int kMaxAcceptsPerDrain = 64;
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

void RingCollector::AcceptClients(RingSink& sink) {
  for (int i = 0; i < kMaxAcceptsPerDrain; ++i) {
    UniqueFd socket(accept4(listener_.get(), nullptr, nullptr,
                            SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!socket.valid()) {
      if (errno == EMFILE || errno == ENFILE) {
        TurnAwayWithSpare();
      }
      return;
    }
    AcceptOne(std::move(socket), sink);
  }
}

void RingCollector::TurnAwayWithSpare() {
  // The client would wait in the queue for ever and keep the listener readable.
  spare_.reset();
  UniqueFd(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC)).reset();
  spare_.reset(eventfd(0, EFD_CLOEXEC));
  Refuse("A client was turned away; this process has no file descriptor left.");
}

std::string RingCollector::WhyNot(const ucred& peer) const {
  if (!MayConnect(peer.uid)) {
    return "A process of user " + std::to_string(peer.uid) +
           " was turned away; it belongs to another user.";
  }
  size_t of_process = 0;
  size_t of_user = 0;
  for (const auto& [id, client] : clients_) {
    of_process += client.info.pid == peer.pid && peer.pid > 0 ? 1 : 0;
    of_user += client.info.uid == peer.uid ? 1 : 0;
  }
  const bool too_many = clients_.size() >= options_.max_clients;
  const bool too_many_of_user =
      peer.uid != 0 && of_user >= options_.max_clients_of_user;
  if (too_many || too_many_of_user ||
      of_process >= options_.max_clients_of_process) {
    return "Process " + std::to_string(peer.pid) +
           " was turned away; there are already " +
           std::to_string(too_many           ? clients_.size()
                          : too_many_of_user ? of_user
                                             : of_process) +
           " clients" +
           (too_many           ? "."
            : too_many_of_user ? " of its user."
                               : " of this process.");
  }
  return "";
}

void RingCollector::AcceptOne(UniqueFd socket, RingSink& sink) {
  ucred peer{};
  socklen_t size = sizeof(peer);
  if (getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
    Refuse("A client was turned away; the kernel does not say who it is.");
    return;
  }
  if (std::string why = WhyNot(peer); !why.empty()) {
    Refuse(std::move(why));
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
  client.info = {id, peer.pid, peer.uid, {}, {}};
  if (options_.names_of_each_client > 0) {
    client.names = std::make_unique<EventNames>(options_.names_of_each_client);
  }
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
      case SocketMessage::Kind::kIdentity:
        if (!client.reader && client.info.identity.empty()) {
          client.info.identity = std::move(message.identity);
          break;
        }
        RefuseRubbish(client);
        return;
      case SocketMessage::Kind::kDoorbell:
        if (client.reader) {
          break;
        }
        RefuseRubbish(client);
        return;
      case SocketMessage::Kind::kRubbish:
        RefuseRubbish(client);
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
    if (TakeLargerRings(client, hello, std::move(memfd))) {
      return;
    }
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
  client.reader->GrantRingBytes(options_.ring_bytes_granted);
  client.info.program = ProgramName(hello);
  if (client.info.pid == 0) {
    client.info.pid = hello.pid;  // not visible from this pid namespace
  }
  sink.OnClientStart(client.info);
}

void RingCollector::RefuseRubbish(Client& client) {
  Refuse("Process " + std::to_string(client.info.pid) +
         " sent something that is not part of the protocol.");
  client.gone = true;
}

void RingCollector::Refuse(std::string why) {
  ++refused_clients_;
  last_refusal_ = std::move(why);
}

}  // namespace edgewise
