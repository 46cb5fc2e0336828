// What contention experiments say of apps, from their JSON.
#include <cmath>
#include <nlohmann/json.hpp>

#include "history/app_need.h"

namespace edgewise {
namespace {

using Json = nlohmann::json;

constexpr size_t kMostBytes = size_t{16} << 20;

std::optional<double> NumberOf(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() &&
                 std::isfinite(found->get<double>())
             ? std::optional(found->get<double>())
             : std::nullopt;
}

std::string TextOf(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>()
                                                     : "";
}

const Json& ListOf(const Json& object, const char* key) {
  static const Json kNone = Json::array();
  const auto found = object.find(key);
  return found != object.end() && found->is_array() ? *found : kNone;
}

std::vector<SlowDown> SlowDownsOf(const Json& report) {
  std::vector<SlowDown> slow_downs;
  for (const Json& each : ListOf(report, "slow_downs")) {
    if (!each.is_object() || !each.contains("p50_slow_down") ||
        !each["p50_slow_down"].is_object()) {
      continue;
    }
    SlowDown slow_down;
    slow_down.actor = TextOf(each, "app");
    for (const Json& name : ListOf(each, "beside")) {
      if (name.is_string()) {
        slow_down.beside.push_back(name.get<std::string>());
      }
    }
    slow_down.p50.ratio = NumberOf(each["p50_slow_down"], "ratio");
    slow_downs.push_back(std::move(slow_down));
  }
  return slow_downs;
}

std::optional<Pressure> PressureFrom(const Json& app) {
  const auto found = app.find("pressure_percent");
  if (found == app.end() || !found->is_object()) {
    return std::nullopt;
  }
  Pressure pressure;
  pressure.cpu_percent = NumberOf(*found, "cpu").value_or(0);
  for (size_t i = 0; i < kProbedKinds.size(); ++i) {
    const std::string name(StressKindName(kProbedKinds[i]));
    pressure.dial_percent[i] = NumberOf(*found, name.c_str()).value_or(0);
  }
  return pressure;
}

}  // namespace

Result<std::vector<AppCurves>> ReadCurves(std::string_view json,
                                          const std::string& origin) {
  const Json report = json.size() <= kMostBytes
                          ? Json::parse(json, nullptr, false)
                          : Json(Json::value_t::discarded);
  const double cores =
      report.is_object() ? NumberOf(report, "cores").value_or(0) : 0;
  if (!report.is_object() || ListOf(report, "apps").empty() || cores < 1 ||
      cores > 100000) {
    return Error{ErrorCode::kInvalid,
                 origin +
                     " has no curves: give what `edgewise contend sensitivity "
                     "--json` printed"};
  }
  const std::vector<SlowDown> slow_downs = SlowDownsOf(report);
  std::vector<AppCurves> all;
  for (const Json& app : ListOf(report, "apps")) {
    if (!app.is_object()) {
      continue;
    }
    AppCurves curves;
    curves.app = TextOf(app, "name");
    for (const SlowDown& slow_down : slow_downs) {
      if (slow_down.actor == curves.app) {
        curves.sensitivity =
            SensitivityOf(slow_downs, curves.app, static_cast<int>(cores));
        break;
      }
    }
    curves.pressure = PressureFrom(app);
    all.push_back(std::move(curves));
  }
  return all;
}

}  // namespace edgewise
