#include "live/app_sampler.h"

#include <memory>

#include "base/clock.h"

namespace edgewise::live {
namespace {

constexpr int64_t kPointEveryNs = 5 * kNsPerSecond;
constexpr int64_t kMinuteNs = 60 * kNsPerSecond;

}  // namespace

void AppSampler::SampleApp(LiveApp& app, Turn& turn, int64_t now_ns) {
  if (!app.probe || turn.pid != app.pid) {
    app.probe =
        std::make_unique<AppProbe>(app.pid, !app.identity.container.empty());
    turn.pid = app.pid;
    turn.points.clear();
    app.memory.Clear();
  }
  app.reading = app.probe->Read(now_ns);
  if (app.reading->processes > 0) {
    app.memory.Add(now_ns, app.reading->rss_bytes);
  }
  if (turn.points.empty() ||
      now_ns - turn.points.back().at_ns >= kPointEveryNs) {
    turn.points.push_back({now_ns, app.reading->cpu_ns});
  }
  while (now_ns - turn.points.front().at_ns > kMinuteNs + kPointEveryNs) {
    turn.points.pop_front();
  }
}

void AppSampler::Sample(const Registry& registry, int64_t now_ns) {
  const auto& apps = registry.apps();
  std::erase_if(turns_,
                [&](const auto& turn) { return !apps.contains(turn.first); });
  const int64_t begin_ns = MonotonicNs();
  auto at = apps.upper_bound(cursor_);
  for (size_t i = 0; i < apps.size(); ++i) {
    if (at == apps.end()) {
      at = apps.begin();
    }
    LiveApp& app = *at->second;
    Turn& turn = turns_[app.id];
    if (app.alive && (now_ns >= turn.next_ns || turn.pid != app.pid)) {
      SampleApp(app, turn, now_ns);
      turn.next_ns = now_ns + every_ns_;
      cursor_ = app.id;
      if (MonotonicNs() - begin_ns > most_per_call_ns_) {
        return;
      }
    }
    ++at;
  }
}

std::optional<double> AppSampler::CpuPercentOf(uint64_t app_id) const {
  const auto turn = turns_.find(app_id);
  if (turn == turns_.end() || turn->second.points.size() < 2) {
    return std::nullopt;
  }
  const CpuPoint& first = turn->second.points.front();
  const CpuPoint& last = turn->second.points.back();
  if (last.at_ns - first.at_ns < kMinuteNs / 2) {
    return std::nullopt;
  }
  return 100 * static_cast<double>(last.cpu_ns - first.cpu_ns) /
         static_cast<double>(last.at_ns - first.at_ns);
}

}  // namespace edgewise::live
