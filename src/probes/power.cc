#include "probes/power.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/clock.h"
#include "probes/small_files.h"

namespace edgewise {
namespace {

std::optional<double> ReadProduct(const PowerProbe::Rail& rail) {
  const auto volts = ReadNumber(rail.file);
  const auto amperes = ReadNumber(rail.second_file);
  return volts && amperes ? std::optional(static_cast<double>(*volts) *
                                          static_cast<double>(*amperes))
                          : std::nullopt;
}

std::optional<double> ReadWatts(const PowerProbe::Rail& rail) {
  if (!rail.status_file.empty()) {
    // A battery that is being charged tells what goes in, not what is used.
    if (ReadName(rail.status_file) != "Discharging") {
      return std::nullopt;
    }
  }
  const auto scaled = [](auto value, double factor) {
    return value ? std::optional(static_cast<double>(*value) * factor)
                 : std::nullopt;
  };
  switch (rail.source) {
    case PowerProbe::Source::kMicrowatts:
      return scaled(ReadNumber(rail.file), 1e-6);
    case PowerProbe::Source::kMilliwatts:
      return scaled(ReadNumber(rail.file), 1e-3);
    case PowerProbe::Source::kMillivoltMilliampere:
      return scaled(ReadProduct(rail), 1e-6);
    case PowerProbe::Source::kMicrovoltMicroampere:
      return scaled(ReadProduct(rail), 1e-12);
    case PowerProbe::Source::kMicrojoules:
      break;
  }
  return std::nullopt;
}

// Energy since the last reading of a counter, which may have wrapped once.
std::optional<double> CounterStep(const PowerProbe::Rail& rail, double value) {
  const double step = value - *rail.last_value;
  if (step >= 0) {
    return step;
  }
  // Without a known range a step back is a reset: nothing can be said.
  return rail.range ? std::optional(step + *rail.range) : std::nullopt;
}

void ReadCounter(PowerProbe::Rail* rail, int64_t now_ns, RailReading* reading) {
  const auto count = ReadNumber(rail->file);
  if (!count) {
    return;
  }
  const auto value = static_cast<double>(*count);
  if (rail->last_value) {
    if (const auto step = CounterStep(*rail, value)) {
      rail->joules += *step * 1e-6;
      const int64_t elapsed_ns = now_ns - *rail->last_ns;
      if (elapsed_ns > 0) {
        reading->watts = *step * 1e-6 * static_cast<double>(kNsPerSecond) /
                         static_cast<double>(elapsed_ns);
      }
    }
  }
  rail->last_value = value;
  rail->last_ns = now_ns;
  reading->joules = rail->joules;
}

void ReadPower(PowerProbe::Rail* rail, int64_t now_ns, RailReading* reading) {
  reading->watts = ReadWatts(*rail);
  if (!reading->watts) {
    rail->last_value.reset();
    return;
  }
  if (rail->last_value && rail->last_ns) {
    const double seconds = static_cast<double>(now_ns - *rail->last_ns) /
                           static_cast<double>(kNsPerSecond);
    rail->joules += (*rail->last_value + *reading->watts) / 2 * seconds;
  }
  rail->last_value = reading->watts;
  rail->last_ns = now_ns;
  reading->joules = rail->joules;
}

void Add(std::optional<double> value, std::optional<double>* sum) {
  if (value) {
    *sum = sum->value_or(0) + *value;
  }
}

}  // namespace

PowerProbe::PowerProbe(const std::filesystem::path& sysfs_root) {
  for (Rail& rail : FindPowerRails(sysfs_root)) {
    if (::access(rail.file.c_str(), R_OK) == 0) {
      rails_.push_back(std::move(rail));
    } else if (errno == EACCES) {
      unavailable_.push_back(
          {"energy of " + rail.name,
           "only root may read " + rail.file.string() +
               "; run edgewise as root, or: sudo chmod a+r " +
               rail.file.string()});
    }
  }
}

PowerReading PowerProbe::Read(int64_t now_ns) {
  PowerReading reading;
  RailScope widest = RailScope::kPart;
  for (Rail& rail : rails_) {
    RailReading one{rail.name, rail.scope, std::nullopt, std::nullopt};
    if (rail.source == Source::kMicrojoules) {
      ReadCounter(&rail, now_ns, &one);
    } else {
      ReadPower(&rail, now_ns, &one);
    }
    if (one.watts || one.joules) {
      widest = std::min(widest, rail.scope);
    }
    reading.rails.push_back(std::move(one));
  }
  if (widest == RailScope::kPart) {
    return reading;
  }
  for (const RailReading& rail : reading.rails) {
    if (rail.scope != widest || (!rail.watts && !rail.joules)) {
      continue;
    }
    if (widest == RailScope::kBoard && !reading.total_of.empty()) {
      continue;  // two views of the same board
    }
    Add(rail.watts, &reading.total_watts);
    Add(rail.joules, &reading.total_joules);
    reading.total_of += (reading.total_of.empty() ? "" : " + ") + rail.name;
  }
  return reading;
}

}  // namespace edgewise
