#include "sessions/host_sampler.h"

#include <algorithm>
#include <string>

#include "base/clock.h"

namespace edgewise {
namespace {

// Seconds between two totals in nanoseconds; nullopt if either is missing.
template <typename T>
std::optional<double> SecondsBetween(const std::optional<T>& first,
                                     const std::optional<T>& last,
                                     int64_t T::*total) {
  if (!first || !last) {
    return std::nullopt;
  }
  return static_cast<double>((*last).*total - (*first).*total) / 1e9;
}

// Other programs' use of the machine above which figures deserve a warning, in
// percent of one core.
constexpr double kDisturbingPercent = 25;

}  // namespace

HostSampler::HostSampler(RunWriter& writer, pid_t pid)
    : writer_(writer), network_(pid), thermal_zones_(FindThermalZones()) {}

HostSampler::Reading HostSampler::Read(int64_t now_ns, int64_t tree_cpu_ns) {
  Reading reading;
  reading.pressure = pressure_.Read();
  if (const auto stat = cpu_stat_.Read()) {
    reading.cpu = stat->total;
  }
  reading.network = network_.Read();
  reading.at_ns = now_ns;
  reading.tree_cpu_ns = tree_cpu_ns;
  return reading;
}

void HostSampler::AddPoint(const char* name, const char* unit, int64_t now_ns,
                           double value) {
  writer_.AddPoint(writer_.SeriesId(SeriesKind::kSystem, name, unit),
                   {now_ns - start_ns_, value});
}

void HostSampler::Start(int64_t now_ns) {
  start_ns_ = now_ns;
  first_ = Read(now_ns, 0);
  last_ = first_;
  if (power_.any()) {
    power_.Read(now_ns);
  }
}

void HostSampler::SampleSensors(int64_t now_ns) {
  if (const auto khz = frequency_.ReadMeanKhz()) {
    AddPoint("cpu_frequency", "MHz", now_ns, static_cast<double>(*khz) / 1e3);
  }
  std::optional<int64_t> hottest;
  for (const ThermalZone& zone : thermal_zones_) {
    if (const auto temperature = zone.ReadMillicelsius()) {
      hottest = std::max(hottest.value_or(*temperature), *temperature);
    }
  }
  if (hottest) {
    AddPoint("temperature", "celsius", now_ns,
             static_cast<double>(*hottest) / 1e3);
  }
  if (power_.any()) {
    const PowerReading reading = power_.Read(now_ns);
    if (reading.total_watts) {
      AddPoint("power", "watt", now_ns, *reading.total_watts);
    }
    joules_ = reading.total_joules;
  }
}

void HostSampler::Sample(int64_t now_ns, int64_t tree_cpu_ns) {
  const Reading now = Read(now_ns, tree_cpu_ns);
  const auto elapsed_ns = static_cast<double>(now_ns - last_.at_ns);
  if (elapsed_ns <= 0) {
    return;
  }
  const auto percent = [&](const char* name, const std::optional<Pressure>& a,
                           const std::optional<Pressure>& b) {
    if (a && b) {
      AddPoint(name, "percent", now_ns,
               100 * static_cast<double>(b->some_ns - a->some_ns) / elapsed_ns);
    }
  };
  percent("pressure_cpu", last_.pressure.cpu, now.pressure.cpu);
  percent("pressure_memory", last_.pressure.memory, now.pressure.memory);
  percent("pressure_io", last_.pressure.io, now.pressure.io);
  if (last_.cpu && now.cpu) {
    AddPoint("steal", "percent", now_ns,
             100 *
                 static_cast<double>(now.cpu->steal_ns - last_.cpu->steal_ns) /
                 elapsed_ns);
    const int64_t others_ns =
        CpuOfOthersNs(*last_.cpu, *now.cpu, tree_cpu_ns - last_.tree_cpu_ns);
    const double others = 100 * static_cast<double>(others_ns) / elapsed_ns;
    AddPoint("cpu_of_others", "percent", now_ns, others);
    // /proc/stat counts in ticks: too coarse for a short stretch.
    if (elapsed_ns > 0.5 * kNsPerSecond) {
      most_other_cpu_percent_ = std::max(most_other_cpu_percent_, others);
    }
  }
  if (last_.network && now.network) {
    AddPoint("net_receive", "bytes_per_s", now_ns,
             static_cast<double>(now.network->receive_bytes -
                                 last_.network->receive_bytes) *
                 1e9 / elapsed_ns);
    AddPoint("net_transmit", "bytes_per_s", now_ns,
             static_cast<double>(now.network->transmit_bytes -
                                 last_.network->transmit_bytes) *
                 1e9 / elapsed_ns);
  }
  SampleSensors(now_ns);
  last_ = now;
}

void HostSampler::Fill(Run* run) const {
  Totals& totals = run->totals;
  const auto& before = first_.pressure;
  const auto& after = last_.pressure;
  totals.psi_cpu_some_s =
      SecondsBetween(before.cpu, after.cpu, &Pressure::some_ns);
  totals.psi_memory_some_s =
      SecondsBetween(before.memory, after.memory, &Pressure::some_ns);
  totals.psi_io_some_s =
      SecondsBetween(before.io, after.io, &Pressure::some_ns);
  totals.steal_s = SecondsBetween(first_.cpu, last_.cpu, &CpuTimes::steal_ns);
  if (first_.network && last_.network) {
    totals.net_receive_bytes =
        last_.network->receive_bytes - first_.network->receive_bytes;
    totals.net_transmit_bytes =
        last_.network->transmit_bytes - first_.network->transmit_bytes;
  }
  totals.energy_j = joules_;

  const auto missing = [run](const char* what, const char* why) {
    run->unavailable.push_back({what, why});
  };
  if (!before.cpu) {
    missing("pressure (PSI)", "this kernel does not count it; boot with psi=1");
  }
  if (!last_.cpu) {
    missing("steal", "/proc/stat cannot be read");
  }
  if (!last_.network) {
    missing("network traffic", "/proc/PID/net/dev cannot be read");
  }
  if (run->machine.governor.empty()) {
    missing("CPU frequency", "this kernel has no cpufreq driver for the cores");
  }
  if (thermal_zones_.empty()) {
    missing("temperature", "this board has no thermal zone");
  }
  for (const Unavailable& rail : power_.unavailable()) {
    run->unavailable.push_back(rail);
  }
  if (!power_.any() && power_.unavailable().empty()) {
    missing("power", "this board has no power sensor that Linux knows");
  }
  if (most_other_cpu_percent_ > kDisturbingPercent) {
    run->warnings.push_back(
        "other programs used up to " +
        std::to_string(static_cast<int>(most_other_cpu_percent_)) +
        "% of a core meanwhile: the times may be disturbed");
  }
}

}  // namespace edgewise
