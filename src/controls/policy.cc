#include "controls/policy.h"

#include <array>
#include <optional>

#include "base/text.h"

namespace edgewise {
namespace {

struct NamedPolicy {
  std::string_view name;
  int policy;
};
constexpr std::array<NamedPolicy, 5> kPolicies = {{{"other", SCHED_OTHER},
                                                   {"batch", SCHED_BATCH},
                                                   {"idle", SCHED_IDLE},
                                                   {"fifo", SCHED_FIFO},
                                                   {"rr", SCHED_RR}}};

}  // namespace

Result<SchedulingPolicy> ParsePolicy(std::string_view text) {
  const Error error{ErrorCode::kInvalid,
                    "the policy \"" + std::string(text) +
                        "\" is not one of other, batch, idle, fifo:PRIORITY "
                        "and rr:PRIORITY (priority 1 to 99): write e.g. "
                        "fifo:50"};
  const size_t colon = text.find(':');
  for (const NamedPolicy& named : kPolicies) {
    if (text.substr(0, colon) != named.name) {
      continue;
    }
    SchedulingPolicy policy{named.policy, 0};
    if (policy.realtime() != (colon != std::string_view::npos)) {
      return error;
    }
    if (policy.realtime()) {
      const auto priority = ParseInt(text.substr(colon + 1));
      if (!priority || *priority < 1 || *priority > 99) {
        return error;
      }
      policy.priority = static_cast<int>(*priority);
    }
    return policy;
  }
  return error;
}

std::string FormatPolicy(const SchedulingPolicy& policy) {
  for (const NamedPolicy& named : kPolicies) {
    if (named.policy == policy.policy) {
      std::string text(named.name);
      if (policy.realtime()) {
        text += ":" + std::to_string(policy.priority);
      }
      return text;
    }
  }
  return "policy " + std::to_string(policy.policy);
}

}  // namespace edgewise
