#include "report/stacks_json.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace edgewise {
namespace {

using Json = nlohmann::ordered_json;

Json Number(std::optional<double> value) {
  return value ? Json(*value) : Json(nullptr);
}

std::optional<double> Low(const std::optional<stats::Interval>& interval) {
  return interval ? std::optional(interval->low) : std::nullopt;
}

std::optional<double> High(const std::optional<stats::Interval>& interval) {
  return interval ? std::optional(interval->high) : std::nullopt;
}

Json TextOrNull(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

const char* KindName(stacks::FrameKind kind) {
  switch (kind) {
    case stacks::FrameKind::kNative:
      return "native";
    case stacks::FrameKind::kKernel:
      return "kernel";
    case stacks::FrameKind::kPython:
      return "python";
    case stacks::FrameKind::kJit:
      return "jit";
    case stacks::FrameKind::kMark:
      break;
  }
  return "mark";
}

// What a function is, whatever was counted in it.
void AddIdentity(const stacks::FunctionUse& use, Json* json) {
  (*json)["module"] = TextOrNull(use.module);
  (*json)["file"] = TextOrNull(use.file);
  (*json)["line"] = use.first_line > 0 ? Json(use.first_line) : Json(nullptr);
  (*json)["kind"] = KindName(use.kind);
  (*json)["named"] = use.named;
}

Json TimeJson(const std::optional<stacks::TimeChange>& time) {
  if (!time) {
    return nullptr;
  }
  return {{"a_s", time->a_s},
          {"b_s", time->b_s},
          {"low_s", time->interval.low},
          {"high_s", time->interval.high}};
}

Json ChangeJson(const stacks::ShareChange& change) {
  return {{"time", TimeJson(change.time)},
          {"a_percent", change.a_percent},
          {"b_percent", change.b_percent},
          {"points", change.points},
          {"low", Number(Low(change.interval))},
          {"high", Number(High(change.interval))},
          {"p_value", Number(change.p_value)},
          {"verdict", std::string(stats::VerdictText(change.verdict))}};
}

}  // namespace

Json FunctionsJson(const std::optional<StackAnalysis>& stacks) {
  Json functions = Json::array();
  if (!stacks) {
    return functions;
  }
  for (const stacks::FunctionUse& use : stacks->functions) {
    Json json{{"name", use.name},
              {"self_percent", use.self_percent},
              {"total_percent", use.total_percent},
              {"self_low", Number(Low(use.self_interval))},
              {"self_high", Number(High(use.self_interval))},
              {"total_low", Number(Low(use.total_interval))},
              {"total_high", Number(High(use.total_interval))},
              {"self", use.self},
              {"total", use.total}};
    AddIdentity(use, &json);
    functions.push_back(std::move(json));
  }
  return functions;
}

Json StacksJson(const std::optional<StackAnalysis>& stacks) {
  if (!stacks) {
    return nullptr;
  }
  const stacks::Collection& collection = stacks->collection;
  return {{"event", TextOrNull(collection.event)},
          {"rate_hz", Number(collection.rate_hz)},
          {"unit", collection.unit},
          {"total", stacks->total},
          {"samples",
           collection.samples > 0 ? Json(collection.samples) : Json(nullptr)},
          {"off_cpu_percent", Number(stacks->off_cpu_percent)},
          {"lost", collection.lost},
          {"truncated", collection.truncated},
          {"broken", collection.broken},
          {"reached_root", collection.reached_root},
          {"python_missed", collection.python_missed},
          {"spool_bytes", collection.spool_bytes},
          {"unwind_s", Number(collection.unwind_s)},
          {"notes", collection.notes}};
}

Json FunctionChangesJson(const std::vector<stacks::FunctionChange>& changes) {
  Json array = Json::array();
  for (const stacks::FunctionChange& change : changes) {
    const bool in_b = change.b.total > 0;
    Json json{{"name", change.a.name},
              {"self", ChangeJson(change.self)},
              {"total", ChangeJson(change.total)}};
    AddIdentity(in_b ? change.b : change.a, &json);
    array.push_back(std::move(json));
  }
  return array;
}

}  // namespace edgewise
