// Promises of placements against what was measured or replayed.
#ifndef EDGEWISE_REPORT_VERIFICATION_TEXT_H_
#define EDGEWISE_REPORT_VERIFICATION_TEXT_H_

#include <optional>
#include <string>
#include <vector>

#include "orchestration/problem.h"
#include "orchestration/promise_seen.h"
#include "report/table.h"

namespace edgewise {

struct VerifiedPlacement {
  std::string placed_by;  // "edgewise", "first-fit"
  orchestration::Assignment assignment;
  // By request; empty where it was not deployed.
  std::vector<orchestration::PromiseSeen> measured;
  std::vector<orchestration::PromiseSeen> simulated;

  // What counts: measured if it was, else simulated.
  const std::vector<orchestration::PromiseSeen>& seen() const {
    return measured.empty() ? simulated : measured;
  }
};

struct Verification {
  const orchestration::Problem& problem;
  double seconds = 0;  // of each measurement
  // Why nothing was deployed: "server3 is not on this machine"; empty: it was.
  std::string only_simulated;
  std::vector<VerifiedPlacement> placements;  // the first is edgewise's

  double risk() const { return 1 - problem.confidence(); }
  // More promises of the first were broken than the risk allows.
  bool Broken() const;
  // How long a measurement would have to be for a verdict on each promise of
  // the first; nullopt: there is one on each.
  std::optional<double> SecondsNeeded() const;
};

// How promises of a placement came out.
struct VerdictCount {
  int64_t kept = 0;
  int64_t broken = 0;
  int64_t unknown = 0;
  int64_t kept_micros = 0;  // pay of promises that were kept
};
VerdictCount CountVerdicts(const Verification& verification,
                           const VerifiedPlacement& placement);
// Of a request that stands somewhere.
std::optional<orchestration::ResponseTime> PredictedOf(
    const orchestration::Problem& problem,
    const orchestration::Assignment& assignment, size_t request);

std::string VerificationText(const Verification& verification,
                             const TextStyle& style);
std::string VerificationJson(const Verification& verification);
// For pages.
std::string VerificationSummary(const Verification& verification);
std::vector<Table> VerificationTables(const Verification& verification);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_VERIFICATION_TEXT_H_
