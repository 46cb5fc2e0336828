#include "scheduling/plan.h"

#include <array>

namespace edgewise {
namespace {

constexpr std::array<std::string_view, 6> kExecutors{
    "edf", "edf-preemptive", "fifo", "rr", "deadline", "other"};
constexpr std::array<std::string_view, 3> kMissPolicies{"finish", "skip",
                                                        "abort"};

template <typename T, size_t N>
std::optional<T> Find(const std::array<std::string_view, N>& names,
                      std::string_view name) {
  for (size_t i = 0; i < N; ++i) {
    if (names[i] == name) {
      return static_cast<T>(i);
    }
  }
  return std::nullopt;
}

}  // namespace

std::string_view ExecutorName(Executor executor) {
  return kExecutors[static_cast<size_t>(executor)];
}

std::optional<Executor> ParseExecutor(std::string_view name) {
  return Find<Executor>(kExecutors, name);
}

std::string_view MissPolicyName(MissPolicy policy) {
  return kMissPolicies[static_cast<size_t>(policy)];
}

std::optional<MissPolicy> ParseMissPolicy(std::string_view name) {
  return Find<MissPolicy>(kMissPolicies, name);
}

}  // namespace edgewise
