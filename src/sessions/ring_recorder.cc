#include "sessions/ring_recorder.h"

#include <algorithm>

namespace edgewise {
namespace {

struct SeriesShape {
  SeriesKind kind;
  const char* unit;
};

SeriesShape ShapeOf(EventKind kind) {
  switch (kind) {
    case EventKind::kSpan:
      return {SeriesKind::kSpan, ""};
    case EventKind::kJob:
      return {SeriesKind::kJob, ""};
    case EventKind::kRate:
      return {SeriesKind::kGauge, "per_s"};
    case EventKind::kCounter:
      return {SeriesKind::kGauge, "total"};
    case EventKind::kGauge:
      break;
  }
  return {SeriesKind::kGauge, ""};
}

}  // namespace

void RingRecorder::OnClientStart(const RingClient& /*client*/) {}

void RingRecorder::OnName(const RingClient& /*client*/, uint32_t id,
                          EventKind kind, std::string_view name) {
  if (names_.size() <= id) {
    names_.resize(id + 1);
  }
  const SeriesShape shape = ShapeOf(kind);
  names_[id].kind = kind;
  names_[id].series = writer_.SeriesId(shape.kind, name, shape.unit);
  const auto [entry, first] =
      series_by_name_.try_emplace(std::string(name), names_[id].series);
  if (!first && shape.kind != SeriesKind::kGauge) {
    entry->second = names_[id].series;
  }
}

void RingRecorder::OnSpans(const RingClient& /*client*/,
                           std::span<const SpanEvent> spans) {
  for (const SpanEvent& event : spans) {
    Name& name = names_[event.name];
    if (name.spans.empty()) {
      touched_.push_back(event.name);
    }
    if (event.meta != last_meta_) {
      last_meta_ = event.meta;
      last_meta_id_ = writer_.MetaId(last_meta_);
    }
    name.spans.push_back({event.start_ns - start_ns_, event.wall_ns,
                          event.cpu_ns.value_or(-1), event.tid, last_meta_id_});
  }
  for (const uint32_t id : touched_) {
    Name& name = names_[id];
    writer_.AddSpans(name.series, name.spans);
    name.spans.clear();
  }
  touched_.clear();
}

void RingRecorder::OnMetrics(const RingClient& client,
                             std::span<const MetricEvent> metrics) {
  for (const MetricEvent& event : metrics) {
    Name& name = names_[event.name];
    double value = event.value;
    if (name.kind == EventKind::kCounter) {
      double& of_client = name.total_by_client[client.id];
      name.total += value - of_client;
      of_client = value;
      value = name.total;
    }
    writer_.AddPoint(name.series, {event.time_ns - start_ns_, value});
  }
}

void RingRecorder::OnJobs(const RingClient& /*client*/,
                          std::span<const JobEvent> jobs) {
  for (const JobEvent& event : jobs) {
    const Job job{event.release_ns - start_ns_, event.start_ns - start_ns_,
                  event.end_ns - start_ns_,     event.deadline_ns - start_ns_,
                  event.cpu_ns.value_or(-1),    event.tid};
    writer_.AddJobs(names_[event.name].series, {&job, 1});
  }
}

void RingRecorder::OnClientEnd(const RingClient& client,
                               const RingAccount& account) {
  ClientAccount entry;
  entry.pid = client.pid;
  entry.name = client.program;
  entry.records = static_cast<int64_t>(account.delivered);
  entry.dropped = static_cast<int64_t>(account.dropped());
  entry.metadata_cut = static_cast<int64_t>(account.truncated_meta);
  for (const UnfinishedSpan& span : account.unfinished) {
    entry.open_spans.push_back(span.name);
  }
  int64_t named = 0;
  for (const NameLoss& loss : account.dropped_by_name) {
    const auto dropped = static_cast<int64_t>(loss.dropped);
    const auto series = series_by_name_.find(loss.name);
    writer_.AddDropped(series != series_by_name_.end()
                           ? series->second
                           : writer_.SeriesId(SeriesKind::kSpan, loss.name, ""),
                       dropped);
    named += dropped;
  }
  dropped_without_name_ += std::max<int64_t>(0, entry.dropped - named);
  // A program that starts thousands of short-lived clients is summed up.
  constexpr size_t kMostAccounts = 256;
  if (accounts_.size() < kMostAccounts) {
    accounts_.push_back(std::move(entry));
    return;
  }
  ClientAccount& rest = accounts_.back();
  rest.name = "(others)";
  rest.pid = 0;
  rest.records += entry.records;
  rest.dropped += entry.dropped;
  rest.metadata_cut += entry.metadata_cut;
}

}  // namespace edgewise
