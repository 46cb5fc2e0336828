// Tenant: an application that answers requests, and how it is asked
// (docs/formats/tenant.md).
#ifndef EDGEWISE_TENANTS_TENANT_H_
#define EDGEWISE_TENANTS_TENANT_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace edgewise::tenants {

// How a request reaches a replica.
enum class Asking {
  kService,  // a service of the tenant program itself
  kLines,  // a line to stdin of the command, a line of its stdout is the answer
  kHttp,   // GET of an address
};

struct Tenant {
  std::string name;  // plain, unique within a campaign
  Asking asking = Asking::kService;
  std::string service;               // of kService: "gcn"
  std::vector<std::string> command;  // else: a program of this machine, or
  std::string image;                 // a container, of kHttp
  std::vector<std::string> args;     // after the image's entrypoint
  std::vector<std::string> engine_args;
  std::map<std::string, std::string> env;
  std::string line;          // of kLines: what is written
  std::string url;           // of kHttp
  int64_t memory_bytes = 0;  // of a replica
  double cores = 1;          // the most that a replica can keep busy
  int scale = 1;             // of kService: inferences in one request
  int queue = 256;           // of a replica; what comes beyond is dropped
  // What campaigns try at most.
  int most_replicas = 4;
  std::optional<double> most_rate_per_s;  // of a replica
  // What it takes alone, roughly: a first guess for choosing rates.
  double service_ms_hint = 10;
};

// The nine services that come with edgewise.
std::vector<Tenant> NineTenants();

// nullopt: there is a service of this name. Else what to do: ": did you mean
// gcn?".
std::optional<std::string> NoService(const std::string& name);

// One tenant.yaml: a tenant, or a list `tenants:` of them.
Result<std::vector<Tenant>> ReadTenants(std::string_view yaml,
                                        const std::string& origin);
// "nine", names of the nine, or files, separated by commas. kInvalid where two
// have the same name.
Result<std::vector<Tenant>> TenantsFrom(const std::vector<std::string>& words);

}  // namespace edgewise::tenants

#endif  // EDGEWISE_TENANTS_TENANT_H_
