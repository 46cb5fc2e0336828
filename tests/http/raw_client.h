// A client that can misbehave: it writes bytes and reads what comes.
#ifndef EDGEWISE_TESTS_HTTP_RAW_CLIENT_H_
#define EDGEWISE_TESTS_HTTP_RAW_CLIENT_H_

#include <memory>
#include <string>
#include <string_view>

#include "base/unique_fd.h"
#include "http/server.h"

namespace edgewise::http {

// One connection to a server on loopback.
class RawClient {
 public:
  explicit RawClient(int port);

  // False once the server has closed.
  bool Send(std::string_view bytes);
  // All until the server closes.
  std::string ReadAll();
  // Until `text` has come, or the server closes.
  std::string ReadUntil(std::string_view text);
  void Close() { socket_.reset(); }

 private:
  std::string ReadSome();

  UniqueFd socket_;
  std::string kept_;
};

// Sends one request and reads the whole answer ("Connection: close").
std::string Ask(int port, std::string_view method, std::string_view path,
                std::string_view headers = "", std::string_view body = "");
// The number in the first line of an answer; 0 if there is none.
int StatusOf(std::string_view answer);
std::string BodyOf(std::string_view answer);

// Fails the test if it cannot start.
std::unique_ptr<Server> StartForTest(ServerSettings settings, Router router);

}  // namespace edgewise::http

#endif  // EDGEWISE_TESTS_HTTP_RAW_CLIENT_H_
