#include "tenants/account.h"

#include <utility>

#include "base/text.h"
#include "tenants/usage.h"

namespace edgewise::tenants {
namespace {

Measured RowOf(const Placed& placed, const Share& share) {
  Measured row;
  row.deployment = placed.deployment.id;
  row.kind = placed.deployment.kind;
  row.repeat_of = placed.deployment.repeat_of;
  row.server = placed.server.name;
  row.cores = placed.server.cores();
  row.tenant = share.tenant.name;
  row.replicas = share.replicas;
  row.rate_per_s = share.rate_per_s;
  row.quota_cores = share.quota_cores;
  if (placed.deployment.stress) {
    row.stressor = StressKindName(placed.deployment.stress->kind);
    row.dial = placed.deployment.stress->dial_percent;
  }
  return row;
}

}  // namespace

Result<void> AccountFor(const FinishedShare& finished, const Store& store,
                        int64_t epoch_ns, const Window& window,
                        DeploymentMeasured* measured) {
  const auto text = ReadFile(finished.log);
  if (!text) {
    return text.error();
  }
  const auto log = ReadRequestLog(*text, finished.log.string());
  if (!log) {
    return log.error();
  }
  Measured row = RowOf(*finished.placed, *finished.share);
  const WindowRequests requests = RequestsWithin(*log, window);
  FillTimes(requests, window.end_s - window.begin_s, &row);
  const auto used = UseOf(store, finished.run_ids, epoch_ns, window);
  if (!used) {
    return used.error();
  }
  row.cpu_cores = used->cpu_cores;
  row.memory_bytes = used->memory_bytes;
  measured->requests.insert(measured->requests.end(), requests.rows.begin(),
                            requests.rows.end());
  measured->run_ids.push_back(
      finished.run_ids.empty() ? "" : finished.run_ids.front());
  measured->rows.push_back(std::move(row));
  return {};
}

}  // namespace edgewise::tenants
