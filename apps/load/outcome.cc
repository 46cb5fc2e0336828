#include "load/outcome.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/units.h"
#include "load/checksum.h"

namespace edgewise::apps {
namespace {

// nullopt for a run without items, which has no rate.
std::optional<double> Fps(const Outcome& outcome) {
  if (outcome.items == 0 || outcome.elapsed_s <= 0) {
    return std::nullopt;
  }
  return static_cast<double>(outcome.items * outcome.units_per_item) /
         outcome.elapsed_s;
}

}  // namespace

std::string OutcomeJson(const std::string& app, const LoadOptions& options,
                        const Outcome& outcome) {
  nlohmann::ordered_json json;
  json["app"] = app;
  json["items"] = outcome.items;
  json["elapsed_s"] = outcome.elapsed_s;
  const auto fps = Fps(outcome);
  json["fps"] = fps ? nlohmann::ordered_json(*fps) : nullptr;
  json["checksum"] = FormatChecksum(outcome.checksum);
  json["deadline_misses"] =
      outcome.deadline_misses ? nlohmann::ordered_json(*outcome.deadline_misses)
                              : nullptr;
  json["seed"] = options.seed;
  json["threads"] = options.threads;
  json["input"] = options.input;
  for (const auto& [key, fact] : outcome.facts) {
    std::visit([&json, &key = key](const auto& value) { json[key] = value; },
               fact);
  }
  return json.dump(-1, ' ', false,
                   nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

std::string OutcomeText(const std::string& app, const LoadOptions& options,
                        const Outcome& outcome) {
  std::string text;
  for (const std::string& note : outcome.notes) {
    text += app + ": " + note + "\n";
  }
  const auto fps = Fps(outcome);
  text += fmt::format(
      "{}: {} in {}, {} fps, checksum {} (seed {})", app,
      FormatCount(outcome.items, "item"),
      FormatDuration(outcome.elapsed_s * static_cast<double>(kNsPerSecond)),
      fps ? fmt::format("{:.4g}", *fps) : "--",
      FormatChecksum(outcome.checksum), options.seed);
  if (outcome.deadline_misses) {
    text += fmt::format(", {} missed",
                        FormatCount(*outcome.deadline_misses, "deadline"));
  }
  return text + "\n";
}

}  // namespace edgewise::apps
