#include "stacks/functions.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "stacks/function_table.h"

namespace edgewise::stacks {
namespace {

std::optional<stats::Interval> PercentInterval(double share,
                                               std::optional<double> samples) {
  if (!samples) {
    return std::nullopt;
  }
  const stats::Interval interval =
      stats::WilsonInterval(std::min(share, 1.0) * *samples, *samples);
  return stats::Interval{100 * interval.low, 100 * interval.high};
}

}  // namespace

std::optional<double> SamplesBehind(const StackProfile& profile) {
  if (profile.collection.samples > 0) {
    return static_cast<double>(profile.collection.samples);
  }
  const int64_t total = profile.total();
  if (profile.collection.unit == "samples" && total > 0) {
    return static_cast<double>(total);
  }
  return std::nullopt;
}

std::vector<FunctionUse> RankFunctions(const StackProfile& profile) {
  std::vector<FunctionUse> functions = CountFunctions(profile).functions;
  const auto whole = static_cast<double>(profile.total());
  std::erase_if(functions, [](const FunctionUse& use) {
    return use.kind == FrameKind::kMark || use.total == 0;
  });
  const std::optional<double> samples = SamplesBehind(profile);
  for (FunctionUse& use : functions) {
    const double self = static_cast<double>(use.self) / whole;
    const double total = static_cast<double>(use.total) / whole;
    use.self_percent = 100 * self;
    use.total_percent = 100 * total;
    use.self_interval = PercentInterval(self, samples);
    use.total_interval = PercentInterval(total, samples);
  }
  std::stable_sort(functions.begin(), functions.end(),
                   [](const FunctionUse& a, const FunctionUse& b) {
                     return std::tie(b.self, b.total, a.name, a.module) <
                            std::tie(a.self, a.total, b.name, b.module);
                   });
  return functions;
}

std::vector<LineUse> HotLines(const StackProfile& profile) {
  std::map<std::tuple<std::string_view, int, std::string_view>, int64_t> counts;
  for (const StackCount& count : profile.counts) {
    if (count.node < 0) {
      continue;
    }
    const auto node = static_cast<size_t>(count.node);
    const Frame& frame =
        profile.frames[static_cast<size_t>(profile.nodes[node].frame)];
    if (frame.line > 0 && !frame.file.empty()) {
      counts[{frame.file, frame.line, frame.function}] += count.count;
    }
  }
  const auto whole = static_cast<double>(profile.total());
  std::vector<LineUse> lines;
  for (const auto& [place, self] : counts) {
    const auto& [file, line, function] = place;
    if (self > 0) {
      lines.push_back({std::string(function), std::string(file), line, self,
                       100 * static_cast<double>(self) / whole});
    }
  }
  std::stable_sort(
      lines.begin(), lines.end(),
      [](const LineUse& a, const LineUse& b) { return a.self > b.self; });
  return lines;
}

}  // namespace edgewise::stacks
