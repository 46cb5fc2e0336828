#include "raw_client.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "base/tcp.h"
#include "base/text.h"

namespace edgewise::http {

RawClient::RawClient(int port) {
  const auto found = FindAddresses("127.0.0.1", port, false);
  EXPECT_TRUE(found.ok());
  socket_.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const timeval patience{60, 0};  // a hang must fail
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience,
               sizeof patience);
  EXPECT_EQ(::connect(socket_.get(), found->front().get(), found->front().size),
            0);
}

bool RawClient::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent =
        ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

std::string RawClient::ReadSome() {
  char bytes[4096];
  const ssize_t got = ::recv(socket_.get(), bytes, sizeof bytes, 0);
  return got > 0 ? std::string(bytes, static_cast<size_t>(got)) : "";
}

std::string RawClient::ReadAll() {
  std::string all = std::move(kept_);
  kept_.clear();
  for (std::string some = ReadSome(); !some.empty(); some = ReadSome()) {
    all += some;
  }
  return all;
}

std::string RawClient::ReadUntil(std::string_view text) {
  while (kept_.find(text) == std::string::npos) {
    const std::string some = ReadSome();
    if (some.empty()) {
      return std::move(kept_);
    }
    kept_ += some;
  }
  const size_t end = kept_.find(text) + text.size();
  std::string wanted = kept_.substr(0, end);
  kept_.erase(0, end);
  return wanted;
}

std::string Ask(int port, std::string_view method, std::string_view path,
                std::string_view headers, std::string_view body) {
  RawClient client(port);
  std::string request;
  request.append(method).append(" ").append(path);
  request += " HTTP/1.1\r\nHost: test\r\nConnection: close\r\n";
  request.append(headers);
  if (!body.empty()) {
    request += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  }
  request += "\r\n";
  request.append(body);
  (void)client.Send(request);
  return client.ReadAll();
}

int StatusOf(std::string_view answer) {
  const auto fields = SplitFields(answer.substr(0, answer.find('\n')));
  return fields.size() < 2 ? 0
                           : static_cast<int>(ParseInt(fields[1]).value_or(0));
}

std::string BodyOf(std::string_view answer) {
  const size_t end = answer.find("\r\n\r\n");
  return end == std::string_view::npos ? ""
                                       : std::string(answer.substr(end + 4));
}

std::unique_ptr<Server> StartForTest(ServerSettings settings, Router router) {
  auto server = StartServer(settings, std::move(router));
  EXPECT_TRUE(server.ok()) << (server ? "" : server.error().message);
  return server ? std::move(*server) : nullptr;
}

}  // namespace edgewise::http
