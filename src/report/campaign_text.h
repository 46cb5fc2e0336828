// A campaign as text and JSON, and how far it is.
#ifndef EDGEWISE_REPORT_CAMPAIGN_TEXT_H_
#define EDGEWISE_REPORT_CAMPAIGN_TEXT_H_

#include <string>

#include "report/table.h"
#include "tenants/campaign.h"

namespace edgewise {

std::string CampaignText(const tenants::CampaignRequest& request,
                         const tenants::CampaignReport& report,
                         const TextStyle& style);
std::string CampaignJson(const tenants::CampaignRequest& request,
                         const tenants::CampaignReport& report);
// "12 of about 240, 38 min left, predictions off by 21%: gcn x2 at 10/s, …"
std::string CampaignProgressText(const tenants::CampaignProgress& at);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_CAMPAIGN_TEXT_H_
