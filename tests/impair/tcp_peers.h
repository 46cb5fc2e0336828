// Plain TCP peers for tests of what lies between them. All of it blocks, with a
// patience far beyond what anything takes: a hang must fail.
#ifndef EDGEWISE_TESTS_IMPAIR_TCP_PEERS_H_
#define EDGEWISE_TESTS_IMPAIR_TCP_PEERS_H_

#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "base/unique_fd.h"

namespace edgewise {

// A connection's end.
class Peer {
 public:
  Peer() = default;
  explicit Peer(UniqueFd socket) : socket_(std::move(socket)) {}
  // Connects to a loopback port; an invalid one if that is refused.
  static Peer ConnectTo(int port);
  // The same with a socket that is there already.
  bool Connect(int port);

  bool valid() const { return socket_.valid(); }
  int fd() const { return socket_.get(); }
  // False if the connection is broken.
  bool Send(std::string_view bytes);
  // Exactly so many bytes; fewer if the other end has ended. nullopt if it was
  // reset.
  std::optional<std::string> Receive(size_t bytes);
  // All until the end of file; nullopt if it was reset.
  std::optional<std::string> ReceiveAll();
  // No more is sent, but more may be received.
  void EndSending();
  void Close() { socket_.reset(); }
  // The other end sees a reset.
  void Abort();

 private:
  UniqueFd socket_;
};

// A loopback port on which tests accept by hand.
class Server {
 public:
  Server();
  int port() const { return port_; }
  Peer Accept();
  void Close() { listener_.reset(); }

 private:
  UniqueFd listener_;
  int port_ = 0;
};

// Sends back whatever it gets, over any number of connections, until it is
// gone.
class EchoServer {
 public:
  EchoServer();
  ~EchoServer();
  int port() const { return port_; }

 private:
  void Run();
  UniqueFd listener_;
  UniqueFd stop_;
  int port_ = 0;
  std::thread thread_;
};

}  // namespace edgewise

#endif  // EDGEWISE_TESTS_IMPAIR_TCP_PEERS_H_
