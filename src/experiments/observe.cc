#include "experiments/observe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "base/byte_code.h"
#include "base/clock.h"
#include "base/text.h"
#include "store/samples.h"

namespace edgewise {
namespace {

constexpr size_t kMostWindows = 10;

struct NamedSamples {
  std::vector<SpanSamples> all;

  // The named one, or that in which most of the time is spent.
  const SpanSamples* Find(const std::string& name) const {
    const SpanSamples* found = nullptr;
    double most = -1;
    for (const SpanSamples& samples : all) {
      if (!name.empty()) {
        if (samples.name == name) {
          return &samples;
        }
        continue;
      }
      double total = 0;
      for (const double ns : samples.wall_ns) {
        total += ns;
      }
      if (total > most) {
        most = total;
        found = &samples;
      }
    }
    return found;
  }
};

Result<NamedSamples> LoadAll(const Store& store, const Run& run) {
  const auto series = store.SeriesOf(run.id);
  if (!series) {
    return series.error();
  }
  NamedSamples samples;
  for (const SeriesInfo& info : *series) {
    if (HasSamples(info)) {
      auto loaded = LoadSamples(store, run, info);
      if (!loaded) {
        return loaded.error();
      }
      samples.all.push_back(std::move(*loaded));
    }
  }
  return samples;
}

Error NoSpan(const Target& target, const NamedSamples& samples) {
  if (samples.all.empty()) {
    return {ErrorCode::kInvalid,
            fmt::format("the target {} needs spans, and the program recorded "
                        "none: use the in-app library, or aim at wall<=TIME",
                        target.text)};
  }
  std::vector<std::string> names;
  for (const SpanSamples& each : samples.all) {
    names.push_back(each.name);
  }
  return {ErrorCode::kInvalid,
          fmt::format("the target {} names a span that the program did not "
                      "record: choose from {}",
                      target.text, Join(names, ", "))};
}

Result<TargetSamples> ObserveSpan(const Target& target,
                                  const SpanSamples& samples) {
  TargetSamples observation;
  observation.items = static_cast<int64_t>(samples.wall_ns.size()) +
                      (samples.digest ? samples.digest->count() : 0);
  if (target.kind == TargetKind::kRate) {
    std::vector<int64_t> ends;
    for (size_t i = 0; i < samples.wall_ns.size(); ++i) {
      ends.push_back(WrappingSum(samples.start_ns[i],
                                 static_cast<int64_t>(samples.wall_ns[i])));
    }
    observation.samples = RatesOf(std::move(ends));
    return observation;
  }
  if (target.kind == TargetKind::kMisses && !samples.are_jobs) {
    return Error{ErrorCode::kInvalid,
                 fmt::format("the target {} needs deadlines, and {} has none: "
                             "use a periodic activity (or --period of a sample "
                             "application)",
                             target.text, samples.name)};
  }
  observation.misses = samples.deadline_misses;
  observation.samples =
      samples.are_jobs ? samples.response_ns : samples.wall_ns;
  return observation;
}

}  // namespace

std::vector<double> RatesOf(std::vector<int64_t> ends_ns) {
  std::sort(ends_ns.begin(), ends_ns.end());
  if (ends_ns.size() < 2 || ends_ns.front() == ends_ns.back()) {
    return {};
  }
  const size_t windows =
      std::clamp<size_t>((ends_ns.size() - 1) / 2, 1, kMostWindows);
  const auto first = static_cast<double>(ends_ns.front());
  const double length = (static_cast<double>(ends_ns.back()) - first) /
                        static_cast<double>(windows);
  // Items done by then, the one under way by its share.
  const auto done_by = [&ends_ns](double time) {
    const auto after = std::upper_bound(
        ends_ns.begin(), ends_ns.end(), time,
        [](double t, int64_t end) { return t < static_cast<double>(end); });
    if (after == ends_ns.begin()) {
      return 0.0;
    }
    const auto whole = static_cast<double>(after - ends_ns.begin()) - 1;
    if (after == ends_ns.end()) {
      return whole;
    }
    const auto last = static_cast<double>(*(after - 1));
    return whole + (time - last) / (static_cast<double>(*after) - last);
  };
  std::vector<double> rates;
  double before = 0;
  for (size_t i = 1; i <= windows; ++i) {
    const double done = i == windows
                            ? static_cast<double>(ends_ns.size() - 1)
                            : done_by(first + length * static_cast<double>(i));
    rates.push_back((done - before) * static_cast<double>(kNsPerSecond) /
                    length);
    before = done;
  }
  return rates;
}

Result<std::vector<TargetSamples>> Observe(const Store& store, const Run& run,
                                           std::span<const Target> targets) {
  const auto samples = LoadAll(store, run);
  if (!samples) {
    return samples.error();
  }
  std::vector<TargetSamples> observations;
  for (const Target& target : targets) {
    if (target.kind == TargetKind::kWall) {
      TargetSamples wall;
      wall.items = 1;
      if (run.totals.wall_s) {
        wall.samples = {*run.totals.wall_s * static_cast<double>(kNsPerSecond)};
      }
      observations.push_back(std::move(wall));
      continue;
    }
    const SpanSamples* span = samples->Find(target.span);
    if (span == nullptr) {
      return NoSpan(target, *samples);
    }
    auto observed = ObserveSpan(target, *span);
    if (!observed) {
      return observed.error();
    }
    observations.push_back(std::move(*observed));
  }
  return observations;
}

}  // namespace edgewise
