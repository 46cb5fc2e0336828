#include "report/html.h"

#include <optional>
#include <utility>
#include <vector>

#include "report/page_data.h"
#include "report/viewer.h"
#include "stacks/difference.h"

namespace edgewise {
namespace {

// The stacks of all Runs of a side together; nullopt if none has any.
Result<std::optional<stacks::StackProfile>> StacksOfSide(
    const Store& store, const std::vector<Run>& runs) {
  std::vector<stacks::StackProfile> profiles;
  for (const Run& run : runs) {
    auto stacks = store.StacksOf(run.id);
    if (!stacks) {
      return stacks.error();
    }
    if (*stacks) {
      profiles.push_back(std::move(**stacks));
    }
  }
  if (profiles.empty()) {
    return std::optional<stacks::StackProfile>();
  }
  return std::optional(stacks::MergedProfile(profiles));
}

const stacks::StackProfile* OrNull(
    const std::optional<stacks::StackProfile>& stacks) {
  return stacks ? &*stacks : nullptr;
}

}  // namespace

Result<std::string> RunHtml(const Store& store, const Run& run) {
  const auto analysis = Analyse(store, run, kChartDetail);
  if (!analysis) {
    return analysis.error();
  }
  const auto stacks = store.StacksOf(run.id);
  if (!stacks) {
    return stacks.error();
  }
  return ViewerPage(RunPageData(run, *analysis, OrNull(*stacks)));
}

Result<std::string> CompareHtml(const Store& store, const Run& a, const Run& b,
                                RunComparison* comparison) {
  auto compared = CompareRuns(store, a, b, kChartDetail);
  if (!compared) {
    return compared.error();
  }
  *comparison = std::move(*compared);
  const auto stacks_a = StacksOfSide(store, comparison->a);
  if (!stacks_a) {
    return stacks_a.error();
  }
  const auto stacks_b = StacksOfSide(store, comparison->b);
  if (!stacks_b) {
    return stacks_b.error();
  }
  return ViewerPage(
      ComparePageData(*comparison, OrNull(*stacks_a), OrNull(*stacks_b)));
}

}  // namespace edgewise
