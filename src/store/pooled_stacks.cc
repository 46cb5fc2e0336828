#include <utility>

#include "stacks/difference.h"
#include "store/analysis.h"

namespace edgewise {

Result<std::optional<stacks::StackProfile>> PooledStacks(
    const Store& store, std::span<const Run> runs) {
  std::vector<stacks::StackProfile> profiles;
  for (const Run& run : runs) {
    auto profile = store.StacksOf(run.id);
    if (!profile) {
      return profile.error();
    }
    if (*profile) {
      profiles.push_back(**std::move(profile));
    }
  }
  if (profiles.empty()) {
    return std::optional<stacks::StackProfile>();
  }
  return std::optional<stacks::StackProfile>(
      profiles.size() == 1 ? std::move(profiles.front())
                           : stacks::MergedProfile(profiles));
}

}  // namespace edgewise
