// Server: answers HTTP/1.1 by a Router, until it is stopped.
//
// Its one implementation is libmicrohttpd in a module of its own
// (libedgewise-http.so), so that programs that serve nothing load neither it
// nor its TLS library. A few threads share all connections; none is held by a
// client that is idle, slow or gone.
#ifndef EDGEWISE_HTTP_SERVER_H_
#define EDGEWISE_HTTP_SERVER_H_

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "http/router.h"
#include "http/traffic.h"

namespace edgewise::http {

struct ServerSettings {
  std::string host = "127.0.0.1";
  int port = 0;  // 0: a free one
  // Any of them permits; with none, routes with Access::kToken are open, and
  // the server refuses to listen off loopback if there are such.
  std::vector<std::string> tokens;
  int threads = 2;
  int slow_threads = 2;          // for routes that are slow
  size_t slow_queue_limit = 64;  // requests waiting for them; beyond it 503
  int connection_limit = 512;    // idle ones make room for new ones
  int stream_limit = 32;         // beyond it 503
  // Of bodies of all requests at once; beyond it 503.
  size_t body_budget_bytes = size_t{256} << 20;
  size_t header_limit_bytes = size_t{16} << 10;
  // For a whole request, from the first byte or the end of the one before; a
  // body gets more time at 16 KiB/s. Also for a response to be taken.
  std::chrono::milliseconds request_limit{30'000};
  std::chrono::milliseconds stop_limit{5'000};
};

class Server {
 public:
  // As Stop().
  virtual ~Server() = default;

  virtual int port() const = 0;
  virtual const Traffic& traffic() const = 0;
  // Refuses new requests, ends streams, waits for requests that are being
  // answered (at most stop_limit), and returns when no handler runs any more.
  // Not to be called from a handler.
  virtual void Stop() = 0;
};

// Loads the module, listens and answers from then on, from threads of its own.
// kInvalid: an address that is none, or one off loopback without a token where
// the router needs one; kBusy: the port is taken.
Result<std::unique_ptr<Server>> StartServer(const ServerSettings& settings,
                                            Router router);

// "http://127.0.0.1:7001", with names and IPv6 as a browser wants them.
std::string ServerUrl(const std::string& host, int port);

// The name under which the module exports its factory, and its type; the name
// changes with the interface above. `listening` is a socket that listens, and
// the server's from then on; null if it cannot start.
inline constexpr char kServerFactory[] = "edgewise_http_server_3";
using ServerFactory = Server* (*)(const ServerSettings&, Router&&,
                                  int listening);

}  // namespace edgewise::http

#endif  // EDGEWISE_HTTP_SERVER_H_
