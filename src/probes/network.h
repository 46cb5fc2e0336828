// Network traffic as a process sees it (/proc/PID/net/dev).
//
// The kernel counts per network namespace, not per process: on a machine
// without containers these are the totals of the whole machine. Callers say so
// wherever they show them.
#ifndef EDGEWISE_PROBES_NETWORK_H_
#define EDGEWISE_PROBES_NETWORK_H_

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "probes/kept_file.h"

namespace edgewise {

// Bytes since the interfaces came up.
struct NetworkTotals {
  int64_t receive_bytes = 0;   // all interfaces but the loopback
  int64_t transmit_bytes = 0;  // all interfaces but the loopback
  int64_t loopback_bytes = 0;  // sent through lo (and so received as well)
  int interfaces = 0;          // not counting lo
};
std::optional<NetworkTotals> ParseNetDev(std::string_view text);

// Keeps reading the namespace that the process was in when it was opened, also
// after the process has ended. Not thread-safe.
class NetworkProbe {
 public:
  explicit NetworkProbe(pid_t pid,
                        const std::filesystem::path& proc_root = "/proc");
  std::optional<NetworkTotals> Read();

 private:
  KeptFile file_;
  std::string buffer_;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_NETWORK_H_
