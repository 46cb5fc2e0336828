#include "experiments/curve_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "experiments/curve_laws.h"
#include "experiments/ratio_text.h"

namespace edgewise {
namespace {

// Points this close to the fastest are as good, and the smallest wins.
constexpr double kNearlyBest = 0.97;

std::optional<double> Threads(const MeasuredPoint& point) {
  return KnobNumber(kThreadsKnob, ValueOf(point.setting, kThreadsKnob));
}
std::optional<double> Cores(const MeasuredPoint& point) {
  return KnobNumber(kCpusKnob, ValueOf(point.setting, kCpusKnob));
}

std::string Counted(double n, const char* noun) {
  return fmt::format("{:g} {}{}", n, noun, n == 1 ? "" : "s");
}

double ThroughputOf(const MeasuredPoint& point) {
  const auto& throughput = point[FigureKind::kThroughput];
  return throughput ? throughput->value : 0;
}

// The smallest of the points that are about as fast as the fastest.
const MeasuredPoint* BestPoint(const Curve& curve) {
  const MeasuredPoint* best = nullptr;
  double most = 0;
  for (const MeasuredPoint& point : curve.points) {
    if (!IsOpenLoop(point.setting)) {
      most = std::max(most, ThroughputOf(point));
    }
  }
  const auto size = [](const MeasuredPoint& p) {
    return std::pair(p.parallelism, Threads(p).value_or(1));
  };
  for (const MeasuredPoint& point : curve.points) {
    if (!IsOpenLoop(point.setting) && most > 0 &&
        ThroughputOf(point) >= kNearlyBest * most &&
        (best == nullptr || size(point) < size(*best))) {
      best = &point;
    }
  }
  return best;
}

const MeasuredPoint* PointNamed(const Curve& curve, const std::string& name) {
  const auto found =
      std::find_if(curve.points.begin(), curve.points.end(),
                   [&](const MeasuredPoint& p) { return p.name == name; });
  return found == curve.points.end() ? nullptr : &*found;
}

// "12% more", "a third less"; nullopt where no difference was shown.
std::optional<std::string> PercentChange(const stats::Comparison& comparison) {
  if (!comparison.ratio ||
      comparison.verdict == stats::Verdict::kNoDifference ||
      comparison.verdict == stats::Verdict::kInsufficient) {
    return std::nullopt;
  }
  return fmt::format("{:.0f}%", std::abs(*comparison.ratio - 1) * 100);
}

// What threads beyond the cores do to the tail: of the worst such point
// against the one with a thread for each core.
std::string Oversubscribed(const Curve& curve) {
  std::string sentence;
  double worst = 0;
  for (const MeasuredPoint& many : curve.points) {
    const auto threads = Threads(many);
    const double cores = Cores(many).value_or(many.parallelism);
    if (!threads || *threads <= cores) {
      continue;
    }
    for (const MeasuredPoint& fit : curve.points) {
      if (Threads(fit) != cores || Without(fit.setting, kThreadsKnob) !=
                                       Without(many.setting, kThreadsKnob)) {
        continue;
      }
      const stats::Comparison p99 = ComparePoints(fit, many, FigureKind::kP99);
      const auto change = PercentChange(p99);
      if (change && std::abs(std::log(*p99.ratio)) > worst) {
        worst = std::abs(std::log(*p99.ratio));
        sentence = *p99.ratio > 1
                       ? "more threads than cores cost " + *change + " p99"
                       : "more threads than cores save " + *change + " p99";
      }
    }
  }
  return sentence;
}

std::string OnScaling(const Curve& curve) {
  const MeasuredPoint* best = BestPoint(curve);
  const bool scaled =
      std::any_of(curve.knobs.begin(), curve.knobs.end(), [](const Knob& knob) {
        return IsScaling(knob.name) && knob.values.size() > 1;
      });
  if (best == nullptr || !scaled) {
    return "";
  }
  std::string sentence = DescribeSetting(best->setting);
  if (best->speed_up) {
    const MeasuredPoint* base = PointNamed(curve, best->base);
    sentence += ": " + RatioText(*best->speed_up) + " the throughput of " +
                DescribeSetting(base->setting);
  } else {
    sentence += ": nothing else is faster by more than 3%";
  }
  const std::string oversubscribed = Oversubscribed(curve);
  if (!oversubscribed.empty()) {
    sentence += "; " + oversubscribed;
  }
  return sentence;
}

// Only where throughput was shown to fall again beyond some number.
std::string OnLaw(const CurveLaw& law) {
  if (!law.universal || !law.universal->best_n ||
      law.universal->coherency.low.value_or(0) <= 0) {
    return "";
  }
  const double best = law.universal->best_n->value;
  std::string text = fmt::format(
      "the Universal Scalability Law foretells most throughput at {:.1f} {}",
      best, law.knob == kCpusKnob ? "cores" : "threads");
  if (!law.fixed.empty()) {
    text += " (" + DescribeSetting(law.fixed) + ")";
  }
  if (best > law.universal->largest_n) {
    text += ", beyond what was measured";
  }
  return text;
}

std::string OnValue(const ValueComparison& c) {
  std::string text = c.knob + " " + c.value + " instead of " + c.against;
  if (!c.fixed.empty()) {
    text += " (" + DescribeSetting(c.fixed) + ")";
  }
  return text + ": p50 " + RatioText(c.p50) + ", throughput " +
         RatioText(c.throughput) + ", memory " + RatioText(c.memory);
}

}  // namespace

std::string DescribeSetting(const KnobSetting& setting) {
  std::string text;
  const auto add = [&text](const std::string& part, const char* before) {
    text += text.empty() ? part : before + part;
  };
  const std::string_view threads = ValueOf(setting, kThreadsKnob);
  const std::string_view cpus = ValueOf(setting, kCpusKnob);
  if (const auto n = KnobNumber(kThreadsKnob, threads)) {
    add(Counted(*n, "thread"), "");
  }
  if (const auto n = KnobNumber(kCpusKnob, cpus)) {
    add(Counted(*n, "core"), " on ");
  }
  for (const KnobValue& knob : setting) {
    if (knob.name == kThreadsKnob || knob.name == kCpusKnob) {
      continue;
    }
    if (const auto n = KnobNumber(kQuotaKnob, knob.value);
        n && knob.name == kQuotaKnob) {
      add("a quota of " + Counted(*n, "core"), " with ");
    } else {
      add(knob.name + " " + knob.value, ", ");
    }
  }
  return text.empty() ? "as it is" : text;
}

std::vector<std::string> AdviseOn(const Curve& curve) {
  std::vector<std::string> advice;
  const auto add = [&advice](std::string sentence) {
    if (!sentence.empty()) {
      advice.push_back(std::move(sentence));
    }
  };
  add(OnScaling(curve));
  for (const CurveLaw& law : curve.laws) {
    add(OnLaw(law));
  }
  for (const ValueComparison& comparison : curve.comparisons) {
    add(OnValue(comparison));
  }
  return advice;
}

}  // namespace edgewise
