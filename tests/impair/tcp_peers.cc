#include "tcp_peers.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <vector>

namespace edgewise {
namespace {

constexpr time_t kPatienceS = 60;

void BePatient(int socket) {
  const timeval limit{kPatienceS, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  const int yes = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

UniqueFd Listening(int* port) {
  UniqueFd listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in own{};
  own.sin_family = AF_INET;
  own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof own;
  (void)::bind(listener.get(), reinterpret_cast<sockaddr*>(&own), size);
  ::listen(listener.get(), 1024);
  ::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&own), &size);
  *port = ntohs(own.sin_port);
  const timeval limit{kPatienceS, 0};
  ::setsockopt(listener.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  return listener;
}

}  // namespace

Peer Peer::ConnectTo(int port) {
  Peer peer(UniqueFd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)));
  if (!peer.Connect(port)) {
    peer.Close();
  }
  return peer;
}

bool Peer::Connect(int port) {
  BePatient(fd());
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<uint16_t>(port));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return ::connect(fd(), reinterpret_cast<sockaddr*>(&to), sizeof to) == 0;
}

bool Peer::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::send(fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (put <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<size_t>(put));
  }
  return true;
}

std::optional<std::string> Peer::Receive(size_t bytes) {
  std::string all;
  std::vector<char> buffer(std::min<size_t>(bytes, 1 << 16));
  while (all.size() < bytes) {
    const ssize_t got = ::recv(fd(), buffer.data(),
                               std::min(buffer.size(), bytes - all.size()), 0);
    if (got < 0) {
      return std::nullopt;
    }
    if (got == 0) {
      break;
    }
    all.append(buffer.data(), static_cast<size_t>(got));
  }
  return all;
}

std::optional<std::string> Peer::ReceiveAll() { return Receive(SIZE_MAX); }

void Peer::EndSending() { ::shutdown(fd(), SHUT_WR); }

void Peer::Abort() {
  const linger at_once{1, 0};
  ::setsockopt(fd(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  socket_.reset();
}

Server::Server() { listener_ = Listening(&port_); }

Peer Server::Accept() {
  UniqueFd socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  BePatient(socket.get());
  return Peer(std::move(socket));
}

EchoServer::EchoServer() : stop_(::eventfd(0, EFD_CLOEXEC)) {
  listener_ = Listening(&port_);
  thread_ = std::thread([this] { Run(); });
}

EchoServer::~EchoServer() {
  const uint64_t one = 1;
  (void)!::write(stop_.get(), &one, sizeof one);
  thread_.join();
}

void EchoServer::Run() {
  std::vector<Peer> peers;
  std::vector<char> buffer(1 << 16);
  while (true) {
    std::vector<pollfd> waiting{{stop_.get(), POLLIN, 0},
                                {listener_.get(), POLLIN, 0}};
    for (const Peer& peer : peers) {
      waiting.push_back({peer.fd(), POLLIN, 0});
    }
    if (::poll(waiting.data(), waiting.size(), -1) < 0) {
      continue;
    }
    if (waiting[0].revents != 0) {
      return;
    }
    for (size_t i = peers.size(); i > 0; --i) {
      if (waiting[i + 1].revents == 0) {
        continue;
      }
      Peer& peer = peers[i - 1];
      const ssize_t got = ::recv(peer.fd(), buffer.data(), buffer.size(), 0);
      if (got <= 0 || !peer.Send({buffer.data(), static_cast<size_t>(got)})) {
        peers.erase(peers.begin() + static_cast<ptrdiff_t>(i - 1));
      }
    }
    if (waiting[1].revents != 0) {
      UniqueFd socket(
          ::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      BePatient(socket.get());
      peers.emplace_back(std::move(socket));
    }
  }
}

}  // namespace edgewise
