#include "probes/cgroup_stats.h"

#include <algorithm>
#include <limits>

#include "base/text.h"
#include "probes/cpu_stat.h"

namespace edgewise {
namespace {

// A hierarchy that the group is not in has no files.
KeptFile OpenIn(const std::filesystem::path& folder, const char* name) {
  return folder.empty() ? KeptFile() : KeptFile(folder / name);
}

// Old kernels lack the variant that counts the groups below as well.
KeptFile OpenBlkio(const std::filesystem::path& folder) {
  KeptFile recursive =
      OpenIn(folder, "blkio.throttle.io_service_bytes_recursive");
  return recursive.open() ? std::move(recursive)
                          : OpenIn(folder, "blkio.throttle.io_service_bytes");
}

std::optional<int64_t> Scaled(std::optional<int64_t> value, int64_t factor) {
  if (!value || *value < 0 ||
      *value > std::numeric_limits<int64_t>::max() / factor) {
    return std::nullopt;
  }
  return *value * factor;
}

std::optional<int64_t> ReadInt(KeptFile* file, std::string* buffer) {
  const auto text = file->Read(buffer, true);
  return text ? ParseInt(Trim(*text)) : std::nullopt;
}

std::optional<Pressure> ReadOne(KeptFile* file, std::string* buffer) {
  const auto text = file->Read(buffer, true);
  return text ? ParsePressure(*text) : std::nullopt;
}

bool AddCount(std::string_view text, int64_t* sum) {
  const auto count = ParseInt(text);
  return count && *count >= 0 && !__builtin_add_overflow(*sum, *count, sum);
}

}  // namespace

std::optional<BlockIo> ParseIoStat(std::string_view text) {
  BlockIo io;
  for (const std::string_view line : Split(text, '\n')) {
    for (const std::string_view field : SplitFields(line)) {
      constexpr std::string_view kRead = "rbytes=";
      constexpr std::string_view kWrite = "wbytes=";
      bool good = true;
      if (field.starts_with(kRead)) {
        good = AddCount(field.substr(kRead.size()), &io.read_bytes);
      } else if (field.starts_with(kWrite)) {
        good = AddCount(field.substr(kWrite.size()), &io.write_bytes);
      }
      if (!good) {
        return std::nullopt;
      }
    }
  }
  return io;
}

std::optional<BlockIo> ParseBlkio(std::string_view text) {
  BlockIo io;
  bool any_device = false;
  for (const std::string_view line : Split(text, '\n')) {
    const auto fields = SplitFields(line);
    if (fields.size() != 3) {
      continue;  // "Total 0", or the end
    }
    any_device = true;
    bool good = true;
    if (fields[1] == "Read") {
      good = AddCount(fields[2], &io.read_bytes);
    } else if (fields[1] == "Write") {
      good = AddCount(fields[2], &io.write_bytes);
    }
    if (!good) {
      return std::nullopt;
    }
  }
  return any_device ? std::optional(io) : std::nullopt;
}

CgroupProbe::CgroupProbe(const CgroupFolders& folders)
    : cpu_stat_(OpenIn(folders.unified, "cpu.stat")),
      memory_current_(OpenIn(folders.unified, "memory.current")),
      memory_peak_(OpenIn(folders.unified, "memory.peak")),
      memory_events_(OpenIn(folders.unified, "memory.events")),
      io_stat_(OpenIn(folders.unified, "io.stat")),
      cpu_pressure_(OpenIn(folders.unified, "cpu.pressure")),
      memory_pressure_(OpenIn(folders.unified, "memory.pressure")),
      io_pressure_(OpenIn(folders.unified, "io.pressure")),
      cpuacct_usage_(OpenIn(folders.cpuacct, "cpuacct.usage")),
      cpuacct_stat_(OpenIn(folders.cpuacct, "cpuacct.stat")),
      v1_cpu_stat_(OpenIn(folders.cpu, "cpu.stat")),
      memory_usage_(OpenIn(folders.memory, "memory.usage_in_bytes")),
      memory_max_usage_(OpenIn(folders.memory, "memory.max_usage_in_bytes")),
      memory_oom_control_(OpenIn(folders.memory, "memory.oom_control")),
      blkio_bytes_(OpenBlkio(folders.blkio)) {}

std::optional<int64_t> CgroupProbe::ReadCpuNs() {
  CgroupStats stats;
  ReadCpu(&stats);
  return stats.cpu_ns;
}

CgroupStats CgroupProbe::Read() {
  CgroupStats stats;
  ReadCpu(&stats);
  ReadMemory(&stats);
  ReadBlockIo(&stats);
  ReadPressure(&stats);
  return stats;
}

void CgroupProbe::ReadCpu(CgroupStats* stats) {
  if (const auto text = cpu_stat_.Read(&buffer_, true)) {
    stats->cpu_ns = Scaled(FindKeyedInt(*text, "usage_usec"), 1000);
    stats->user_ns = Scaled(FindKeyedInt(*text, "user_usec"), 1000);
    stats->system_ns = Scaled(FindKeyedInt(*text, "system_usec"), 1000);
    stats->periods = FindKeyedInt(*text, "nr_periods");
    stats->throttled_periods = FindKeyedInt(*text, "nr_throttled");
    stats->throttled_ns = Scaled(FindKeyedInt(*text, "throttled_usec"), 1000);
  }
  if (!stats->cpu_ns) {
    stats->cpu_ns = ReadInt(&cpuacct_usage_, &buffer_);
  }
  if (!stats->user_ns || !stats->system_ns) {
    if (const auto text = cpuacct_stat_.Read(&buffer_, true)) {
      const int64_t ns_per_tick = TicksToNs(1, TicksPerSecond());
      stats->user_ns = Scaled(FindKeyedInt(*text, "user"), ns_per_tick);
      stats->system_ns = Scaled(FindKeyedInt(*text, "system"), ns_per_tick);
    }
  }
  if (!stats->periods) {
    if (const auto text = v1_cpu_stat_.Read(&buffer_, true)) {
      stats->periods = FindKeyedInt(*text, "nr_periods");
      stats->throttled_periods = FindKeyedInt(*text, "nr_throttled");
      stats->throttled_ns = FindKeyedInt(*text, "throttled_time");
    }
  }
}

void CgroupProbe::ReadMemory(CgroupStats* stats) {
  stats->memory_bytes = ReadInt(&memory_current_, &buffer_);
  if (stats->memory_bytes) {
    stats->memory_peak_bytes = ReadInt(&memory_peak_, &buffer_);
    if (const auto text = memory_events_.Read(&buffer_, true)) {
      stats->oom_kills = FindKeyedInt(*text, "oom_kill");
    }
  } else {
    stats->memory_bytes = ReadInt(&memory_usage_, &buffer_);
    stats->memory_peak_bytes = ReadInt(&memory_max_usage_, &buffer_);
    if (const auto text = memory_oom_control_.Read(&buffer_, true)) {
      stats->oom_kills = FindKeyedInt(*text, "oom_kill");
    }
  }
  if (stats->memory_bytes) {
    seen_peak_bytes_ =
        std::max(seen_peak_bytes_.value_or(0), *stats->memory_bytes);
    if (!stats->memory_peak_bytes) {
      stats->memory_peak_bytes = seen_peak_bytes_;
    }
  }
}

void CgroupProbe::ReadBlockIo(CgroupStats* stats) {
  std::optional<BlockIo> io;
  if (const auto text = io_stat_.Read(&buffer_)) {
    io = ParseIoStat(*text);
  } else if (const auto v1_text = blkio_bytes_.Read(&buffer_)) {
    io = ParseBlkio(*v1_text);
  }
  if (io) {
    stats->read_bytes = io->read_bytes;
    stats->write_bytes = io->write_bytes;
  }
}

void CgroupProbe::ReadPressure(CgroupStats* stats) {
  stats->cpu_pressure = ReadOne(&cpu_pressure_, &buffer_);
  stats->memory_pressure = ReadOne(&memory_pressure_, &buffer_);
  stats->io_pressure = ReadOne(&io_pressure_, &buffer_);
}

}  // namespace edgewise
