#include "sessions/readiness_probe.h"

#include <sys/stat.h>

#include <charconv>

#include "base/text.h"
#include "base/units.h"

namespace edgewise {
namespace {

constexpr std::string_view kListening = "0A";

}  // namespace

bool ListensOn(std::string_view proc_net_tcp, int port) {
  for (const std::string_view line : Split(proc_net_tcp, '\n')) {
    // "0: 0100007F:216A 00000000:0000 0A …"
    const auto fields = SplitFields(line);
    if (fields.size() < 4 || fields[3] != kListening) {
      continue;
    }
    const std::string_view local = fields[1];
    const size_t colon = local.rfind(':');
    int number = 0;
    if (colon != std::string_view::npos &&
        std::from_chars(local.data() + colon + 1, local.data() + local.size(),
                        number, 16)
                .ec == std::errc() &&
        number == port) {
      return true;
    }
  }
  return false;
}

std::optional<int64_t> ReadinessProbe::ReadyNs(pid_t pid, int64_t start_ns,
                                               int64_t now_ns) const {
  if (!readiness_.log.empty()) {
    return log_.seen_ns();
  }
  if (readiness_.after_ns) {
    const int64_t at_ns = start_ns + *readiness_.after_ns;
    return now_ns >= at_ns ? std::optional(at_ns) : std::nullopt;
  }
  const std::filesystem::path process = proc_root_ / std::to_string(pid);
  bool ready = false;
  if (readiness_.port) {
    for (const char* table : {"tcp", "tcp6"}) {
      const auto text = TryReadFile(process / "net" / table);
      ready = ready || (text && ListensOn(*text, *readiness_.port));
    }
  } else {
    const std::filesystem::path file = readiness_.file;
    struct stat status {};
    ready = ::stat((file.is_absolute() ? process / "root" / file.relative_path()
                                       : process / "cwd" / file)
                       .c_str(),
                   &status) == 0;
  }
  return ready ? std::optional(now_ns) : std::nullopt;
}

std::string ReadinessProbe::TooLateText() const {
  return "was not ready (" + readiness_.Text() + ") within " +
         FormatDuration(static_cast<double>(readiness_.within_ns));
}

}  // namespace edgewise
