#include "impair/proxy_loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/clock.h"
#include "base/host_port.h"

namespace edgewise {
namespace {

// Descriptors that are no connection; ids of connections never get there.
constexpr uint64_t kListener = ~uint64_t{0};
constexpr uint64_t kTimer = kListener - 1;
constexpr uint64_t kStop = kListener - 2;

constexpr int kAcceptAtOnce = 64;

bool Add(int epoll, int fd, uint64_t data) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = data;
  return ::epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

}  // namespace

ProxyLoop::ProxyLoop(const ProxySettings& settings, UniqueFd listener,
                     std::vector<SocketAddress> upstream)
    : settings_(settings),
      acceptor_(std::move(listener)),
      upstream_(std::move(upstream)),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      timer_(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)),
      stop_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      rate_to_upstream_(settings.impairment.rate_bits_per_s),
      rate_to_client_(settings.impairment.rate_bits_per_s) {}

Result<std::unique_ptr<ProxyLoop>> ProxyLoop::Make(
    const ProxySettings& settings, UniqueFd listener,
    std::vector<SocketAddress> upstream) {
  std::unique_ptr<ProxyLoop> loop(
      new ProxyLoop(settings, std::move(listener), std::move(upstream)));
  if (!loop->Open()) {
    const int error = errno;
    return Error{ErrorCodeFromErrno(error),
                 "cannot start the proxy: " + ErrnoText(error)};
  }
  return loop;
}

bool ProxyLoop::Open() {
  now_ns_ = MonotonicNs();
  if (settings_.impairment.disconnect_every_ns) {
    next_disconnect_ns_ = now_ns_ + *settings_.impairment.disconnect_every_ns;
  }
  return epoll_.valid() && timer_.valid() && stop_.valid() &&
         acceptor_.WatchBy(epoll_.get(), kListener) &&
         Add(epoll_.get(), timer_.get(), kTimer) &&
         Add(epoll_.get(), stop_.get(), kStop);
}

void ProxyLoop::Run() {
  ::prctl(PR_SET_NAME, "edgewise-impair");
  ::prctl(PR_SET_TIMERSLACK, 1);
  std::array<epoll_event, 64> events;
  bool stopping = false;
  {
    const std::lock_guard lock(mutex_);
    ArmTimer();
  }
  while (!stopping) {
    const int count = ::epoll_wait(epoll_.get(), events.data(),
                                   static_cast<int>(events.size()), -1);
    const std::lock_guard lock(mutex_);
    now_ns_ = MonotonicNs();
    for (int i = 0; i < count; ++i) {
      const epoll_event& event = events[static_cast<size_t>(i)];
      stopping = stopping || event.data.u64 == kStop;
      HandleEvent(event.data.u64, event.events);
    }
    CarryDue();
    KeepSchedule();
    ArmTimer();
  }
  const std::lock_guard lock(mutex_);
  connections_.clear();
  due_.clear();
  counts_.open_connections = 0;
  acceptor_.Close();
}

void ProxyLoop::Stop() {
  const uint64_t one = 1;
  (void)!::write(stop_.get(), &one, sizeof one);
}

ProxyCounts ProxyLoop::Counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

void ProxyLoop::HandleEvent(uint64_t data, uint32_t events) {
  if (data == kListener) {
    Accept();
    return;
  }
  if (data == kTimer || data == kStop) {
    uint64_t ignored = 0;
    (void)!::read(data == kTimer ? timer_.get() : stop_.get(), &ignored,
                  sizeof ignored);
    armed_ns_ = data == kTimer ? 0 : armed_ns_;
    return;
  }
  const uint64_t id = data >> 1;
  const auto found = connections_.find(id);
  if (found == connections_.end()) {
    return;  // ended by an earlier event of this round
  }
  ProxiedConnection* connection = found->second.connection.get();
  const auto side = static_cast<ProxiedConnection::Side>(data & 1);
  if (side == ProxiedConnection::kUpstream && !connection->connected()) {
    Settle(id, FinishConnect(connection));
    return;
  }
  Settle(id, connection->Handle(side, events, now_ns_));
}

void ProxyLoop::Accept() {
  for (int i = 0; i < kAcceptAtOnce; ++i) {
    auto client = acceptor_.Next(now_ns_, &counts_.refused);
    if (!client) {
      return;
    }
    Adopt(std::move(*client));
  }
}

void ProxyLoop::Adopt(UniqueFd client) {
  if (now_ns_ < refuse_until_ns_ ||
      connections_.size() >= static_cast<size_t>(kMaxProxyConnections)) {
    Reset(&client);
    ++counts_.refused;
    return;
  }
  SetNoDelay(client.get());
  const uint64_t id = next_id_++;
  const Impairment& impairment = settings_.impairment;
  // Over a real link connecting takes a round trip before bytes can be sent.
  const int64_t open_ns = now_ns_ + 2 * impairment.delay_ns;
  stats::Random seeds(settings_.seed + id);
  Flow to_upstream(Lane(impairment, seeds.Next(), &rate_to_upstream_), open_ns,
                   &counts_, &counts_.bytes_to_upstream);
  Flow to_client(Lane(impairment, seeds.Next(), &rate_to_client_), open_ns,
                 &counts_, &counts_.bytes_to_client);
  Entry& entry = connections_[id];
  entry.connection = std::make_unique<ProxiedConnection>(
      id, epoll_.get(), std::move(client), std::move(to_upstream),
      std::move(to_client));
  Settle(id, ConnectFrom(entry.connection.get(), 0));
}

bool ProxyLoop::ConnectFrom(ProxiedConnection* connection, size_t attempt) {
  for (; attempt < upstream_.size(); ++attempt) {
    UniqueFd socket =
        BeginConnect(upstream_[attempt], settings_.upstream_namespace_fd);
    const int error = socket.valid() ? 0 : errno;
    if (error == 0 && connection->SetUpstream(std::move(socket), attempt)) {
      return true;
    }
    NoteUpstreamError(error != 0 ? error : errno);
  }
  ++counts_.upstream_failures;
  return false;
}

bool ProxyLoop::FinishConnect(ProxiedConnection* connection) {
  if (const int error = connection->ConnectError(); error != 0) {
    NoteUpstreamError(error);
    return ConnectFrom(connection, connection->attempt() + 1);
  }
  ++counts_.connections;
  ++counts_.open_connections;
  return connection->Connected();
}

void ProxyLoop::NoteUpstreamError(int error) {
  counts_.last_upstream_error =
      "cannot connect to " +
      FormatHostPort(settings_.upstream_host, settings_.upstream_port) + ": " +
      ErrnoText(error);
}

void ProxyLoop::CarryDue() {
  while (!due_.empty() && due_.begin()->first <= now_ns_) {
    const uint64_t id = due_.begin()->second;
    Settle(id, connections_.at(id).connection->HandleTime(now_ns_));
  }
}

void ProxyLoop::KeepSchedule() {
  if (acceptor_.again_ns().value_or(INT64_MAX) <= now_ns_) {
    acceptor_.Resume();
  }
  if (!next_disconnect_ns_ || *next_disconnect_ns_ > now_ns_) {
    return;
  }
  counts_.disconnects += counts_.open_connections;
  counts_.open_connections = 0;
  connections_.clear();
  due_.clear();
  refuse_until_ns_ =
      *next_disconnect_ns_ + settings_.impairment.disconnect_for_ns;
  // On the beat, whatever was missed in between.
  const int64_t every_ns = *settings_.impairment.disconnect_every_ns;
  *next_disconnect_ns_ +=
      every_ns * ((now_ns_ - *next_disconnect_ns_) / every_ns + 1);
}

void ProxyLoop::Settle(uint64_t id, bool intact) {
  const auto found = connections_.find(id);
  ProxiedConnection& connection = *found->second.connection;
  if (intact && !connection.done()) {
    Schedule(id, connection.NextDueNs());
    return;
  }
  Schedule(id, std::nullopt);
  counts_.open_connections -= connection.connected() ? 1 : 0;
  connections_.erase(found);
}

void ProxyLoop::Schedule(uint64_t id, std::optional<int64_t> due_ns) {
  Entry& entry = connections_.at(id);
  if (entry.scheduled_ns == due_ns) {
    return;
  }
  if (entry.scheduled_ns) {
    due_.erase({*entry.scheduled_ns, id});
  }
  if (due_ns) {
    due_.insert({*due_ns, id});
  }
  entry.scheduled_ns = due_ns;
}

void ProxyLoop::ArmTimer() {
  int64_t first_ns = due_.empty() ? INT64_MAX : due_.begin()->first;
  first_ns = std::min(first_ns, next_disconnect_ns_.value_or(INT64_MAX));
  first_ns = std::min(first_ns, acceptor_.again_ns().value_or(INT64_MAX));
  if (first_ns == INT64_MAX || first_ns == armed_ns_) {
    return;  // one that fires in vain does no harm
  }
  armed_ns_ = first_ns;
  itimerspec at{};
  at.it_value.tv_sec = first_ns / kNsPerSecond;
  at.it_value.tv_nsec = first_ns % kNsPerSecond;
  (void)::timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &at, nullptr);
}

}  // namespace edgewise
