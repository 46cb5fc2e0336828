// Client: asks other servers over HTTP and HTTPS.
//
// Its one implementation is libcurl in a module of its own
// (libedgewise-fetch.so), so that edgewise itself links neither curl nor a TLS
// library.
//
// The room `fetch` knows how to ask and what can go wrong on the way. It must
// not know what is asked for.
#ifndef EDGEWISE_FETCH_CLIENT_H_
#define EDGEWISE_FETCH_CLIENT_H_

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace edgewise::fetch {

using Fields = std::vector<std::pair<std::string, std::string>>;

// Signature version 4 of Amazon's services and those that speak like them.
struct SigningKey {
  std::string id;
  std::string secret;
  std::string session_token;  // empty: none
  std::string region = "us-east-1";
  std::string service = "s3";
};

// Who asks. At most one of user, token and key.
struct Credentials {
  std::string user;  // basic; empty: none
  std::string password;
  std::string bearer_token;  // empty: none
  std::optional<SigningKey> key;
};

struct Response {
  int status = 0;
  Fields headers;  // of the last answer, names in lower case
  std::string body;
  int64_t body_bytes = 0;  // that came over the wire in this answer

  std::optional<std::string_view> Header(std::string_view lower_name) const;
};

struct Request {
  std::string method = "GET";
  std::string url;  // http:// or https://
  Fields headers;
  std::string body;
  Credentials credentials;
  std::string ca_file;  // whom to trust; empty: the system's list
  // Never sent on to another host where a redirection leads; at most 5.
  bool follow_redirects = false;
  std::chrono::milliseconds connect_limit{5'000};
  std::chrono::milliseconds limit{30'000};  // for the whole; 0: none
  // Slower than this for 30 s counts as dead; 0: never.
  int64_t least_bytes_per_s = 0;
  int64_t max_body_bytes = int64_t{16} << 20;
  // Where the body goes instead of Response::body; only that of a 200 or 206.
  std::filesystem::path into_file;
  // Of `into_file`: asks for what follows and adds it. A server that cannot
  // begins anew, and so does the file. It is at this offset that it is cut.
  int64_t resume_from = 0;
  // Asked once a second at least, and always before the first byte of a body
  // goes anywhere, with what came so far: whether to go on.
  std::function<bool(const Response& so_far)> go_on;
};

// Keeps connections between requests. Not thread-safe.
class Client {
 public:
  virtual ~Client() = default;
  // Any status is an answer. kInvalid: the URL or the CA file is none;
  // kPermission: the server's certificate is not trusted; kBusy: it took too
  // long, or go_on ended it; kCorrupt: more than max_body_bytes, or another
  // part than the one asked for; kIo: nobody answers, or the
  // connection broke: what `into_file` has is good up to its size.
  virtual Result<Response> Send(const Request& request) = 0;
};

// Loads the module on first use.
Result<std::unique_ptr<Client>> MakeClient();

// The name under which the module exports its factory, and its type; the name
// changes with the interface above.
inline constexpr char kClientFactory[] = "edgewise_fetch_client_2";
using ClientFactory = Client* (*)();

}  // namespace edgewise::fetch

#endif  // EDGEWISE_FETCH_CLIENT_H_
