// What a share of a deployment did within a window of time, as a row.
#ifndef EDGEWISE_TENANTS_ACCOUNT_H_
#define EDGEWISE_TENANTS_ACCOUNT_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/store.h"
#include "tenants/deployment.h"
#include "tenants/request_log.h"

namespace edgewise::tenants {

struct FinishedShare {
  const Placed* placed = nullptr;
  const Share* share = nullptr;
  std::filesystem::path log;         // of its requests
  std::vector<std::string> run_ids;  // the tenant's first
};

// Adds its row, its requests and its first Run. The window and the log count
// from `epoch_ns`.
Result<void> AccountFor(const FinishedShare& finished, const Store& store,
                        int64_t epoch_ns, const Window& window,
                        DeploymentMeasured* measured);

}  // namespace edgewise::tenants

#endif  // EDGEWISE_TENANTS_ACCOUNT_H_
