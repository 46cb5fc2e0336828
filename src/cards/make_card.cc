#include "cards/make_card.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "cards/evidence.h"
#include "cards/gpu_needs.h"
#include "cards/wcet.h"
#include "stats/summary.h"
#include "store/pooled_samples.h"
#include "store/totals.h"

namespace edgewise {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;

// What a card is made of.
struct Subject {
  std::string span;  // empty: the whole program
  std::vector<double> samples_ns;
  stats::Sketch rest;  // of samples that were not stored
  stats::SpanSummary summary;
  int64_t deadline_misses = 0;
};

Result<void> Check(std::span<const Run> runs, const CardRequest& request) {
  const auto refuse = [](std::string what) -> Result<void> {
    return Error{ErrorCode::kInvalid, std::move(what)};
  };
  const auto inside = [](double share) { return share > 0 && share < 1; };
  if (runs.empty()) {
    return refuse("a card needs at least one Run");
  }
  if (!inside(request.quantile) || !inside(request.confidence) ||
      !inside(request.exceedance)) {
    return refuse(
        "the quantile, confidence and exceedance of a card must lie between 0 "
        "and 1");
  }
  if (request.period_ns.value_or(1) <= 0 ||
      request.deadline_ns.value_or(1) <= 0) {
    return refuse("the period and deadline of a card must be above 0");
  }
  return {};
}

std::string NamesOf(const std::vector<SamplePool>& pools) {
  std::vector<std::string> names;
  for (const SamplePool& pool : pools) {
    if (std::find(names.begin(), names.end(), pool.name) == names.end()) {
      names.push_back(pool.name);
    }
  }
  return Join(names, ", ");
}

// The pool that the request means; nullptr for the whole program.
Result<const SamplePool*> ChoosePool(const std::vector<SamplePool>& pools,
                                     const CardRequest& request) {
  if (request.span.empty()) {
    if (pools.empty()) {
      return nullptr;
    }
    if (pools.size() == 1) {
      return &pools.front();
    }
    return Error{ErrorCode::kInvalid,
                 fmt::format("the Run has several spans: choose one with "
                             "--span (there are: {})",
                             NamesOf(pools))};
  }
  for (const SamplePool& pool : pools) {
    if (pool.name == request.span) {
      return &pool;
    }
  }
  return Error{
      ErrorCode::kNotFound,
      pools.empty()
          ? fmt::format("there is no span '{}': the Run has none; leave --span "
                        "out for a card of the whole program",
                        request.span)
          : fmt::format("there is no span '{}'; there are: {}", request.span,
                        NamesOf(pools))};
}

Result<Subject> FromSpans(const SamplePool& pool, bool cpu_time,
                          std::vector<std::string>& warnings) {
  Subject subject;
  subject.span = pool.name;
  const SpanAnalysis analysis = AnalyseSamples(pool.parts);
  for (const SpanSamples& part : pool.parts) {
    const auto& samples = cpu_time ? part.cpu_ns : part.wall_ns;
    subject.samples_ns.insert(subject.samples_ns.end(), samples.begin(),
                              samples.end());
    if (part.digest && !cpu_time) {
      subject.rest.Merge(part.digest->values);
    }
  }
  subject.deadline_misses = analysis.jobs ? analysis.jobs->deadline_misses : 0;
  if (analysis.dropped > 0) {
    warnings.push_back(fmt::format(
        "{} of '{}' {} lost; the worst may be among what is missing",
        FormatCount(analysis.dropped, "record"), pool.name,
        analysis.dropped == 1 ? "was" : "were"));
  }
  if (analysis.wall_ns.warmup_count.value_or(0) > 0) {
    warnings.push_back(fmt::format(
        "what looks like warm-up, the first {}, is part of the card; --warmup "
        "of `edgewise run` leaves it out",
        FormatCount(*analysis.wall_ns.warmup_count, "sample")));
  }
  if (!cpu_time) {
    subject.summary = analysis.wall_ns;
    return subject;
  }
  const auto measured = static_cast<int64_t>(subject.samples_ns.size());
  if (measured == 0) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("'{}' has no CPU times: it was measured with a "
                             "wall-only timer; leave --cpu-time out",
                             pool.name)};
  }
  if (measured < analysis.wall_ns.count) {
    warnings.push_back(fmt::format(
        "only {} of {} samples of '{}' have a CPU time on record",
        FormatCount(measured), FormatCount(analysis.wall_ns.count), pool.name));
  }
  subject.summary = stats::Summarise(subject.samples_ns);
  return subject;
}

// Who ended the program; empty if it ended by itself.
std::string EndedBy(const Run& run) {
  switch (run.end_reason.value_or(EndReason::kExited)) {
    case EndReason::kDuration:
      return "--duration";
    case EndReason::kTimeout:
      return "--timeout";
    case EndReason::kCancelled:
      return "a cancellation";
    case EndReason::kDetached:
      return "detaching from it";
    default:
      return "";
  }
}

Result<Subject> FromRepeats(std::span<const Run> runs, bool cpu_time,
                            std::vector<std::string>& warnings) {
  Subject subject;
  for (const Run& run : runs) {
    if (const std::string by = EndedBy(run); !by.empty()) {
      warnings.push_back(fmt::format(
          "Run {} was ended by {}: its time is not how long the program takes; "
          "let it end by itself, or choose a span",
          run.id, by));
    }
  }
  for (const Run& run : runs) {
    const auto seconds = cpu_time ? CpuSeconds(run.totals) : run.totals.wall_s;
    if (seconds) {
      subject.samples_ns.push_back(*seconds *
                                   static_cast<double>(kNsPerSecond));
    }
  }
  subject.summary = stats::Summarise(subject.samples_ns);
  return subject;
}

void FillNeeds(std::span<const Run> runs, Card& card,
               std::vector<std::string>& warnings) {
  std::optional<int64_t> rss_bytes;
  double cpu_s = 0;
  double wall_s = 0;
  for (const Run& run : runs) {
    if (run.totals.max_rss_bytes) {
      rss_bytes = std::max(rss_bytes.value_or(0), *run.totals.max_rss_bytes);
    }
    const auto cpu = CpuSeconds(run.totals);
    if (cpu && run.totals.wall_s) {
      cpu_s += *cpu;
      wall_s += *run.totals.wall_s;
    }
  }
  if (rss_bytes && *rss_bytes > 0) {
    card.rss_mb =
        std::round(static_cast<double>(*rss_bytes) / kMiB * 1000) / 1000;
  } else {
    warnings.push_back("rss_mb is left out: the Run has no peak memory");
  }
  const double share = std::round(100 * cpu_s / wall_s * 1000) / 1000;
  if (wall_s > 0 && share > 0) {
    card.cpu_share_percent = share;
  } else {
    warnings.push_back(
        "cpu_share_percent is left out: the Run has no CPU "
        "time");
  }
}

std::string NameOf(const Run& run, const CardRequest& request) {
  if (!request.name.empty()) {
    return request.name;
  }
  if (!run.label.empty()) {
    return run.label;
  }
  if (!run.command.empty()) {
    return std::filesystem::path(run.command.front()).filename().string();
  }
  return run.id;
}

void WarnOfRuns(std::span<const Run> runs, std::vector<std::string>& warnings) {
  const Run& first = runs.front();
  for (const Run& run : runs) {
    if (run.machine.fingerprint != first.machine.fingerprint) {
      warnings.push_back(fmt::format(
          "Runs {} and {} were made on different machines; a card is for one "
          "kind",
          first.id, run.id));
      break;
    }
  }
  for (const Run& run : runs) {
    if (run.command != first.command) {
      warnings.push_back(fmt::format("Runs {} and {} have different commands",
                                     first.id, run.id));
      break;
    }
  }
  if (const int64_t failed = CountFailed(runs); failed > 0) {
    warnings.push_back(fmt::format("{} of {} failed or were cut short", failed,
                                   FormatCount(std::ssize(runs), "Run")));
  }
}

}  // namespace

Result<MadeCard> MakeCard(const Store& store, std::span<const Run> runs,
                          const CardRequest& request) {
  if (auto checked = Check(runs, request); !checked) {
    return checked.error();
  }
  auto pools = PoolSamples(store, runs);
  if (!pools) {
    return pools.error();
  }
  const auto pool = ChoosePool(*pools, request);
  if (!pool) {
    return pool.error();
  }
  MadeCard made;
  auto subject = *pool != nullptr
                     ? FromSpans(**pool, request.cpu_time, made.warnings)
                     : FromRepeats(runs, request.cpu_time, made.warnings);
  if (!subject) {
    return subject.error();
  }
  if (subject->samples_ns.empty()) {
    return Error{ErrorCode::kNotFound,
                 subject->span.empty()
                     ? "the Run has no times, so no card can be made of it"
                     : fmt::format("no sample of '{}' is left after the "
                                   "warm-up; measure longer",
                                   subject->span)};
  }
  auto wcet = ChooseWcet(subject->samples_ns, &subject->rest, request);
  if (!wcet) {
    return wcet.error();
  }
  if (!(wcet->value_ns > 0)) {
    return Error{ErrorCode::kInvalid,
                 "all samples are 0 ns: there is nothing to make a card of"};
  }
  Card& card = made.card;
  card.name = NameOf(runs.front(), request);
  if (request.period_ns) {
    card.period_ms = static_cast<double>(*request.period_ns) / 1e6;
  }
  if (const auto deadline_ns =
          request.deadline_ns ? request.deadline_ns : request.period_ns) {
    card.deadline_ms = static_cast<double>(*deadline_ns) / 1e6;
  }
  card.wcet_ms = std::ceil(wcet->value_ns) / 1e6;
  if (subject->summary.mean.value_or(0) >= 1) {
    card.avg_ms = WholeNsAsMs(subject->summary.mean);
  }
  card.notes = request.notes;
  card.command = ShellQuote(runs.front().command);
  card.wcet_kind = wcet->kind;
  card.wcet_time = request.cpu_time ? "cpu" : "wall";
  card.wcet_confidence = wcet->confidence;
  card.wcet_quantile = wcet->quantile;
  card.wcet_exceedance = wcet->exceedance;
  FillNeeds(runs, card, made.warnings);
  FillGpuNeeds(runs, card, made.warnings);
  card.evidence = EvidenceOf(runs, subject->span, subject->summary);
  made.warnings.insert(made.warnings.end(), wcet->warnings.begin(),
                       wcet->warnings.end());
  WarnOfRuns(runs, made.warnings);
  if (subject->deadline_misses > 0) {
    made.warnings.push_back(
        fmt::format("{} {} missed in the Run itself",
                    FormatCount(subject->deadline_misses, "deadline"),
                    subject->deadline_misses == 1 ? "was" : "were"));
  }
  if (card.deadline_ms && *card.wcet_ms > *card.deadline_ms) {
    made.warnings.push_back(
        fmt::format("wcet_ms {} is larger than deadline_ms {}", *card.wcet_ms,
                    *card.deadline_ms));
  }
  return made;
}

}  // namespace edgewise
