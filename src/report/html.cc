#include "report/html.h"

#include <optional>
#include <utility>

#include "report/page_data.h"
#include "report/viewer.h"

namespace edgewise {
namespace {

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
  const auto stacks_a = PooledStacks(store, comparison->a);
  if (!stacks_a) {
    return stacks_a.error();
  }
  const auto stacks_b = PooledStacks(store, comparison->b);
  if (!stacks_b) {
    return stacks_b.error();
  }
  return ViewerPage(
      ComparePageData(*comparison, OrNull(*stacks_a), OrNull(*stacks_b)));
}

}  // namespace edgewise
