#include "probes/rings/ring_collector.h"

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
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

constexpr int kMaxEventsPerDrain = 128;
constexpr int kMaxDrainsAtEnd = 64;
constexpr int64_t kHelloTimeoutNs = 5 * kNsPerSecond;

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
      epoll_(std::move(epoll)),
      spare_(eventfd(0, EFD_CLOEXEC)) {
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

void RingCollector::HandleEvents(RingSink& sink) {
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
    // What a process sent before it ended is still to be read, the hello too.
    ReadSocket(client, sink);
    client.rung = true;
    client.gone = client.gone || tag == PidfdTag(client.info.id);
  }
}

void RingCollector::DrainClient(Client& client, RingSink& sink) {
  const uint64_t most =
      client.gone && options_.max_records_per_drain <= UINT64_MAX / 64
          ? 64 * options_.max_records_per_drain
          : options_.max_records_per_drain;
  const RingDelivery to{client.info, client.names ? *client.names : names_,
                        batch_, sink};
  // First what is older.
  if (client.former) {
    client.former->Drain(to, most);
    if (MonotonicNs() >= client.former_until_ns) {
      ForgetFormer(client);
    }
  }
  const bool all = client.reader->Drain(to, most);
  if (all) {
    client.reader->ArmDoorbell();
  }
  client.rung = false;
}

void RingCollector::Drain(RingSink& sink) {
  HandleEvents(sink);
  for (auto& [id, client] : clients_) {
    if (client.reader) {
      DrainClient(client, sink);
    } else if (MonotonicNs() - client.connected_ns > kHelloTimeoutNs) {
      Refuse("A client connected but did not say who it is.");
      client.gone = true;
    }
  }
  RemoveGoneClients(sink);
}

void RingCollector::Wake(RingSink& sink) {
  HandleEvents(sink);
  bool some_gone = false;
  for (auto& [id, client] : clients_) {
    some_gone = some_gone || client.gone;
    if (client.rung && client.reader) {
      DrainClient(client, sink);
    }
  }
  if (some_gone) {
    RemoveGoneClients(sink);
  }
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

void RingCollector::RemoveGoneClients(RingSink& sink) {
  for (auto next = clients_.begin(); next != clients_.end();) {
    const auto current = next++;
    Client& client = current->second;
    if (!client.gone) {
      continue;
    }
    if (client.reader) {
      sink.OnClientEnd(client.info, SumOf(client, /*with_names=*/true));
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
  return SumOf(found->second, /*with_names=*/true);
}

std::optional<RingAccount> RingCollector::Counts(uint32_t client_id) const {
  const auto found = clients_.find(client_id);
  if (found == clients_.end() || !found->second.reader) {
    return std::nullopt;
  }
  return SumOf(found->second, /*with_names=*/false);
}

}  // namespace edgewise
