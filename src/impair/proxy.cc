#include "impair/proxy.h"

#include <fcntl.h>
#include <signal.h>

#include <thread>
#include <utility>

#include "impair/proxy_loop.h"
#include "impair/sockets.h"

namespace edgewise {

struct Proxy::State {
  std::string host;
  int port = 0;
  UniqueFd upstream_namespace;
  std::unique_ptr<ProxyLoop> loop;
  std::thread thread;
};

Proxy::Proxy(std::unique_ptr<State> state) : state_(std::move(state)) {}
Proxy::Proxy(Proxy&&) noexcept = default;
Proxy& Proxy::operator=(Proxy&& other) noexcept {
  if (this != &other) {
    if (state_) {
      Stop();
    }
    state_ = std::move(other.state_);
  }
  return *this;
}
Proxy::~Proxy() {
  if (state_) {
    Stop();
  }
}

Result<Proxy> Proxy::Start(const ProxySettings& settings) {
  for (const int port : {settings.listen_port, settings.upstream_port}) {
    if (port < 0 || port > 65535) {
      return Error{ErrorCode::kInvalid, std::to_string(port) +
                                            " is not a port: write one from 1 "
                                            "to 65535"};
    }
  }
  auto upstream =
      FindAddresses(settings.upstream_host, settings.upstream_port, false);
  if (!upstream) {
    return upstream.error();
  }
  auto listener = Listen(settings.listen_host, settings.listen_port,
                         settings.listen_namespace_fd);
  if (!listener) {
    return listener.error();
  }
  auto state = std::make_unique<State>();
  state->host = settings.listen_host;
  state->port = BoundPort(listener->get());
  ProxySettings own = settings;
  if (settings.upstream_namespace_fd >= 0) {
    state->upstream_namespace =
        UniqueFd(::fcntl(settings.upstream_namespace_fd, F_DUPFD_CLOEXEC, 0));
    own.upstream_namespace_fd = state->upstream_namespace.get();
  }
  auto loop = ProxyLoop::Make(own, std::move(*listener), std::move(*upstream));
  if (!loop) {
    return loop.error();
  }
  state->loop = std::move(*loop);
  // Signals are for the threads that wait for them.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  state->thread = std::thread([loop = state->loop.get()] { loop->Run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return Proxy(std::move(state));
}

const std::string& Proxy::host() const { return state_->host; }
int Proxy::port() const { return state_->port; }
ProxyCounts Proxy::Counts() const { return state_->loop->Counts(); }

void Proxy::Stop() {
  if (state_->thread.joinable()) {
    state_->loop->Stop();
    state_->thread.join();
  }
}

}  // namespace edgewise
