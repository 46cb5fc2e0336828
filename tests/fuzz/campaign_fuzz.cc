// Files of campaigns and tenants: people edit them, and copy them about.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tenants/campaign_folder.h"
#include "tenants/measurements.h"
#include "tenants/request_log.h"
#include "tenants/tenant.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace edgewise::tenants;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto rows = ReadMeasured(text, "deployments.csv")) {
    // What was read can be written, and is then the same.
    std::string again = MeasuredHeader();
    for (const Measured& row : *rows) {
      again += MeasuredLine(row);
    }
    const auto same = ReadMeasured(again, "again");
    if (!same || same->size() != rows->size()) {
      std::abort();
    }
  }
  if (const auto log = ReadRequestLog(text, "log.csv")) {
    Measured row;
    FillTimes(RequestsWithin(*log, {1, 3}), 2, &row);
    if (row.arrived != row.completed + row.censored + row.dropped) {
      std::abort();
    }
  }
  (void)ReadRequests(text, "requests.csv");
  (void)ReadTenants(text, "tenant.yaml");
  if (const auto header = ReadCampaignHeader(text, "campaign.yaml")) {
    if (!ReadCampaignHeader(WriteCampaignHeader(*header), "again")) {
      std::abort();
    }
  }
  return 0;
}
