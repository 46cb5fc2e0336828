#include "cli/verbs/predict_contention.h"

#include <unistd.h>

#include "cli/option_values.h"
#include "cli/progress.h"
#include "cli/verbs.h"
#include "contention/forecast.h"
#include "contention/read_campaign.h"
#include "report/forecast_text.h"

namespace edgewise::cli {

void AddContentionQuestion(CLI::App& verb, ContentionQuestion& question) {
  verb.add_option("--contention", question.campaigns,
                  "Instead of a network: response times of tenants that share "
                  "a server, from folders that edgewise contend --tenants "
                  "wrote")
      ->type_name("DIR");
  AddRepeated(verb, "--tenant", question.tenants,
              "NAME:rate=R[,replicas=N][,quota=CORES]",
              "A tenant, asked so many times a second at each replica, with a "
              "CPU quota for all of them; repeated for its neighbours");
  verb.add_option("--server", question.server,
                  "The server of the campaign that they share")
      ->type_name("NAME");
}

int PredictContention(const ContentionQuestion& question, bool json) {
  if (question.tenants.empty()) {
    return Fail({ErrorCode::kInvalid,
                 "say who shares the server: --tenant lstm:rate=20 --tenant "
                 "gcn:rate=5"});
  }
  std::vector<contention::Asked> asked;
  for (const std::string& text : question.tenants) {
    auto one = contention::ParseAsked(text);
    if (!one) {
      return Fail({one.error().code, "--tenant: " + one.error().message});
    }
    asked.push_back(std::move(*one));
  }
  const auto campaign = contention::ReadCampaigns(question.campaigns);
  if (!campaign) {
    return Fail(campaign.error());
  }
  const auto deployment =
      contention::DeploymentOf(*campaign, asked, question.server);
  if (!deployment) {
    return Fail(deployment.error());
  }
  ProgressLine progress(true);
  progress.Show("learning from " +
                std::to_string(campaign->observations.size()) + " deployments");
  const auto forecast =
      contention::ForecastDeployment(*campaign, *deployment, {});
  progress.Clear();
  if (!forecast) {
    return Fail(forecast.error());
  }
  Print(json ? ForecastJson(*forecast, *campaign)
             : ForecastText(*forecast, *campaign, StyleFor(STDOUT_FILENO)));
  return kExitDone;
}

}  // namespace edgewise::cli
