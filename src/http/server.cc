#include "http/server.h"

#include "base/host_port.h"
#include "base/module.h"
#include "base/tcp.h"

namespace edgewise::http {
namespace {

constexpr int kBacklog = 1024;

}  // namespace

Result<std::unique_ptr<Server>> StartServer(const ServerSettings& settings,
                                            Router router) {
  const auto addresses = FindAddresses(settings.host, settings.port, true);
  if (!addresses) {
    return addresses.error();
  }
  const SocketAddress& address = addresses->front();
  const std::string where = FormatHostPort(settings.host, settings.port);
  if (!IsLoopback(address) && settings.tokens.empty() && router.NeedsToken()) {
    return Error{ErrorCode::kInvalid,
                 "listening on " + where +
                     " would let everybody in: give a file with a token "
                     "(--token-file), or listen on 127.0.0.1"};
  }
  UniqueFd socket(::socket(address.storage.ss_family,
                           SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket.valid()) {
    return Error{ErrorCode::kUnsupported,
                 "cannot listen on " + where + ": " + ErrnoText()};
  }
  if (const auto listening = ListenOn(socket.get(), address, kBacklog, where);
      !listening) {
    return listening.error();
  }
  const auto module = LoadModule("http");
  if (!module) {
    return module.error();
  }
  const auto symbol = module->Symbol(kServerFactory);
  if (!symbol) {
    return symbol.error();
  }
  const auto make = reinterpret_cast<ServerFactory>(*symbol);
  std::unique_ptr<Server> server(
      make(settings, std::move(router), socket.get()));
  if (server == nullptr) {
    return Error{ErrorCode::kUnsupported,
                 "the HTTP server could not start its threads: free memory, or "
                 "raise the limits on processes and open files"};
  }
  (void)socket.release();
  return server;
}

std::string ServerUrl(const std::string& host, int port) {
  return "http://" + FormatHostPort(host, port);
}

}  // namespace edgewise::http
