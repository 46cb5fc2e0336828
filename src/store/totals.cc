#include "store/totals.h"

namespace edgewise {
namespace {

template <auto kMember>
std::optional<double> Read(const Totals& totals) {
  const auto& value = totals.*kMember;
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

constexpr TotalFigure kFigures[] = {
    {"wall_s", "s", true, Read<&Totals::wall_s>},
    {"cpu_s", "s", true, CpuSeconds},
    {"cpu_user_s", "s", false, Read<&Totals::cpu_user_s>},
    {"cpu_system_s", "s", false, Read<&Totals::cpu_system_s>},
    {"max_rss_bytes", "bytes", true, Read<&Totals::max_rss_bytes>},
    {"tree_peak_bytes", "bytes", true, Read<&Totals::tree_peak_bytes>},
    {"max_pss_bytes", "bytes", false, Read<&Totals::max_pss_bytes>},
    {"minor_faults", "", false, Read<&Totals::minor_faults>},
    {"major_faults", "", false, Read<&Totals::major_faults>},
    {"voluntary_switches", "", false, Read<&Totals::voluntary_switches>},
    {"involuntary_switches", "", false, Read<&Totals::involuntary_switches>},
    {"run_queue_wait_s", "s", false, Read<&Totals::run_queue_wait_s>},
    {"block_read_bytes", "bytes", false, Read<&Totals::block_read_bytes>},
    {"block_write_bytes", "bytes", false, Read<&Totals::block_write_bytes>},
    {"energy_j", "J", true, Read<&Totals::energy_j>},
};

}  // namespace

std::span<const TotalFigure> TotalFigures() { return kFigures; }

std::optional<double> CpuSeconds(const Totals& totals) {
  if (!totals.cpu_user_s || !totals.cpu_system_s) {
    return std::nullopt;
  }
  return *totals.cpu_user_s + *totals.cpu_system_s;
}

}  // namespace edgewise
