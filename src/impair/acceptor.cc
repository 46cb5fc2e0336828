#include "impair/acceptor.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "impair/sockets.h"

namespace edgewise {
namespace {

constexpr int64_t kPauseNs = 100'000'000;

UniqueFd OpenReserve() {
  return UniqueFd(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

}  // namespace

Acceptor::Acceptor(UniqueFd listener)
    : listener_(std::move(listener)), reserve_(OpenReserve()) {}

bool Acceptor::WatchBy(int epoll_fd, uint64_t data) {
  epoll_fd_ = epoll_fd;
  data_ = data;
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = data_;
  return ::epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, listener_.get(), &event) == 0;
}

std::optional<UniqueFd> Acceptor::Next(int64_t now_ns, int64_t* refused) {
  while (true) {
    UniqueFd client = Take();
    if (client.valid()) {
      return client;
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return std::nullopt;
    }
    const bool full = errno == EMFILE || errno == ENFILE;
    if (full && reserve_.valid()) {
      // Without a free descriptor the kernel does not even look whether there
      // is a client.
      if (!Refuse(refused)) {
        return std::nullopt;
      }
    } else if (full || (errno != EINTR && errno != ECONNABORTED)) {
      again_ns_ = now_ns + kPauseNs;
      Watch(false);
      return std::nullopt;
    }
  }
}

void Acceptor::Resume() {
  again_ns_.reset();
  if (!reserve_.valid()) {
    reserve_ = OpenReserve();
  }
  Watch(true);
}

UniqueFd Acceptor::Take() {
  return UniqueFd(::accept4(listener_.get(), nullptr, nullptr,
                            SOCK_NONBLOCK | SOCK_CLOEXEC));
}

bool Acceptor::Refuse(int64_t* refused) {
  reserve_.reset();
  UniqueFd client = Take();
  const bool there = client.valid();
  if (there) {
    Reset(&client);
    ++*refused;
  }
  // If another thread took the descriptor meanwhile, the next round pauses.
  reserve_ = OpenReserve();
  return there;
}

void Acceptor::Watch(bool watched) {
  epoll_event event{};
  event.events = watched ? uint32_t{EPOLLIN} : 0;
  event.data.u64 = data_;
  (void)::epoll_ctl(epoll_fd_, EPOLL_CTL_MOD, listener_.get(), &event);
}

}  // namespace edgewise
