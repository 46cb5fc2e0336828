#include "probes/gpu/tegrastats_line.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/text.h"

namespace edgewise {
namespace {

constexpr size_t kMostFields = 4096;
// Sensors that are off report nonsense such as -256 degrees.
constexpr double kLeastCelsius = -100;
constexpr double kMostCelsius = 300;

// A number at the start of `text`, which loses it; "0x" and "nan" are none.
std::optional<double> TakeNumber(std::string_view* text) {
  size_t length = 0;
  if (length < text->size() && (*text)[length] == '-') {
    ++length;
  }
  while (length < text->size() &&
         (std::isdigit(static_cast<unsigned char>((*text)[length])) != 0 ||
          (*text)[length] == '.')) {
    ++length;
  }
  const auto value = ParseDouble(text->substr(0, length));
  if (value && std::isfinite(*value) && std::fabs(*value) < 1e15) {
    text->remove_prefix(length);
    return value;
  }
  return std::nullopt;
}

bool Take(std::string_view* text, std::string_view prefix) {
  if (!text->starts_with(prefix)) {
    return false;
  }
  text->remove_prefix(prefix.size());
  return true;
}

// "MB", "kB", "GB", "B" at the start of `text`.
std::optional<double> TakeUnit(std::string_view* text) {
  struct Known {
    std::string_view name;
    double bytes;
  };
  constexpr Known kKnown[] = {{"kB", 1024.0},
                              {"KB", 1024.0},
                              {"MB", 1024.0 * 1024},
                              {"GB", 1024.0 * 1024 * 1024},
                              {"B", 1}};
  for (const Known& known : kKnown) {
    if (Take(text, known.name)) {
      return known.bytes;
    }
  }
  return std::nullopt;
}

std::optional<int64_t> Bytes(double count, double unit) {
  const double bytes = count * unit;
  return bytes >= 0 && bytes < 9e18 ? std::optional(static_cast<int64_t>(bytes))
                                    : std::nullopt;
}

// "5246/7771MB", "0/252kB(lfb".
std::optional<TegraMemory> Memory(std::string_view text) {
  const auto used = TakeNumber(&text);
  if (!used || !Take(&text, "/")) {
    return std::nullopt;
  }
  const auto total = TakeNumber(&text);
  const auto unit = TakeUnit(&text);
  if (!total || !unit) {
    return std::nullopt;
  }
  const auto used_bytes = Bytes(*used, *unit);
  const auto total_bytes = Bytes(*total, *unit);
  if (!used_bytes || !total_bytes) {
    return std::nullopt;
  }
  return TegraMemory{*used_bytes, *total_bytes, {}, {}, {}};
}

// "47%@1420", "off", "3%".
std::optional<TegraCore> Core(std::string_view text) {
  if (text == "off") {
    return TegraCore{};
  }
  TegraCore core;
  core.percent = TakeNumber(&text);
  if (!core.percent || !Take(&text, "%")) {
    return std::nullopt;
  }
  if (Take(&text, "@")) {
    core.mhz = TakeNumber(&text);
  }
  return core;
}

// "[47%@1420,off]": one field, or the pieces up to "]".
std::vector<TegraCore> Cores(std::string_view text) {
  std::vector<TegraCore> cores;
  text = text.substr(0, text.find(']'));
  for (const std::string_view piece : Split(text, ',')) {
    if (const auto core = Core(Trim(piece))) {
      cores.push_back(*core);
    }
  }
  return cores;
}

// "2%@1600", "0%", "115", "0%@[114,0]".
std::optional<TegraUnit> Unit(std::string_view name, std::string_view text) {
  TegraUnit unit;
  unit.name = name;
  const auto number = TakeNumber(&text);
  if (!number) {
    return std::nullopt;
  }
  if (!Take(&text, "%")) {
    unit.mhz = text.empty() ? number : std::nullopt;
    return unit.mhz ? std::optional(unit) : std::nullopt;
  }
  unit.percent = number;
  if (Take(&text, "@")) {
    Take(&text, "[");
    do {
      if (const auto mhz = TakeNumber(&text)) {
        unit.mhz = std::max(unit.mhz.value_or(*mhz), *mhz);
      }
    } while (Take(&text, ","));
  }
  return unit;
}

// "GPU@31.5C", "cpu@52.968C/52.968C".
std::optional<TegraTemperature> Temperature(std::string_view field) {
  const size_t at = field.find('@');
  if (at == 0 || at == std::string_view::npos) {
    return std::nullopt;
  }
  std::string_view rest = field.substr(at + 1);
  const auto celsius = TakeNumber(&rest);
  if (!celsius || !Take(&rest, "C") || !(rest.empty() || rest[0] == '/')) {
    return std::nullopt;
  }
  TegraTemperature temperature{std::string(field.substr(0, at)), {}};
  if (*celsius > kLeastCelsius && *celsius < kMostCelsius) {
    temperature.celsius = celsius;
  }
  return temperature;
}

// "6140/5510", "2763mW/2846mW", "2763mW".
std::optional<TegraRail> Rail(std::string_view name, std::string_view text) {
  TegraRail rail;
  rail.name = name;
  const auto now = TakeNumber(&text);
  if (!now || *now < 0) {
    return std::nullopt;
  }
  rail.milliwatts = *now;
  const bool has_unit = Take(&text, "mW");
  if (Take(&text, "/")) {
    rail.mean_milliwatts = TakeNumber(&text);
    Take(&text, "mW");
    return rail.mean_milliwatts && text.empty() ? std::optional(rail)
                                                : std::nullopt;
  }
  return has_unit && text.empty() ? std::optional(rail) : std::nullopt;
}

bool IsName(std::string_view field) {
  return !field.empty() &&
         std::isalpha(static_cast<unsigned char>(field[0])) != 0 &&
         std::all_of(field.begin(), field.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
         });
}

// The remarks after a memory: "(lfb 7x4MB)", "(cached 280MB)".
void AddRemark(std::string_view key, std::string_view text,
               TegraMemory* memory) {
  auto number = TakeNumber(&text);
  if (!number) {
    return;
  }
  if (key.ends_with("(lfb")) {
    std::optional<double> blocks;
    if (Take(&text, "x")) {
      blocks = number;
      number = TakeNumber(&text);
    }
    const auto unit = TakeUnit(&text);
    if (number && unit) {
      memory->largest_free_bytes = Bytes(*number, *unit);
      if (blocks) {
        memory->free_blocks = Bytes(*blocks, 1);
      }
    }
  } else if (key == "(cached") {
    if (const auto unit = TakeUnit(&text)) {
      memory->cached_bytes = Bytes(*number, *unit);
    }
  }
}

}  // namespace

const TegraUnit* TegraStats::Unit(std::string_view name) const {
  const auto found =
      std::find_if(units.begin(), units.end(),
                   [&](const TegraUnit& unit) { return unit.name == name; });
  return found != units.end() ? &*found : nullptr;
}

const TegraTemperature* TegraStats::Temperature(std::string_view name) const {
  const auto same = [&](const TegraTemperature& temperature) {
    return std::equal(name.begin(), name.end(), temperature.name.begin(),
                      temperature.name.end(), [](char a, char b) {
                        return std::tolower(static_cast<unsigned char>(a)) ==
                               std::tolower(static_cast<unsigned char>(b));
                      });
  };
  const auto found =
      std::find_if(temperatures.begin(), temperatures.end(), same);
  return found != temperatures.end() ? &*found : nullptr;
}

std::optional<TegraStats> ParseTegrastats(std::string_view line) {
  auto fields = SplitFields(line);
  fields.resize(std::min(fields.size(), kMostFields));
  TegraStats stats;
  TegraMemory* memory = nullptr;  // that remarks belong to
  for (size_t i = 0; i < fields.size(); ++i) {
    const std::string_view field = fields[i];
    const std::string_view next =
        i + 1 < fields.size() ? fields[i + 1] : std::string_view();
    if (const auto temperature = Temperature(field)) {
      stats.temperatures.push_back(*temperature);
      continue;
    }
    if (field.starts_with('(') && memory != nullptr) {
      AddRemark(field, next, memory);
      continue;
    }
    if (!IsName(field)) {
      continue;
    }
    if (field == "CPU" && next.starts_with('[')) {
      stats.cores = Cores(next.substr(1));
    } else if (const auto amount = Memory(next)) {
      memory = nullptr;
      if (field == "RAM" || field == "SWAP") {
        auto& slot = field == "RAM" ? stats.ram : stats.swap;
        slot = amount;
        memory = &*slot;
      }
    } else if (field.ends_with("_FREQ")) {
      if (const auto unit = Unit(field.substr(0, field.size() - 5), next)) {
        stats.units.push_back(*unit);
      }
    } else if (auto rail = Rail(field, next)) {
      for (const TegraRail& known : stats.rails) {
        rail->occurrence += known.name == rail->name ? 1 : 0;
      }
      stats.rails.push_back(std::move(*rail));
    }
  }
  if (!stats.ram && stats.cores.empty() && stats.units.empty() &&
      stats.temperatures.empty() && stats.rails.empty()) {
    return std::nullopt;
  }
  return stats;
}

}  // namespace edgewise
