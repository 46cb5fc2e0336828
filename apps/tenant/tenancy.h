// The life of a tenant: replicas are made, live side by side, and are counted.
#ifndef EDGEWISE_APPS_TENANT_TENANCY_H_
#define EDGEWISE_APPS_TENANT_TENANCY_H_

#include <string>

#include "base/result.h"
#include "tenant/replica.h"
#include "tenant/settings.h"

namespace edgewise::apps {

struct TenancyReport {
  Tally tally;           // of all replicas
  double elapsed_s = 0;  // from when all were ready
  // Over what each replica answered, in order: the same for the same requests.
  uint32_t checksum = 0;
};

// Until the time is over, the requests are, or SIGINT or SIGTERM comes. Threads
// of replicas that hang in their service are left behind: the caller must end
// the process by _Exit.
Result<TenancyReport> RunTenancy(const TenantSettings& settings);

// One line each.
std::string ReportText(const TenantSettings& settings,
                       const TenancyReport& report);
std::string ReportJson(const TenantSettings& settings,
                       const TenancyReport& report);

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_TENANT_TENANCY_H_
