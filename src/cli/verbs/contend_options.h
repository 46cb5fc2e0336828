// The options of `contend`, and what they ask for.
#ifndef EDGEWISE_CLI_VERBS_CONTEND_OPTIONS_H_
#define EDGEWISE_CLI_VERBS_CONTEND_OPTIONS_H_

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "experiments/contend.h"

namespace CLI {
class App;
}  // namespace CLI

namespace edgewise::cli {

// As typed; empty where not given.
struct ContendOptions {
  ContendMode mode = ContendMode::kBaseline;
  std::vector<std::string> apps;
  std::vector<std::string> beside;
  std::vector<std::string> spans;
  std::string cpus;
  std::string duration;
  std::string warmup;
  std::string settle;
  std::string kinds;
  std::string dials;
  std::optional<int> repeat;
  std::optional<int> deployments;
  uint64_t seed = 1;
  std::vector<std::string> cards;
  std::string svg;
  std::string html;
  bool json = false;
  // Of campaigns: cli/verbs/contend_tenants.h.
  std::vector<std::string> tenants;
  std::string server;
  std::string out;
  std::string budget;
  std::string target;
  std::string quotas;
};

void AddContendOptions(CLI::App& verb, ContendOptions& options);

// What they stand for, checked; the error names the flag.
Result<ContendRequest> RequestFrom(const ContendOptions& options,
                                   const std::filesystem::path& home);
// --stress and --dials; left as they are where not given.
Result<void> ReadStressors(const ContendOptions& options,
                           std::vector<StressKind>* kinds,
                           std::vector<double>* dials);
// The file of each app's card, by name.
Result<std::map<std::string, std::string>> CardFiles(
    const ContendOptions& options, const ContendRequest& request);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_CONTEND_OPTIONS_H_
