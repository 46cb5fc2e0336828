#include "stacks/difference.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "stacks/function_table.h"

namespace edgewise::stacks {
namespace {

constexpr double kLevel = 0.05;

struct Side {
  double whole = 0;  // sum of counts
  std::optional<double> samples;
  // CPU time of one Run that a count stands for.
  std::optional<double> count_s;

  double Share(int64_t count) const {
    return std::min(1.0, static_cast<double>(count) / whole);
  }
};

Side SideOf(const StackProfile& profile) {
  Side side{static_cast<double>(profile.total()), SamplesBehind(profile),
            std::nullopt};
  const Collection& collection = profile.collection;
  if (collection.rate_hz && *collection.rate_hz > 0 && side.samples &&
      collection.unit == "samples") {
    side.count_s =
        1 / (*collection.rate_hz *
             static_cast<double>(std::max<int64_t>(collection.runs, 1)));
  }
  return side;
}

// Samples come like events of a Poisson process: a count's variance is the
// count, times what a sample stands for. One is added to each, so that what
// was never seen is not known to be 0.
std::optional<TimeChange> ChangeOfTime(int64_t count_a, const Side& a,
                                       int64_t count_b, const Side& b,
                                       double* p_value) {
  if (!a.count_s || !b.count_s) {
    return std::nullopt;
  }
  const auto variance = [](int64_t count, const Side& side) {
    const double weight = side.whole / *side.samples;
    return (static_cast<double>(count) + weight) * weight * *side.count_s *
           *side.count_s;
  };
  TimeChange change;
  change.a_s = static_cast<double>(count_a) * *a.count_s;
  change.b_s = static_cast<double>(count_b) * *b.count_s;
  const double difference = change.b_s - change.a_s;
  const double deviation =
      std::sqrt(variance(count_a, a) + variance(count_b, b));
  constexpr double kNormal95 = 1.959964;
  change.interval = {difference - kNormal95 * deviation,
                     difference + kNormal95 * deviation};
  *p_value = std::erfc(std::fabs(difference) / deviation / std::sqrt(2.0));
  return change;
}

ShareChange Change(int64_t count_a, const Side& a, int64_t count_b,
                   const Side& b) {
  ShareChange change;
  const double share_a = a.Share(count_a);
  const double share_b = b.Share(count_b);
  change.a_percent = 100 * share_a;
  change.b_percent = 100 * share_b;
  change.points = change.b_percent - change.a_percent;
  if (a.samples && b.samples) {
    const double hits_a = share_a * *a.samples;
    const double hits_b = share_b * *b.samples;
    const stats::Interval interval =
        stats::ShareDifferenceInterval(hits_a, *a.samples, hits_b, *b.samples);
    change.interval = stats::Interval{100 * interval.low, 100 * interval.high};
    change.p_value =
        stats::ShareDifferencePValue(hits_a, *a.samples, hits_b, *b.samples);
  }
  double p_value = 1;
  change.time = ChangeOfTime(count_a, a, count_b, b, &p_value);
  if (change.time) {
    change.p_value = p_value;
  }
  return change;
}

// Adjusts the p-values of one figure of all functions, and judges by them.
void Judge(ShareChange FunctionChange::*figure,
           std::vector<FunctionChange>* changes) {
  std::vector<double> p_values;
  for (const FunctionChange& change : *changes) {
    p_values.push_back((change.*figure).p_value.value_or(1));
  }
  const std::vector<double> adjusted = stats::HolmAdjusted(p_values);
  for (size_t i = 0; i < changes->size(); ++i) {
    ShareChange& change = (*changes)[i].*figure;
    if (!change.p_value) {
      continue;
    }
    change.p_value = adjusted[i];
    if (adjusted[i] > kLevel) {
      change.verdict = stats::Verdict::kNoDifference;
    } else {
      const double grown =
          change.time ? change.time->b_s - change.time->a_s : change.points;
      change.verdict =
          grown > 0 ? stats::Verdict::kSlower : stats::Verdict::kFaster;
    }
  }
}

// How much has changed, in seconds or in points; all functions alike.
double SizeOf(const ShareChange& change) {
  return std::fabs(change.time ? change.time->b_s - change.time->a_s
                               : change.points);
}

void SetPercents(const ShareChange& self, const ShareChange& total,
                 double ShareChange::*side, FunctionUse* use) {
  use->self_percent = self.*side;
  use->total_percent = total.*side;
}

}  // namespace

std::vector<FunctionChange> CompareFunctions(const StackProfile& a,
                                             const StackProfile& b) {
  const Side side_a = SideOf(a);
  const Side side_b = SideOf(b);
  std::vector<FunctionChange> changes;
  if (side_a.whole <= 0 || side_b.whole <= 0) {
    return changes;
  }
  std::unordered_map<std::string, size_t> places;
  const auto add = [&](FunctionUse use, FunctionUse FunctionChange::*mine,
                       FunctionUse FunctionChange::*other) {
    if (use.kind == FrameKind::kMark || use.total == 0) {
      return;
    }
    const auto [place, is_new] =
        places.try_emplace(FunctionKey(use), changes.size());
    if (is_new) {
      FunctionChange change;
      change.*other = use;
      (change.*other).self = 0;
      (change.*other).total = 0;
      changes.push_back(std::move(change));
    }
    changes[place->second].*mine = std::move(use);
  };
  for (FunctionUse& use : CountFunctions(a).functions) {
    add(std::move(use), &FunctionChange::a, &FunctionChange::b);
  }
  for (FunctionUse& use : CountFunctions(b).functions) {
    add(std::move(use), &FunctionChange::b, &FunctionChange::a);
  }
  for (FunctionChange& each : changes) {
    each.self = Change(each.a.self, side_a, each.b.self, side_b);
    each.total = Change(each.a.total, side_a, each.b.total, side_b);
    SetPercents(each.self, each.total, &ShareChange::a_percent, &each.a);
    SetPercents(each.self, each.total, &ShareChange::b_percent, &each.b);
  }
  Judge(&FunctionChange::self, &changes);
  Judge(&FunctionChange::total, &changes);
  std::stable_sort(
      changes.begin(), changes.end(),
      [](const FunctionChange& x, const FunctionChange& y) {
        return std::tuple(-SizeOf(x.self), -SizeOf(x.total), x.a.name) <
               std::tuple(-SizeOf(y.self), -SizeOf(y.total), y.a.name);
      });
  return changes;
}

DiffTree MakeDiffTree(const StackProfile& a, const StackProfile& b,
                      bool with_process) {
  DiffTree tree;
  tree.total_a = a.total();
  tree.total_b = b.total();
  std::unordered_map<std::string, int32_t> functions;
  std::unordered_map<uint64_t, int32_t> places;  // parent and function
  const auto child = [&](int32_t parent, int32_t function,
                         const std::string& name, FrameKind kind) {
    const uint64_t key = static_cast<uint64_t>(static_cast<uint32_t>(parent))
                             << 32 |
                         static_cast<uint32_t>(function);
    const auto [place, is_new] =
        places.try_emplace(key, static_cast<int32_t>(tree.nodes.size()));
    if (is_new) {
      tree.nodes.push_back({parent, name, kind, 0, 0});
    }
    return place->second;
  };
  const auto add = [&](const StackProfile& profile, int64_t DiffNode::*count) {
    const FunctionTable table = CountFunctions(profile);
    std::vector<int32_t> ids;  // of functions, alike in both profiles
    for (const FunctionUse& use : table.functions) {
      ids.push_back(functions
                        .try_emplace(FunctionKey(use),
                                     static_cast<int32_t>(functions.size()))
                        .first->second);
    }
    std::vector<int32_t> path;
    for (const StackCount& each : profile.counts) {
      path.clear();
      for (int32_t node = each.node; node >= 0;
           node = profile.nodes[static_cast<size_t>(node)].parent) {
        path.push_back(profile.nodes[static_cast<size_t>(node)].frame);
      }
      int32_t at = -1;
      const auto step = [&](int32_t function, const std::string& name,
                            FrameKind kind) {
        at = child(at, function, name, kind);
        tree.nodes[static_cast<size_t>(at)].*count += each.count;
      };
      if (with_process) {
        const std::string& process =
            profile.threads[static_cast<size_t>(each.thread)].process;
        const auto id = functions
                            .try_emplace("process " + process,
                                         static_cast<int32_t>(functions.size()))
                            .first->second;
        step(id, process, FrameKind::kMark);
      }
      for (size_t i = path.size(); i-- > 0;) {
        const auto frame = static_cast<size_t>(path[i]);
        const auto function = static_cast<size_t>(table.of_frame[frame]);
        step(ids[function], profile.frames[frame].function,
             profile.frames[frame].kind);
      }
    }
  };
  add(a, &DiffNode::count_a);
  add(b, &DiffNode::count_b);
  return tree;
}

}  // namespace edgewise::stacks
