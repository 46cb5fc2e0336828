// How decisions are said in words.
#ifndef EDGEWISE_CONTROL_REASONS_H_
#define EDGEWISE_CONTROL_REASONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "control/allocate.h"
#include "control/decision.h"
#include "control/observation.h"

namespace edgewise::control {

std::string JoinedWhy(const AppObservation& app);

std::string QuotaWhat(std::optional<double> from, std::optional<double> to);
// `decision` has what it was decided on.
std::string QuotaWhy(const Decision& decision, std::optional<double> before,
                     bool missing, bool gives_way);
std::string NoHelpWhy(const Decision& decision);

using KnobValues = std::vector<std::pair<std::string, double>>;
std::string KnobWhat(const KnobValues& from, const KnobValues& to);
std::string KnobWhy(const Decision& decision, double cores_before,
                    double cores_after);

std::string WayWhat(const AppGrant& grant);
std::string WayWhy(const Decision& decision, const AppGrant& grant,
                   double weight);

struct MemoryReason {
  std::optional<int64_t> limit_bytes;
  std::optional<int64_t> working_set_bytes;
  std::optional<int64_t> available_bytes;
  int64_t reserve_bytes = 0;
  bool for_shortage = false;
};
std::string MemoryWhat(std::optional<int64_t> from, std::optional<int64_t> to);
std::string MemoryWhy(const MemoryReason& reason);

}  // namespace edgewise::control

#endif  // EDGEWISE_CONTROL_REASONS_H_
