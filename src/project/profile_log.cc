#include "project/profile_log.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace edgewise {
namespace {

// Takes one row off the text. A quote that is never closed ends with the text.
std::vector<std::string> TakeRow(std::string_view* csv) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  size_t i = 0;
  for (; i < csv->size(); ++i) {
    const char c = (*csv)[i];
    if (quoted) {
      if (c != '"') {
        fields.back() += c;
      } else if (i + 1 < csv->size() && (*csv)[i + 1] == '"') {
        fields.back() += '"';
        ++i;
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      fields.emplace_back();
    } else if (c == '\n') {
      ++i;
      break;
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  csv->remove_prefix(i);
  return fields;
}

std::optional<size_t> PlaceOf(const std::vector<std::string>& header,
                              std::string_view name) {
  const auto found = std::find(header.begin(), header.end(), name);
  return found == header.end()
             ? std::nullopt
             : std::optional(static_cast<size_t>(found - header.begin()));
}

}  // namespace

std::optional<ProfileLog> ReadProfileLog(std::string_view csv) {
  const std::vector<std::string> header = TakeRow(&csv);
  auto label = PlaceOf(header, "label");
  if (!label) {
    label = PlaceOf(header, "name");
  }
  const auto wall = PlaceOf(header, "wall_ms");
  if (!label || !wall) {
    return std::nullopt;
  }
  ProfileLog log;
  while (!csv.empty()) {
    const std::vector<std::string> row = TakeRow(&csv);
    if (row.size() == 1 && row.front().empty()) {
      continue;
    }
    ++log.rows;
    const auto wall_ms =
        row.size() > *wall ? ParseDouble(row[*wall]) : std::nullopt;
    if (row.size() <= *label || row[*label].empty() || !wall_ms ||
        !std::isfinite(*wall_ms)) {
      ++log.bad_rows;
      continue;
    }
    auto block = std::find_if(
        log.blocks.begin(), log.blocks.end(),
        [&](const LoggedBlock& each) { return each.label == row[*label]; });
    if (block == log.blocks.end()) {
      if (log.blocks.size() == kMostLabels) {
        ++log.unnamed;
        continue;
      }
      block = log.blocks.insert(log.blocks.end(), {row[*label], {}});
    }
    block->wall_ms.push_back(*wall_ms);
  }
  return log;
}

}  // namespace edgewise
