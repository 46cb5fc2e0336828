// ReadinessProbe: whether a program is ready, looked at from outside.
#ifndef EDGEWISE_SESSIONS_READINESS_PROBE_H_
#define EDGEWISE_SESSIONS_READINESS_PROBE_H_

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "appfile/app_file.h"
#include "sessions/log_watch.h"

namespace edgewise {

// Whether the text of /proc/PID/net/tcp or tcp6 has a socket that listens on
// the port.
bool ListensOn(std::string_view proc_net_tcp, int port);

class ReadinessProbe {
 public:
  // `log` sees the program's output and must outlive the probe. The proc root
  // is an argument for tests.
  ReadinessProbe(Readiness readiness, const LogWatch& log,
                 std::filesystem::path proc_root = "/proc")
      : readiness_(std::move(readiness)),
        log_(log),
        proc_root_(std::move(proc_root)) {}

  // When the program, which started at `start_ns`, got ready; nullopt: not yet.
  // Ports and files are those that the process `pid` sees, whatever namespaces
  // it is in; nothing is connected to.
  std::optional<int64_t> ReadyNs(pid_t pid, int64_t start_ns,
                                 int64_t now_ns) const;
  // Not ready by now, and given up.
  bool TooLate(int64_t start_ns, int64_t now_ns) const {
    return now_ns - start_ns > readiness_.within_ns;
  }
  // "was not ready (port 8554) within 60 s": for a sentence about it.
  std::string TooLateText() const;

 private:
  Readiness readiness_;
  const LogWatch& log_;
  std::filesystem::path proc_root_;
};

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_READINESS_PROBE_H_
