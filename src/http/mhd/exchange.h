// Exchange: one request on its way through the server, and its answer.
#ifndef EDGEWISE_HTTP_MHD_EXCHANGE_H_
#define EDGEWISE_HTTP_MHD_EXCHANGE_H_

#include <microhttpd.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/request.h"
#include "http/response.h"
#include "http/router.h"

namespace edgewise::http {

// Belongs to one connection; used by one thread at a time.
class Exchange {
 public:
  // Reads the request's head and finds its route. Where that cannot be, or is
  // not permitted, `refusal` is set.
  Exchange(MHD_Connection* connection, const char* url, const char* method,
           const Router& router, const std::vector<std::string>& tokens);

  // Whether the refusal should go out before the body has come: because the
  // client waits for a word, or the body is far too large to be let in.
  bool RefuseAtOnce() const;
  // Takes a piece of the body. False: far too much, the connection has to end.
  bool Receive(const char* bytes, size_t size);
  // What the handler says, or the refusal. Never throws.
  void Answer();

  const RouteMatch& match() const { return match_; }
  bool is_slow() const {
    return !refusal && match_.route != nullptr && match_.route->slow;
  }

  std::optional<Response> refusal;
  std::optional<Response> response;
  std::shared_ptr<Stream> stream;  // the answer's, while it is sent
  int64_t begin_ns = 0;

 private:
  void ReadHead(const char* url, const char* method);
  void CheckLength();
  size_t BodyLimit() const;

  MHD_Connection* connection_;
  Request request_;
  RouteMatch match_;
  uint64_t announced_bytes_ = 0;
  uint64_t received_bytes_ = 0;
};

// The answer as the library wants it. `body` and stream are moved from.
MHD_Response* MakeMhdResponse(Exchange& exchange, MHD_Connection* connection);

}  // namespace edgewise::http

#endif  // EDGEWISE_HTTP_MHD_EXCHANGE_H_
