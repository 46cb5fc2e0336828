#include "probes/pressure.h"

#include <limits>

#include "base/text.h"

namespace edgewise {
namespace {

struct Line {
  double avg10_percent = 0;
  int64_t total_ns = 0;
};

std::optional<Line> ParseLine(const std::vector<std::string_view>& fields) {
  Line line;
  bool has_total = false;
  for (const std::string_view field : fields) {
    if (field.starts_with("avg10=")) {
      const auto avg10 = ParseDouble(field.substr(6));
      if (!avg10) {
        return std::nullopt;
      }
      line.avg10_percent = *avg10;
    } else if (field.starts_with("total=")) {
      const auto total_us = ParseInt(field.substr(6));
      if (!total_us || *total_us < 0 ||
          *total_us > std::numeric_limits<int64_t>::max() / 1000) {
        return std::nullopt;
      }
      line.total_ns = *total_us * 1000;
      has_total = true;
    }
  }
  return has_total ? std::optional(line) : std::nullopt;
}

std::optional<Pressure> ReadOne(KeptFile* file, std::string* buffer) {
  const auto text = file->Read(buffer, true);
  return text ? ParsePressure(*text) : std::nullopt;
}

}  // namespace

std::optional<Pressure> ParsePressure(std::string_view text) {
  std::optional<Line> some;
  std::optional<Line> full;
  for (const std::string_view line : Split(text, '\n')) {
    const auto fields = SplitFields(line);
    if (fields.empty()) {
      continue;
    }
    if (fields.front() == "some") {
      some = ParseLine(fields);
    } else if (fields.front() == "full") {
      full = ParseLine(fields);
    }
  }
  if (!some) {
    return std::nullopt;
  }
  Pressure pressure;
  pressure.some_ns = some->total_ns;
  pressure.some_avg10_percent = some->avg10_percent;
  if (full) {
    pressure.full_ns = full->total_ns;
  }
  return pressure;
}

SystemPressure::SystemPressure(const std::filesystem::path& proc_root)
    : cpu_(proc_root / "pressure/cpu"),
      memory_(proc_root / "pressure/memory"),
      io_(proc_root / "pressure/io") {}

SystemPressure::Reading SystemPressure::Read() {
  Reading reading;
  reading.cpu = ReadOne(&cpu_, &buffer_);
  reading.memory = ReadOne(&memory_, &buffer_);
  reading.io = ReadOne(&io_, &buffer_);
  return reading;
}

}  // namespace edgewise
