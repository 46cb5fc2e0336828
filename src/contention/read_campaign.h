// Reads the folders of campaigns (docs/formats/campaign.md).
#ifndef EDGEWISE_CONTENTION_READ_CAMPAIGN_H_
#define EDGEWISE_CONTENTION_READ_CAMPAIGN_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "contention/campaign.h"
#include "tenants/measurements.h"

namespace edgewise::contention {

// What stands beside the rows; all of it may be absent.
struct CampaignFacts {
  std::string fingerprint;  // of the server
  std::vector<App> apps;    // by name, with their memory
};

// Adds the rows of one folder to `campaign`. Ids get `prefix`, which tells
// folders apart. kInvalid: a tenant stands twice in a deployment.
Result<void> AddRows(const std::vector<tenants::Measured>& rows,
                     const CampaignFacts& facts, const std::string& prefix,
                     Campaign* campaign);

// All folders together. Servers with the same name, cores and fingerprint are
// one. Errors name the folder.
Result<Campaign> ReadCampaigns(const std::vector<std::string>& folders);

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_READ_CAMPAIGN_H_
