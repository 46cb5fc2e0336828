// What the proxy costs when nothing is asked of it: round trips of 1 KiB to an
// echo server in another process, directly and through the proxy in turns.
//
// Prints one line per figure: name, value, unit, bar, pass|fail|-.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "impair/proxy.h"
#include "stats/quantile.h"

namespace edgewise {
namespace {

constexpr size_t kMessageBytes = 1024;
constexpr int kRounds = 100;
constexpr int kTripsPerRound = 50;
constexpr double kBarUs = 100;
constexpr int64_t kBulkBytes = 256 << 20;

void NoDelay(int socket) {
  const int yes = 1;
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

sockaddr_in Loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

UniqueFd Connect(int port) {
  UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_in to = Loopback(port);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&to),
                sizeof to) != 0) {
    socket.reset();
  }
  NoDelay(socket.get());
  return socket;
}

// A process that sends back what it gets, one process per connection.
[[noreturn]] void Echo(int listener) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::signal(SIGCHLD, SIG_IGN);
  while (true) {
    const int client = ::accept(listener, nullptr, nullptr);
    if (client < 0 || ::fork() != 0) {
      ::close(client);
      continue;
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    NoDelay(client);
    static std::array<char, 1 << 16> buffer;
    while (true) {
      const ssize_t got = ::recv(client, buffer.data(), buffer.size(), 0);
      if (got <= 0) {
        ::_exit(0);
      }
      for (ssize_t put = 0; put < got;) {
        const ssize_t more =
            ::send(client, buffer.data() + put, static_cast<size_t>(got - put),
                   MSG_NOSIGNAL);
        if (more <= 0) {
          ::_exit(0);
        }
        put += more;
      }
    }
  }
}

// Microseconds of one message there and back; negative if it failed.
double RoundTripUs(int socket) {
  static std::array<char, kMessageBytes> message{};
  const int64_t start_ns = MonotonicNs();
  if (::send(socket, message.data(), message.size(), MSG_NOSIGNAL) !=
          static_cast<ssize_t>(message.size()) ||
      ::recv(socket, message.data(), message.size(), MSG_WAITALL) !=
          static_cast<ssize_t>(message.size())) {
    return -1;
  }
  return static_cast<double>(MonotonicNs() - start_ns) / 1e3;
}

// Bytes a second that come back while others are sent.
double EchoedPerSecond(int socket) {
  const pid_t sender = ::fork();
  if (sender == 0) {
    static std::array<char, 1 << 16> buffer{};
    for (int64_t sent = 0; sent < kBulkBytes;) {
      const ssize_t put =
          ::send(socket, buffer.data(), buffer.size(), MSG_NOSIGNAL);
      if (put <= 0) {
        break;
      }
      sent += put;
    }
    ::_exit(0);
  }
  static std::array<char, 1 << 16> buffer;
  const int64_t start_ns = MonotonicNs();
  int64_t received = 0;
  while (received < kBulkBytes) {
    const ssize_t got = ::recv(socket, buffer.data(), buffer.size(), 0);
    if (got <= 0) {
      break;
    }
    received += got;
  }
  const auto took_ns = static_cast<double>(MonotonicNs() - start_ns);
  ::waitpid(sender, nullptr, 0);
  return static_cast<double>(received) * 1e9 / took_ns;
}

void Print(const char* name, double value, const char* unit, const char* bar,
           const char* verdict) {
  std::printf("%s\t%.4g\t%s\t%s\t%s\n", name, value, unit, bar, verdict);
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return stats::EstimateQuantile(values, 0.5).value;
}

int Main() {
  const UniqueFd listener(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in own = Loopback(0);
  socklen_t size = sizeof own;
  (void)::bind(listener.get(), reinterpret_cast<const sockaddr*>(&own), size);
  ::listen(listener.get(), 16);
  ::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&own), &size);
  const int port = ntohs(own.sin_port);
  const pid_t server = ::fork();
  if (server == 0) {
    Echo(listener.get());
  }
  ProxySettings settings;
  settings.upstream_host = "127.0.0.1";
  settings.upstream_port = port;
  auto proxy = Proxy::Start(settings);
  if (!proxy) {
    std::fprintf(stderr, "%s\n", proxy.error().message.c_str());
    return 1;
  }
  const UniqueFd direct = Connect(port);
  const UniqueFd proxied = Connect(proxy->port());
  std::vector<double> direct_us;
  std::vector<double> proxied_us;
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < kTripsPerRound; ++i) {
      direct_us.push_back(RoundTripUs(direct.get()));
    }
    for (int i = 0; i < kTripsPerRound; ++i) {
      proxied_us.push_back(RoundTripUs(proxied.get()));
    }
  }
  const bool failed =
      std::min(*std::min_element(direct_us.begin(), direct_us.end()),
               *std::min_element(proxied_us.begin(), proxied_us.end())) < 0;
  const double added_us = Median(proxied_us) - Median(direct_us);
  Print("proxy: round trip of 1 KiB, direct, p50", Median(direct_us), "us", "-",
        "-");
  Print("proxy: added to it with nothing asked, p50", added_us, "us", "<= 100",
        !failed && added_us <= kBarUs ? "pass" : "fail");
  const double direct_rate = EchoedPerSecond(direct.get());
  const double proxied_rate = EchoedPerSecond(proxied.get());
  Print("proxy: echoed through it", proxied_rate / 1e6, "MB/s", "-", "-");
  Print("proxy: of what is echoed directly", proxied_rate / direct_rate, "x",
        "-", "-");
  ::kill(server, SIGKILL);
  ::waitpid(server, nullptr, 0);
  return 0;
}

}  // namespace
}  // namespace edgewise

int main() { return edgewise::Main(); }
