#include "impair/proxied_connection.h"

#include <sys/epoll.h>

#include <algorithm>

#include "impair/sockets.h"

namespace edgewise {

ProxiedConnection::ProxiedConnection(uint64_t id, int epoll_fd, UniqueFd client,
                                     Flow to_upstream, Flow to_client)
    : id_(id),
      epoll_fd_(epoll_fd),
      to_upstream_(std::move(to_upstream)),
      to_client_(std::move(to_client)) {
  ends_[kClient].socket = std::move(client);
}

ProxiedConnection::~ProxiedConnection() {
  for (End& end : ends_) {
    if (end.socket.valid() && !done()) {
      Reset(&end.socket);
    }
  }
}

bool ProxiedConnection::SetUpstream(UniqueFd upstream, size_t attempt) {
  ends_[kUpstream] = End{std::move(upstream)};
  attempt_ = attempt;
  // The client is watched too: it may go away while upstream is awaited.
  return Watch(kUpstream, EPOLLOUT) && Watch(kClient, 0);
}

int ProxiedConnection::ConnectError() const {
  return SocketError(ends_[kUpstream].socket.get());
}

bool ProxiedConnection::Connected() {
  connected_ = true;
  return Update();
}

bool ProxiedConnection::Handle(Side side, uint32_t events, int64_t now_ns) {
  Flow& out = side == kClient ? to_upstream_ : to_client_;
  Flow& in = side == kClient ? to_client_ : to_upstream_;
  const int own = ends_[side].socket.get();
  const int other = ends_[1 - side].socket.get();
  if ((events & EPOLLERR) != 0) {
    return false;
  }
  if (!connected_) {
    return (events & EPOLLHUP) == 0;
  }
  if ((events & EPOLLOUT) != 0 && !in.Write(own, now_ns)) {
    return false;
  }
  if ((events & (EPOLLIN | EPOLLHUP)) != 0) {
    if (!out.wants_read()) {
      // Its end is known or has to wait, and epoll would go on telling of it.
      return Unwatch(side);
    }
    if (!out.Read(own, other, now_ns)) {
      return false;
    }
  }
  return Update();
}

bool ProxiedConnection::HandleTime(int64_t now_ns) {
  return to_upstream_.Write(ends_[kUpstream].socket.get(), now_ns) &&
         to_client_.Write(ends_[kClient].socket.get(), now_ns) && Update();
}

std::optional<int64_t> ProxiedConnection::NextDueNs() const {
  const auto one = to_upstream_.NextDueNs();
  const auto other = to_client_.NextDueNs();
  if (one && other) {
    return std::min(*one, *other);
  }
  return one ? one : other;
}

bool ProxiedConnection::Update() {
  if (!connected_) {
    return true;
  }
  for (const Side side : {kClient, kUpstream}) {
    const Flow& out = side == kClient ? to_upstream_ : to_client_;
    const Flow& in = side == kClient ? to_client_ : to_upstream_;
    const uint32_t events = (out.wants_read() ? uint32_t{EPOLLIN} : 0) |
                            (in.wants_write() ? uint32_t{EPOLLOUT} : 0);
    // Both directions of the socket are over: nothing but hang-ups would come.
    const bool over = out.ended() && in.done();
    // One that epoll was told to forget comes back when it is of use again.
    if (over ? !Unwatch(side)
             : (ends_[side].watched || events != 0) && !Watch(side, events)) {
      return false;
    }
  }
  return true;
}

bool ProxiedConnection::Watch(Side side, uint32_t events) {
  End& end = ends_[side];
  if (end.watched && end.events == events) {
    return true;
  }
  epoll_event event{};
  event.events = events;
  event.data.u64 = (id_ << 1) | static_cast<uint64_t>(side);
  const int how = end.watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  end.watched = ::epoll_ctl(epoll_fd_, how, end.socket.get(), &event) == 0;
  end.events = events;
  return end.watched;
}

bool ProxiedConnection::Unwatch(Side side) {
  End& end = ends_[side];
  if (end.watched) {
    (void)::epoll_ctl(epoll_fd_, EPOLL_CTL_DEL, end.socket.get(), nullptr);
    end.watched = false;
  }
  return true;
}

}  // namespace edgewise
