// Files of the system, of cgroups and of the board.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "probes/cgroup_stats.h"
#include "probes/cpu_stat.h"
#include "probes/machine.h"
#include "probes/network.h"
#include "probes/perf_events.h"
#include "probes/pressure.h"
#include "probes/rpi.h"

namespace {

void Check(bool holds) {
  if (!holds) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto pressure = edgewise::ParsePressure(text)) {
    Check(pressure->some_ns >= 0 && pressure->full_ns.value_or(0) >= 0);
  }
  if (const auto stat = edgewise::ParseCpuStat(text, 100)) {
    Check(stat->total.busy_ns() >= 0 && stat->total.steal_ns >= 0);
  }
  if (const auto totals = edgewise::ParseNetDev(text)) {
    Check(totals->receive_bytes >= 0 && totals->transmit_bytes >= 0);
  }
  if (const auto io = edgewise::ParseIoStat(text)) {
    Check(io->read_bytes >= 0 && io->write_bytes >= 0);
  }
  if (const auto io = edgewise::ParseBlkio(text)) {
    Check(io->read_bytes >= 0 && io->write_bytes >= 0);
  }
  edgewise::ParsePiThrottling(text);
  edgewise::ParseCpuModel(text);
  edgewise::ParseOsName(text);
  const auto event = edgewise::FindPerfEvent(text.substr(0, 40));
  Check(event.ok() || !event.error().message.empty());
  return 0;
}
