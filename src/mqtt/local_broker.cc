#include "mqtt/local_broker.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "base/unique_fd.h"

namespace edgewise::mqtt {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kListenNs = 10 * kNsPerSecond;
constexpr int64_t kGraceNs = 2 * kNsPerSecond;

sockaddr_in Loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  return address;
}

int FreePort() {
  const UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = Loopback(0);
  socklen_t bytes = sizeof address;
  if (!fd.valid() ||
      ::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), bytes) != 0 ||
      ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &bytes) !=
          0) {
    return 0;
  }
  return ntohs(address.sin_port);
}

bool Listens(int port) {
  const UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_in address = Loopback(port);
  return fd.valid() &&
         ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address),
                   sizeof address) == 0;
}

// mosquitto is a service: not in everybody's PATH.
std::string FindMosquitto() {
  for (const char* path : {"/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto",
                           "/usr/bin/mosquitto", "/usr/local/bin/mosquitto"}) {
    if (::access(path, X_OK) == 0) {
      return path;
    }
  }
  return "";
}

std::string Configuration(const fs::path& folder, int port) {
  return "listener " + std::to_string(port) +
         " 127.0.0.1\n"
         "allow_anonymous true\n"
         "set_tcp_nodelay true\n"
         "max_inflight_messages 1000\n"
         "max_queued_messages 100000\n"
         "persistence true\n"
         "persistence_location " +
         folder.string() +
         "/\n"
         "autosave_interval 1\n"
         "log_dest none\n" +
         // As root it would become another user, who may not write here.
         (::geteuid() == 0 ? "user root\n" : "");
}

}  // namespace

Result<LocalBroker> LocalBroker::Start(const fs::path& folder) {
  const std::string program = FindMosquitto();
  if (program.empty()) {
    return Error{ErrorCode::kUnsupported,
                 "--broker auto needs mosquitto, which is not installed: "
                 "apt install mosquitto, or name a broker with --broker"};
  }
  std::error_code error;
  fs::create_directories(folder, error);
  const int port = FreePort();
  const fs::path file = folder / "mosquitto.conf";
  if (const auto written = WriteFile(file, Configuration(folder, port));
      !written) {
    return written.error();
  }
  auto child = ChildProgram::Start({program, "-c", file.string()}, {});
  if (!child) {
    return child.error();
  }
  LocalBroker broker(folder, port, std::move(*child));
  const int64_t until_ns = MonotonicNs() + kListenNs;
  while (!Listens(port)) {
    const auto ended = broker.child_->Ended();
    if (ended || MonotonicNs() >= until_ns) {
      return Error{ErrorCode::kUnsupported,
                   "mosquitto does not start (" +
                       (ended ? EndText(*ended) : "it does not listen") +
                       "): try `mosquitto -v`, or name a broker with --broker"};
    }
    (void)::poll(nullptr, 0, 5);
  }
  return broker;
}

LocalBroker::LocalBroker(LocalBroker&& other) noexcept
    : folder_(std::move(other.folder_)), port_(other.port_) {
  if (other.child_) {
    child_.emplace(std::move(*other.child_));
    other.child_.reset();
  }
}

LocalBroker::~LocalBroker() {
  if (child_) {
    (void)child_->Stop(kGraceNs);
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
}

fs::path ScratchFolder() {
  const char* const socket = std::getenv("EDGEWISE_SOCKET");
  std::error_code ignored;
  const fs::path base = socket != nullptr && *socket != '\0'
                            ? fs::path(socket).parent_path()
                            : fs::temp_directory_path(ignored);
  return base / ("mqtt-" + std::to_string(::getpid()));
}

}  // namespace edgewise::mqtt
