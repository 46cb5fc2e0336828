#include "live/live_sink.h"

#include <memory>
#include <string>
#include <utility>

#include "base/clock.h"

namespace edgewise::live {

LiveMetric* MetricOf(LiveApp& app, EventKind kind, std::string_view name,
                     int64_t now_ns) {
  std::pair<EventKind, std::string> key(kind, name);
  const auto found = app.metrics.find(key);
  if (found != app.metrics.end()) {
    return found->second.get();
  }
  if (app.metrics.size() >= kMostMetricsPerApp) {
    return nullptr;
  }
  auto metric = std::make_unique<LiveMetric>(kind, std::string(name), now_ns);
  return app.metrics.emplace(std::move(key), std::move(metric))
      .first->second.get();
}

void LiveSink::OnClientStart(const RingClient& client) {
  clients_[client.id].app =
      &registry_.Join(find_identity_(client), MonotonicNs());
}

void LiveSink::OnName(const RingClient& client, uint32_t id, EventKind kind,
                      std::string_view name) {
  Client& known = ClientOf(client.id);
  if (known.metrics.size() <= id) {
    known.metrics.resize(id + 1, nullptr);
  }
  known.metrics[id] = MetricOf(*known.app, kind, name, MonotonicNs());
}

template <typename Event>
void LiveSink::PassOn(const Client& client, std::span<const Event> events) {
  const auto [begin, end] = taps_.equal_range(client.app->id);
  for (auto tap = begin; tap != end; ++tap) {
    tap->second->Add(events, client.metrics);
  }
}

void LiveSink::OnSpans(const RingClient& client,
                       std::span<const SpanEvent> spans) {
  Client& known = ClientOf(client.id);
  const int64_t now_ns = MonotonicNs();
  for (const SpanEvent& span : spans) {
    if (LiveMetric* metric = known.metrics[span.name]) {
      metric->AddDuration(span.wall_ns, now_ns);
    } else {
      ++known.app->account_before.dropped_no_name;
    }
  }
  PassOn(known, spans);
}

void LiveSink::OnMetrics(const RingClient& client,
                         std::span<const MetricEvent> metrics) {
  Client& known = ClientOf(client.id);
  const int64_t now_ns = MonotonicNs();
  for (const MetricEvent& event : metrics) {
    if (LiveMetric* metric = known.metrics[event.name]) {
      metric->AddValue(event.value, now_ns);
    } else {
      ++known.app->account_before.dropped_no_name;
    }
  }
  PassOn(known, metrics);
}

void LiveSink::OnJobs(const RingClient& client,
                      std::span<const JobEvent> jobs) {
  Client& known = ClientOf(client.id);
  const int64_t now_ns = MonotonicNs();
  for (const JobEvent& job : jobs) {
    if (LiveMetric* metric = known.metrics[job.name]) {
      metric->AddJob(job.end_ns - job.release_ns, job.end_ns > job.deadline_ns,
                     now_ns);
    } else {
      ++known.app->account_before.dropped_no_name;
    }
  }
  PassOn(known, jobs);
}

void LiveSink::OnClientEnd(const RingClient& client,
                           const RingAccount& account) {
  const auto found = clients_.find(client.id);
  LiveApp& app = *found->second.app;
  app.account = account;
  clients_.erase(found);
  registry_.Leave(app, MonotonicNs());
}

void LiveSink::AddTap(uint64_t app_id, TapWriter* tap) {
  taps_.emplace(app_id, tap);
}

void LiveSink::RemoveTap(TapWriter* tap) {
  std::erase_if(taps_, [&](const auto& entry) { return entry.second == tap; });
}

}  // namespace edgewise::live
