#include "experiments/curve_laws.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace edgewise {
namespace {

constexpr std::string_view kScaling[] = {kThreadsKnob, kCpusKnob, kQuotaKnob};

KnobSetting WithoutScaling(KnobSetting setting) {
  for (const std::string_view knob : kScaling) {
    setting = Without(setting, knob);
  }
  return setting;
}

// Less of everything first.
std::pair<double, double> Size(const MeasuredPoint& point) {
  return {point.parallelism,
          KnobNumber(kThreadsKnob, ValueOf(point.setting, kThreadsKnob))
              .value_or(1)};
}

bool Measured(const MeasuredPoint& point) {
  return point[FigureKind::kThroughput].has_value();
}

// The points that differ in one knob only, by what they share.
std::map<std::string, std::vector<const MeasuredPoint*>> Families(
    const Curve& curve, std::string_view knob) {
  std::map<std::string, std::vector<const MeasuredPoint*>> families;
  for (const MeasuredPoint& point : curve.points) {
    if (Measured(point)) {
      families[FormatSetting(Without(point.setting, knob))].push_back(&point);
    }
  }
  return families;
}

CurveLaw FitFamily(std::string_view knob,
                   const std::vector<const MeasuredPoint*>& family) {
  CurveLaw law;
  law.knob = knob;
  law.fixed = Without(family.front()->setting, knob);
  std::vector<stats::ScalingPoint> points;
  for (const MeasuredPoint* point : family) {
    const auto n = KnobNumber(knob, ValueOf(point->setting, knob));
    for (const CurveRepeat& repeat : point->repeats) {
      if (const auto x = repeat.figures[FigureKind::kThroughput]; n && x) {
        points.push_back({*n, *x, 1});
      }
    }
  }
  auto amdahl = stats::FitScalingLaw(stats::ScalingLaw::kAmdahl, points);
  auto universal = stats::FitScalingLaw(stats::ScalingLaw::kUniversal, points);
  if (amdahl) {
    law.amdahl = *amdahl;
  } else {
    law.reason = amdahl.error().message;
  }
  if (universal) {
    law.universal = *universal;
  } else if (amdahl) {
    law.reason = universal.error().message;
  }
  if (amdahl && universal) {
    law.better = stats::BetterLaw(*amdahl, *universal);
  }
  return law;
}

}  // namespace

bool IsScaling(std::string_view knob) {
  return std::find(std::begin(kScaling), std::end(kScaling), knob) !=
         std::end(kScaling);
}

bool IsOpenLoop(const KnobSetting& setting) {
  return ValueOf(setting, kLoadKnob).starts_with("poisson:");
}

void AddSpeedUps(Curve* curve) {
  std::map<std::string, const MeasuredPoint*> bases;
  for (const MeasuredPoint& point : curve->points) {
    if (!Measured(point)) {
      continue;
    }
    const MeasuredPoint*& base =
        bases[FormatSetting(WithoutScaling(point.setting))];
    if (base == nullptr || Size(point) < Size(*base)) {
      base = &point;
    }
  }
  for (MeasuredPoint& point : curve->points) {
    const auto found = bases.find(FormatSetting(WithoutScaling(point.setting)));
    if (!Measured(point) || found == bases.end() || found->second == &point ||
        IsOpenLoop(point.setting)) {
      continue;
    }
    const MeasuredPoint& base = *found->second;
    point.base = base.name;
    point.speed_up = ComparePoints(base, point, FigureKind::kThroughput);
    if (point.speed_up->ratio && base.parallelism > 0) {
      point.efficiency =
          *point.speed_up->ratio * base.parallelism / point.parallelism;
    }
  }
}

void FitLaws(Curve* curve) {
  for (const std::string_view knob : kScaling) {
    const auto varied =
        std::find_if(curve->knobs.begin(), curve->knobs.end(),
                     [&](const Knob& k) { return k.name == knob; });
    // Quotas below a core are no count of anything.
    if (varied == curve->knobs.end() || varied->values.size() < 2 ||
        knob == kQuotaKnob) {
      continue;
    }
    for (const auto& [name, family] : Families(*curve, knob)) {
      if (family.size() > 1 && !IsOpenLoop(family.front()->setting)) {
        curve->laws.push_back(FitFamily(knob, family));
      }
    }
    break;  // one knob: cores do nothing more where threads are counted
  }
}

void CompareValues(Curve* curve) {
  for (const Knob& knob : curve->knobs) {
    if (IsScaling(knob.name) || knob.values.size() < 2) {
      continue;
    }
    for (const auto& [name, family] : Families(*curve, knob.name)) {
      for (const MeasuredPoint* point : family) {
        const MeasuredPoint& first = *family.front();
        if (point == &first) {
          continue;
        }
        ValueComparison comparison;
        comparison.knob = knob.name;
        comparison.value = ValueOf(point->setting, knob.name);
        comparison.against = ValueOf(first.setting, knob.name);
        comparison.fixed = Without(point->setting, knob.name);
        comparison.throughput =
            ComparePoints(first, *point, FigureKind::kThroughput);
        comparison.p50 = ComparePoints(first, *point, FigureKind::kP50);
        comparison.memory = ComparePoints(first, *point, FigureKind::kMemory);
        curve->comparisons.push_back(std::move(comparison));
      }
    }
  }
}

}  // namespace edgewise
