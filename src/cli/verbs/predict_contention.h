// `edgewise predict --contention`: response times of tenants that share a
// server.
#ifndef EDGEWISE_CLI_VERBS_PREDICT_CONTENTION_H_
#define EDGEWISE_CLI_VERBS_PREDICT_CONTENTION_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace edgewise::cli {

struct ContentionQuestion {
  std::vector<std::string> campaigns;
  std::vector<std::string> tenants;
  std::string server;
};

void AddContentionQuestion(CLI::App& verb, ContentionQuestion& question);
int PredictContention(const ContentionQuestion& question, bool json);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_PREDICT_CONTENTION_H_
