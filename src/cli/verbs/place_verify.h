// `place --verify`: placements deployed on this machine and measured there, or
// replayed in the simulator.
#ifndef EDGEWISE_CLI_VERBS_PLACE_VERIFY_H_
#define EDGEWISE_CLI_VERBS_PLACE_VERIFY_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/verbs/place_inputs.h"
#include "orchestration/problem.h"
#include "report/verification_text.h"

namespace CLI {
class App;
}  // namespace CLI

namespace edgewise::cli {

struct VerifyOptions {
  bool verify = false;
  // nullopt: what the slowest promise needs, from 30 s to 5 min.
  std::optional<std::string> time;
  std::vector<std::string> tenants = {"nine"};
};

void AddVerifyOptions(CLI::App& verb, VerifyOptions& options);

// Before a long search: whether the time can be read and, where every server
// has cpus of this machine, whether there are tenants to deploy for every
// request.
Result<void> CheckVerify(const VerifyOptions& options,
                         const orchestration::Instance& instance,
                         const std::filesystem::path& home);

// A placement to be verified.
struct NamedPlacement {
  std::string placed_by;
  orchestration::Assignment assignment;
};

// Deploys one after the other where every server that is used has cpus of this
// machine. An error with kBusy was asked for: a signal came.
Result<Verification> Verify(const VerifyOptions& options,
                            const PlaceQuestion& question,
                            const orchestration::Problem& problem,
                            const std::vector<NamedPlacement>& placements,
                            uint64_t seed, const std::filesystem::path& home);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_PLACE_VERIFY_H_
