#include "live/recent_values.h"

#include <utility>

#include "live/registry.h"
#include "live/snapshot.h"
#include "report/json_writer.h"

namespace edgewise::live {

void RecentValues::AddValue(double value) {
  ring_[added_++ % kMost] = static_cast<float>(value);
}

void RecentValues::AddRate(uint64_t count, int64_t now_ns) {
  const uint64_t count_before = std::exchange(last_count_, count);
  const int64_t before_ns = std::exchange(last_ns_, now_ns);
  if (before_ns > 0 && now_ns > before_ns) {
    AddValue(static_cast<double>(count - count_before) * 1e9 /
             static_cast<double>(now_ns - before_ns));
  }
}

std::vector<double> RecentValues::values() const {
  std::vector<double> values;
  const uint64_t count = added_ < kMost ? added_ : kMost;
  for (uint64_t i = added_ - count; i < added_; ++i) {
    values.push_back(ring_[i % kMost]);
  }
  return values;
}

void RememberValues(const Registry& registry, int64_t now_ns) {
  for (const auto& [id, app] : registry.apps()) {
    if (!app->alive) {
      continue;
    }
    for (const auto& [key, metric] : app->metrics) {
      metric->Remember(now_ns);
    }
  }
}

std::string RecentValuesJson(const Registry& registry) {
  JsonObject apps;
  for (const auto& [id, app] : registry.apps()) {
    JsonArray metrics;
    for (const auto& [key, metric] : app->metrics) {
      JsonArray values;
      for (const double value : metric->recent().values()) {
        values.AddNumber(value);
      }
      metrics.Add(JsonObject()
                      .AddString("kind", KindName(metric->kind()))
                      .AddString("name", metric->name())
                      .Add("values", values.text())
                      .text());
    }
    apps.Add(std::to_string(id), metrics.text());
  }
  return JsonObject()
      .AddInt("every_s", RecentValues::kEveryNs / kNsPerSecond)
      .Add("apps", apps.text())
      .text();
}

}  // namespace edgewise::live
