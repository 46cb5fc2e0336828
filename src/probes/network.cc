#include "probes/network.h"

#include "base/text.h"

namespace edgewise {
namespace {

// Columns after "NAME:" in net/dev.
constexpr size_t kReceiveBytes = 0;
constexpr size_t kTransmitBytes = 8;

// Adds without overflow; a nonsense counter saturates.
void AddCount(int64_t add, int64_t* sum) {
  if (__builtin_add_overflow(*sum, add, sum)) {
    *sum = INT64_MAX;
  }
}

}  // namespace

std::optional<NetworkTotals> ParseNetDev(std::string_view text) {
  NetworkTotals totals;
  bool any = false;
  for (const std::string_view line : Split(text, '\n')) {
    // Header lines have '|' where interfaces have "NAME:"; a name may itself
    // hold a colon (alias), so the last one before the figures counts.
    const size_t colon = line.rfind(':');
    if (colon == std::string_view::npos) {
      continue;
    }
    const std::string_view name = Trim(line.substr(0, colon));
    const auto fields = SplitFields(line.substr(colon + 1));
    if (fields.size() <= kTransmitBytes) {
      return std::nullopt;
    }
    const auto received = ParseInt(fields[kReceiveBytes]);
    const auto sent = ParseInt(fields[kTransmitBytes]);
    if (!received || !sent || *received < 0 || *sent < 0) {
      return std::nullopt;
    }
    any = true;
    if (name == "lo") {
      AddCount(*sent, &totals.loopback_bytes);
    } else {
      AddCount(*received, &totals.receive_bytes);
      AddCount(*sent, &totals.transmit_bytes);
      ++totals.interfaces;
    }
  }
  return any ? std::optional(totals) : std::nullopt;
}

NetworkProbe::NetworkProbe(pid_t pid, const std::filesystem::path& proc_root)
    : file_(proc_root / std::to_string(pid) / "net/dev") {}

std::optional<NetworkTotals> NetworkProbe::Read() {
  const auto text = file_.Read(&buffer_);
  return text ? ParseNetDev(*text) : std::nullopt;
}

}  // namespace edgewise
