#include "live/waggle_server.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "live/live_sink.h"
#include "probes/rings/hello_socket.h"

namespace edgewise::live {
namespace {

constexpr size_t kReadBytes = size_t{64} << 10;

}  // namespace

Result<std::unique_ptr<WaggleServer>> WaggleServer::Listen(
    const std::string& path, mode_t mode) {
  auto listener = ListenAt(path, mode, SOCK_STREAM);
  if (!listener) {
    return listener.error();
  }
  UniqueFd epoll(epoll_create1(EPOLL_CLOEXEC));
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = 0;
  if (!epoll.valid() ||
      epoll_ctl(epoll.get(), EPOLL_CTL_ADD, listener->get(), &event) != 0) {
    return Error{ErrorCodeFromErrno(errno),
                 "Watching " + path + " failed: " + ErrnoText() + "."};
  }
  return std::unique_ptr<WaggleServer>(
      new WaggleServer(path, std::move(*listener), std::move(epoll)));
}

WaggleServer::WaggleServer(std::string path, UniqueFd listener, UniqueFd epoll)
    : path_(std::move(path)),
      listener_(std::move(listener)),
      epoll_(std::move(epoll)),
      spare_(eventfd(0, EFD_CLOEXEC)) {}

WaggleServer::~WaggleServer() { unlink(path_.c_str()); }

void WaggleServer::Accept(RingSink& sink) {
  UniqueFd socket(
      accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (!socket.valid() && (errno == EMFILE || errno == ENFILE)) {
    // It would keep the listener readable for ever.
    spare_.reset();
    UniqueFd(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC)).reset();
    spare_.reset(eventfd(0, EFD_CLOEXEC));
    ++refused_;
    return;
  }
  ucred peer{};
  socklen_t size = sizeof(peer);
  if (!socket.valid() ||
      getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
    return;
  }
  const auto of_process = static_cast<size_t>(std::count_if(
      clients_.begin(), clients_.end(),
      [&](const auto& entry) { return entry.second.info.pid == peer.pid; }));
  const uint32_t id = next_id_;
  epoll_event event{};
  event.events = EPOLLIN | EPOLLRDHUP;
  event.data.u64 = id;
  if ((peer.uid != geteuid() && peer.uid != 0 && geteuid() != 0) ||
      clients_.size() >= kMostClients || of_process >= kMostClientsOfProcess ||
      epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, socket.get(), &event) != 0) {
    ++refused_;
    return;
  }
  next_id_ = std::max(kFirstClientId, next_id_ + 1);
  Client& client = clients_[id];
  client.info = {id, peer.pid, peer.uid, {}, {}};
  client.socket = std::move(socket);
  sink.OnClientStart(client.info);
}

void WaggleServer::Serve(RingSink& sink) {
  epoll_event events[64];
  const int count = epoll_wait(epoll_.get(), events, 64, 0);
  for (int i = 0; i < count; ++i) {
    if (events[i].data.u64 == 0) {
      Accept(sink);
      continue;
    }
    const auto found = clients_.find(static_cast<uint32_t>(events[i].data.u64));
    if (found != clients_.end()) {
      Read(found->second, sink);
    }
  }
  RemoveGone(sink);
}

void WaggleServer::Read(Client& client, RingSink& sink) {
  std::vector<char> bytes(kReadBytes);
  const ssize_t count =
      recv(client.socket.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
    return;
  }
  if (count <= 0) {
    client.gone = true;
    return;
  }
  const bool fits =
      client.frames.Take({bytes.data(), static_cast<size_t>(count)});
  while (const auto message = client.frames.Next()) {
    Deliver(client, *message, sink);
  }
  if (!fits) {
    ++refused_;
    client.gone = true;
  }
}

void WaggleServer::Deliver(Client& client, std::string_view message,
                           RingSink& sink) {
  const auto values = ParseWaggleMessage(message);
  if (!values) {
    ++client.account.invalid;
    return;
  }
  const int64_t now_ns = MonotonicNs();
  std::vector<MetricEvent> events;
  for (const WaggleValue& value : *values) {
    auto known = client.names.find(value.name);
    if (known == client.names.end()) {
      if (client.names.size() >= kMostMetricsPerApp) {
        ++client.account.dropped_no_name;
        continue;
      }
      const auto id = static_cast<uint32_t>(client.names.size());
      sink.OnName(client.info, id, EventKind::kGauge, value.name);
      known = client.names.emplace(value.name, id).first;
    }
    // The app's time stamp is of a clock that may jump; arrival is as good.
    events.push_back({known->second, 0, now_ns, value.value});
  }
  client.account.delivered += events.size();
  if (!events.empty()) {
    sink.OnMetrics(client.info, events);
  }
}

std::optional<RingAccount> WaggleServer::Counts(uint32_t client_id) const {
  const auto found = clients_.find(client_id);
  return found != clients_.end() ? std::optional(found->second.account)
                                 : std::nullopt;
}

void WaggleServer::RemoveGone(RingSink& sink) {
  for (auto next = clients_.begin(); next != clients_.end();) {
    const auto current = next++;
    if (current->second.gone) {
      sink.OnClientEnd(current->second.info, current->second.account);
      clients_.erase(current);
    }
  }
}

void WaggleServer::Finish(RingSink& sink) {
  Serve(sink);
  for (auto& [id, client] : clients_) {
    client.gone = true;
  }
  RemoveGone(sink);
}

}  // namespace edgewise::live
