#include "mqtt/pipeline_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/text.h"
#include "base/units.h"
#include "mqtt/names.h"
#include "mqtt/pipeline_settings.h"
#include "stats/repeats.h"
#include "store/analysis.h"

namespace edgewise::mqtt {
namespace {

constexpr size_t kParts = 10;

using SeriesByName = std::map<std::string, const SeriesAnalysis*>;

std::optional<double> PeakOf(const SeriesByName& series,
                             const std::string& name) {
  const auto found = series.find(name);
  return found != series.end() ? found->second->max : std::nullopt;
}

// Counters only grow; points of several threads may be stored out of order.
std::optional<int64_t> CountOf(const SeriesByName& series,
                               const std::string& name) {
  const auto most = PeakOf(series, name);
  return most ? std::optional(static_cast<int64_t>(std::llround(*most)))
              : std::nullopt;
}

std::optional<int64_t> Sum(std::optional<int64_t> a, std::optional<int64_t> b) {
  return a || b ? std::optional(a.value_or(0) + b.value_or(0)) : std::nullopt;
}

MessageAccount AccountOf(const SeriesByName& series) {
  MessageAccount account;
  const auto count = [&series](const char* name) {
    return CountOf(series, name);
  };
  account.sent = count(kSent);
  account.refused = count(kRefused);
  account.unsent = count(kUnsent);
  account.rejected = count(kAnswerRefused);
  account.dropped = count(kDropped);
  account.failed = count(kWorkFailed);
  account.unreplied = count(kUnreplied);
  account.received = count(kReceived);
  account.duplicated = count(kDuplicated);
  account.reordered = count(kReordered);
  account.foreign = Sum(count(kForeign), count(kProcessorForeign));
  account.negative = count(kNegative);
  account.unplaced = count(kUnplaced);
  if (const auto found = series.find(kMostNegative); found != series.end()) {
    account.most_negative_ns = found->second->min;
  }
  account.in_flight_peak = PeakOf(series, kInFlight);
  account.queued_peak = PeakOf(series, kQueued);
  if (account.sent && account.received && account.duplicated) {
    account.lost = std::max<int64_t>(
        0, *account.sent - (*account.received - *account.duplicated));
  }
  return account;
}

std::vector<RoleUse> RolesOf(const Run& run, const SeriesByName& series) {
  std::vector<RoleUse> roles;
  for (const std::string& name :
       {std::string(RoleName(Role::kProduce)), std::string(kBroker),
        std::string(RoleName(Role::kProcess)), std::string(kApp),
        std::string(RoleName(Role::kConsume)), std::string("conductor")}) {
    const auto cpu_us = PeakOf(series, name + " " + kCpu);
    if (!cpu_us) {
      continue;
    }
    RoleUse use;
    use.name = name;
    if (run.totals.wall_s && *run.totals.wall_s > 0) {
      use.cpu_percent = *cpu_us / 1e6 / *run.totals.wall_s * 100;
    }
    use.peak_bytes = PeakOf(series, name + " " + kMemory);
    use.reconnects = CountOf(series, name + " " + kReconnects);
    if (name == RoleName(Role::kProduce)) {
      use.waiting_peak = PeakOf(series, kInFlight);
    } else if (name == RoleName(Role::kProcess)) {
      use.waiting_peak = PeakOf(series, kQueued);
    }
    roles.push_back(std::move(use));
  }
  return roles;
}

// Sums of equal parts of a Run's spans, in the order of time.
Result<std::vector<double>> PartSums(const Store& store, int64_t series,
                                     int64_t count) {
  std::vector<double> sums(kParts);
  int64_t at = 0;
  const auto read = store.ReadSpans(series, [&](std::span<const Span> spans) {
    for (const Span& span : spans) {
      const auto part = static_cast<size_t>(
          std::min<int64_t>(at++ * int64_t{kParts} / count, kParts - 1));
      sums[part] += static_cast<double>(span.wall_ns);
    }
  });
  if (!read) {
    return read.error();
  }
  return sums;
}

Result<void> AddShares(const Store& store, PipelineCell* cell) {
  const auto all = store.SeriesOf(cell->run.id);
  if (!all) {
    return all.error();
  }
  const auto info = [&all](Stage stage) -> const SeriesInfo* {
    for (const SeriesInfo& each : *all) {
      if (each.kind == SeriesKind::kSpan && each.name == StageName(stage)) {
        return &each;
      }
    }
    return nullptr;
  };
  const bool has_total = cell->Find(Stage::kTotal) != nullptr;
  const SeriesInfo* const whole =
      info(has_total ? Stage::kTotal : Stage::kNaive);
  if (whole == nullptr || whole->count < int64_t{kParts}) {
    return {};
  }
  const auto totals = PartSums(store, whole->id, whole->count);
  if (!totals) {
    return totals.error();
  }
  for (StageFigures& figures : cell->stages) {
    const SeriesInfo* const own = info(figures.stage);
    if (!OnPath(figures.stage) || own == nullptr ||
        own->count < int64_t{kParts}) {
      continue;
    }
    const auto sums = PartSums(store, own->id, own->count);
    if (!sums) {
      return sums.error();
    }
    std::vector<double> shares;
    double part = 0;
    double of = 0;
    for (size_t i = 0; i < kParts; ++i) {
      part += (*sums)[i];
      of += (*totals)[i];
      if ((*totals)[i] > 0) {
        shares.push_back((*sums)[i] / (*totals)[i]);
      }
    }
    auto share = stats::EstimateRepeats(shares);
    if (share && of > 0) {
      share->value = part / of;
      if (share->low && share->high) {
        share->low = std::min(*share->low, share->value);
        share->high = std::max(*share->high, share->value);
      }
      figures.share = share;
    }
  }
  return {};
}

std::optional<double> BoundOf(const SeriesByName& series, Stage stage) {
  const char* name = nullptr;
  switch (stage) {
    case Stage::kToProcessor:
    case Stage::kToDone:
      name = kClockBound;
      break;
    case Stage::kToConsumer:
      name = kClockBoundConsumer;
      break;
    case Stage::kTotal:
    case Stage::kNaive:
      name = kClockBoundTotal;
      break;
    default:
      return std::nullopt;
  }
  const auto bound = PeakOf(series, name);
  return bound && *bound > 0 ? bound : std::nullopt;
}

std::string DetailOf(const Run& run, const std::string& name) {
  const auto found = run.details.find(name);
  return found != run.details.end() ? found->second : "--";
}

void NameCell(PipelineCell* cell) {
  const Run& run = cell->run;
  cell->qos = DetailOf(run, "qos");
  cell->impairment = DetailOf(run, "impairment");
  const auto bytes = ParseInt(DetailOf(run, "payload_bytes"));
  cell->payload =
      bytes ? FormatBytes(static_cast<double>(*bytes)) : std::string("--");
  if (cell->qos == "--") {
    cell->name = run.label.empty() ? run.id : run.label;
    return;
  }
  cell->name = "QoS " + cell->qos + ", " + cell->payload;
  if (cell->impairment != "none" && cell->impairment != "--") {
    cell->name += ", " + cell->impairment;
  }
}

Result<PipelineCell> CellOf(const Store& store, const Run& run) {
  const auto analysis = Analyse(store, run);
  if (!analysis) {
    return analysis.error();
  }
  PipelineCell cell;
  cell.run = run;
  NameCell(&cell);
  SeriesByName series;
  for (const SeriesAnalysis& each : analysis->series) {
    series[each.name] = &each;
  }
  for (const Stage stage : kAllStages) {
    for (const SpanAnalysis& span : analysis->spans) {
      if (span.name == StageName(stage)) {
        cell.stages.push_back(
            {stage, span.wall_ns, std::nullopt, BoundOf(series, stage)});
      }
    }
  }
  cell.account = AccountOf(series);
  cell.roles = RolesOf(run, series);
  if (const auto shared = AddShares(store, &cell); !shared) {
    return shared.error();
  }
  return cell;
}

}  // namespace

const StageFigures* PipelineCell::Find(Stage stage) const {
  for (const StageFigures& figures : stages) {
    if (figures.stage == stage) {
      return &figures;
    }
  }
  return nullptr;
}

Result<PipelineReport> MakePipelineReport(const Store& store,
                                          std::span<const Run> runs) {
  PipelineReport report;
  for (const Run& run : runs) {
    auto cell = CellOf(store, run);
    if (!cell) {
      return cell.error();
    }
    report.group = run.group.empty() ? run.id : run.group;
    report.cells.push_back(std::move(*cell));
  }
  report.advice = PipelineAdvice(report);
  return report;
}

}  // namespace edgewise::mqtt
