// The folder of a campaign (docs/formats/campaign.md): what was measured on one
// server, appended deployment by deployment.
#ifndef EDGEWISE_TENANTS_CAMPAIGN_FOLDER_H_
#define EDGEWISE_TENANTS_CAMPAIGN_FOLDER_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "tenants/deployment.h"
#include "tenants/measurements.h"

namespace edgewise::tenants {

// A tenant as campaign.yaml names it.
struct CampaignTenant {
  std::string name;
  int64_t memory_bytes = 0;  // of a replica
  double cores = 1;
  int scale = 1;

  bool operator==(const CampaignTenant&) const = default;
};

struct CampaignHeader {
  Server server;
  std::vector<CampaignTenant> tenants;
  uint64_t seed = 1;
};

std::string WriteCampaignHeader(const CampaignHeader& header);
Result<CampaignHeader> ReadCampaignHeader(std::string_view yaml,
                                          const std::string& origin);

// How long a deployment took, all in all, and what it was measured for. One
// without rows could not be measured.
struct Spent {
  std::string deployment;
  Kind mode = Kind::kRandom;
  double elapsed_s = 0;
};

struct Campaign {
  CampaignHeader header;
  std::vector<Measured> rows;  // in order of measurement
  std::vector<Spent> spent;
};

// Everything in it but the requests. kNotFound where there is no campaign.
Result<Campaign> ReadCampaign(const std::filesystem::path& folder);
// Its rows alone; none where there are none. A last deployment that times.csv,
// which is written after it, does not name was cut off by a crash, and is left
// out. Folders without times.csv are taken as they are.
Result<std::vector<Measured>> ReadDeployments(
    const std::filesystem::path& folder);

// Appends to a folder, which is made with its header if it is not there, and
// which nobody else can append to meanwhile.
class CampaignWriter {
 public:
  // kInvalid if the folder holds a campaign of another server, or tenants of
  // the same name that are not the same; kBusy if another process appends.
  static Result<CampaignWriter> Open(const std::filesystem::path& folder,
                                     const CampaignHeader& header);

  // All that it held when it was opened, and what was added since.
  const Campaign& campaign() const { return campaign_; }
  // All of a deployment or nothing; on disk when it returns.
  Result<void> Add(const DeploymentMeasured& measured, const Spent& spent);
  // One that could not be measured.
  Result<void> AddFailed(const Spent& spent);

 private:
  CampaignWriter(UniqueFd lock, std::filesystem::path folder, Campaign campaign)
      : lock_(std::move(lock)),
        folder_(std::move(folder)),
        campaign_(std::move(campaign)) {}
  Result<void> AddSpent(const Spent& spent);

  UniqueFd lock_;
  std::filesystem::path folder_;
  Campaign campaign_;
};

}  // namespace edgewise::tenants

#endif  // EDGEWISE_TENANTS_CAMPAIGN_FOLDER_H_
