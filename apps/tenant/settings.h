// What the tenant program takes on its command line.
#ifndef EDGEWISE_APPS_TENANT_SETTINGS_H_
#define EDGEWISE_APPS_TENANT_SETTINGS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
}

namespace edgewise::apps {

struct TenantSettings {
  std::string name;                  // in the rows of --requests
  std::string service;               // or
  std::optional<std::string> lines;  // what each line says; or
  std::vector<std::string> urls;     // one, or one for each replica
  std::vector<std::string> command;
  double rate_per_s = 0;          // of each replica; 0: as in the trace
  std::vector<int64_t> trace_ns;  // arrivals after the begin, ascending
  int replicas = 1;
  int queue = 256;
  int scale = 1;
  uint64_t seed = 1;
  std::optional<int64_t> items;  // of each replica
  std::optional<int64_t> duration_ns;
  std::string requests;             // a file; or empty
  std::optional<int64_t> epoch_ns;  // what its times count from
  bool json = false;
};

class TenantFlags {
 public:
  // This object must outlive `app`.
  void AddTo(CLI::App& app);
  // What follows --, as it is: parsers of options take brackets and commas of
  // words apart.
  void TakeCommand(std::vector<std::string> words) {
    plain_.command = std::move(words);
  }
  bool list() const { return list_; }
  // The error names the flag.
  Result<TenantSettings> Check() const;

 private:
  Result<void> CheckArrivals(TenantSettings& settings) const;

  TenantSettings plain_;
  std::string rate_, trace_, arrivals_, duration_;
  bool list_ = false;
};

// A line for each service.
std::string ListServices();
// One arrival in seconds a line, ascending; "#" begins a comment.
Result<std::vector<int64_t>> ReadTrace(const std::string& path);

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_TENANT_SETTINGS_H_
