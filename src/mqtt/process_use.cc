#include "mqtt/process_use.h"

#include <unistd.h>

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "base/text.h"
#include "probes/process_text.h"

namespace edgewise::mqtt {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kListening = "0A";

// Inodes of sockets that listen on the port, of /proc/net/tcp or tcp6.
void AddListeners(const fs::path& table, int port, std::set<std::string>* to) {
  const auto text = TryReadFile(table);
  if (!text) {
    return;
  }
  for (const std::string_view line : Split(*text, '\n')) {
    const auto fields = SplitFields(line);
    // sl local_address rem_address st … uid timeout inode
    if (fields.size() < 10 || fields[3] != kListening) {
      continue;
    }
    const size_t colon = fields[1].rfind(':');
    if (colon == std::string_view::npos) {
      continue;
    }
    const std::string digits(fields[1].substr(colon + 1));
    if (std::strtol(digits.c_str(), nullptr, 16) == port) {
      to->insert("socket:[" + std::string(fields[9]) + "]");
    }
  }
}

bool HasAny(const fs::path& descriptors, const std::set<std::string>& sockets) {
  std::error_code error;
  for (fs::directory_iterator each(descriptors, error), end;
       !error && each != end; each.increment(error)) {
    std::error_code unreadable;
    const fs::path target = fs::read_symlink(each->path(), unreadable);
    if (sockets.contains(target.string())) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::optional<ProcessUse> UseOf(pid_t pid) {
  const auto text = TryReadFile("/proc/" + std::to_string(pid) + "/stat");
  const auto stat = text ? ParseProcStat(*text) : std::nullopt;
  if (!stat || stat->dead()) {
    return std::nullopt;
  }
  static const int64_t us_per_tick = 1'000'000 / ::sysconf(_SC_CLK_TCK);
  static const int64_t page_bytes = ::sysconf(_SC_PAGESIZE);
  return ProcessUse{(stat->user_ticks + stat->system_ticks) * us_per_tick,
                    stat->rss_pages * page_bytes};
}

std::optional<pid_t> ListenerOn(int port) {
  std::set<std::string> sockets;
  AddListeners("/proc/net/tcp", port, &sockets);
  AddListeners("/proc/net/tcp6", port, &sockets);
  if (sockets.empty()) {
    return std::nullopt;
  }
  std::error_code error;
  for (fs::directory_iterator each("/proc", error), end; !error && each != end;
       each.increment(error)) {
    const auto pid = ParseInt(each->path().filename().string());
    if (pid && HasAny(each->path() / "fd", sockets)) {
      return static_cast<pid_t>(*pid);
    }
  }
  return std::nullopt;
}

}  // namespace edgewise::mqtt
