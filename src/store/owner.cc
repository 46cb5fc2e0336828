#include "store/owner.h"

#include <unistd.h>

#include <optional>
#include <system_error>

#include "base/clock.h"
#include "base/text.h"

namespace edgewise {
namespace {

// Writers flush about once a second; ten minutes without is no stall.
constexpr int64_t kForeignSilenceNs = 600 * kNsPerSecond;

// When a process started; nullopt if there is none, or only its zombie.
std::optional<int64_t> StartTicks(const std::filesystem::path& proc_root,
                                  const std::string& pid) {
  const auto stat = TryReadFile(proc_root / pid / "stat");
  if (!stat) {
    return std::nullopt;
  }
  // The name, field 2, may hold blanks and brackets: count from its end.
  const size_t name_end = stat->rfind(')');
  if (name_end == std::string::npos) {
    return std::nullopt;
  }
  const auto fields = SplitFields(std::string_view(*stat).substr(name_end + 1));
  constexpr size_t kState = 3 - 3;
  constexpr size_t kStartTime = 22 - 3;
  if (fields.size() <= kStartTime || fields[kState] == "Z" ||
      fields[kState] == "X") {
    return std::nullopt;
  }
  return ParseInt(fields[kStartTime]);
}

}  // namespace

Owner ThisProcess(const std::filesystem::path& proc_root) {
  Owner owner;
  owner.pid = getpid();
  owner.start_ticks =
      StartTicks(proc_root, std::to_string(owner.pid)).value_or(0);
  if (const auto boot = TryReadFile(proc_root / "sys/kernel/random/boot_id")) {
    owner.boot_id = Trim(*boot);
  }
  std::error_code ignored;
  owner.pid_namespace =
      std::filesystem::read_symlink(proc_root / "self/ns/pid", ignored)
          .string();
  return owner;
}

bool IsAlive(const Owner& owner, const Owner& self, int64_t silent_ns,
             const std::filesystem::path& proc_root) {
  if (!owner.boot_id.empty() && !self.boot_id.empty() &&
      owner.boot_id != self.boot_id) {
    return false;
  }
  if (owner.pid_namespace != self.pid_namespace) {
    return silent_ns < kForeignSilenceNs;
  }
  const auto start = StartTicks(proc_root, std::to_string(owner.pid));
  if (!start) {
    return false;
  }
  return owner.start_ticks == 0 || *start == owner.start_ticks;
}

}  // namespace edgewise
