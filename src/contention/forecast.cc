#include "contention/forecast.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "contention/fit_sharing.h"
#include "contention/pressure_predictor.h"

namespace edgewise::contention {
namespace {

constexpr double kMostRate = 1e6;
constexpr double kMostReplicas = 1000;
constexpr double kMostCores = 1e4;
constexpr double kLeastQuota = 0.01;  // that a kernel takes
constexpr double kMsPerS = 1e3;

Error Invalid(std::string message) {
  return {ErrorCode::kInvalid, std::move(message)};
}

// "key=number" into the field it names; what is wrong with it, if anything.
std::string ReadPart(std::string_view part, Asked* asked) {
  const size_t equals = std::min(part.find('='), part.size());
  const std::string_view key = Trim(part.substr(0, equals));
  const auto number =
      ParseDouble(Trim(part.substr(std::min(equals + 1, part.size()))));
  if (key == "rate") {
    if (asked->rate_per_s > 0) {
      return "has two rates";
    }
    if (!number || !(*number > 0) || *number > kMostRate) {
      return "has a rate that is no number of requests a second above 0";
    }
    asked->rate_per_s = *number;
  } else if (key == "replicas") {
    if (!number || !(*number >= 1) || *number > kMostReplicas ||
        *number != std::floor(*number)) {
      return "has replicas that are no whole number from 1 to 1000";
    }
    asked->replicas = static_cast<int>(*number);
  } else if (key == "quota") {
    if (!number || !(*number >= kLeastQuota) || *number > kMostCores) {
      return "has a quota that is no number of cores from 0.01 on";
    }
    asked->quota_cores = *number;
  } else {
    return "has something that is neither rate=, replicas= nor quota=";
  }
  return "";
}

template <typename Named>
std::string NamesOf(const std::vector<Named>& all) {
  std::vector<std::string> names;
  for (const Named& each : all) {
    names.push_back(each.name);
  }
  return Join(names, ", ");
}

template <typename Named>
std::optional<size_t> IndexOf(const std::vector<Named>& all,
                              const std::string& name) {
  const auto found =
      std::find_if(all.begin(), all.end(),
                   [&name](const Named& each) { return each.name == name; });
  return found == all.end()
             ? std::nullopt
             : std::optional(static_cast<size_t>(found - all.begin()));
}

// 90% intervals, whose ends do not cross either.
std::array<stats::Estimate, kFigures> WithIntervals(
    const Figures& figures, const PredictorErrors* errors) {
  std::array<stats::Estimate, kFigures> with;
  double low = 0;
  double high = 0;
  for (size_t f = 0; f < kFigures; ++f) {
    with[f].value = figures[f];
    if (errors == nullptr || !errors->figures[f].width) {
      continue;
    }
    const IntervalWidth& width = *errors->figures[f].width;
    with[f].low = figures[f] * std::exp(-width.below);
    with[f].high = figures[f] * std::exp(width.above);
    if (f != kMean) {
      low = std::max(low, *with[f].low);
      high = std::max(high, *with[f].high);
      with[f].low = low;
      with[f].high = high;
    }
  }
  return with;
}

}  // namespace

Result<Asked> ParseAsked(const std::string& text) {
  const auto refuse = [&text](const std::string& why) {
    return Invalid("\"" + text + "\" " + why +
                   ": write e.g. lstm:rate=20,replicas=2,quota=0.4");
  };
  const size_t colon = std::min(text.find(':'), text.size());
  Asked asked;
  asked.app = Trim(std::string_view(text).substr(0, colon));
  if (asked.app.empty()) {
    return refuse("has no name");
  }
  if (colon < text.size()) {
    for (const std::string_view part :
         Split(std::string_view(text).substr(colon + 1), ',')) {
      if (const std::string why = ReadPart(part, &asked); !why.empty()) {
        return refuse(why);
      }
    }
  }
  if (!(asked.rate_per_s > 0)) {
    return refuse("has no rate");
  }
  return asked;
}

Result<Deployment> DeploymentOf(const Campaign& campaign,
                                const std::vector<Asked>& asked,
                                const std::string& server) {
  Deployment deployment;
  const auto on = server.empty() ? std::optional(size_t{0})
                                 : IndexOf(campaign.servers, server);
  if (!on) {
    return Error{ErrorCode::kNotFound, "the campaign has no server " + server +
                                           ", but " +
                                           NamesOf(campaign.servers)};
  }
  for (const Server& other : campaign.servers) {
    if (&other != &campaign.servers[*on] &&
        other.name == campaign.servers[*on].name) {
      return Invalid("two servers of the campaigns are named " + other.name +
                     ": give the folders of one");
    }
  }
  if (server.empty() && campaign.servers.size() > 1) {
    return Invalid("say which server: " + NamesOf(campaign.servers));
  }
  deployment.server = *on;
  for (const Asked& each : asked) {
    const auto app = IndexOf(campaign.apps, each.app);
    if (!app) {
      return Error{ErrorCode::kNotFound,
                   "the campaign does not know " + each.app + ", but " +
                       NamesOf(campaign.apps) +
                       ": measure it first with edgewise contend sensitivity "
                       "--tenants " +
                       each.app};
    }
    for (const Tenant& tenant : deployment.tenants) {
      if (tenant.app == *app) {
        return Invalid(each.app +
                       " stands twice: give it more replicas instead");
      }
    }
    deployment.tenants.push_back(
        {*app, each.replicas, each.rate_per_s, each.quota_cores});
  }
  return deployment;
}

Result<DeploymentForecast> ForecastDeployment(
    const Campaign& campaign, const Deployment& deployment,
    const EvaluateSettings& settings) {
  const auto sharing = FitSharing(campaign, Everything(campaign));
  if (!sharing) {
    return sharing.error();
  }
  DeploymentForecast forecast{deployment, {}, std::nullopt, 0};
  for (const Tenant& tenant : deployment.tenants) {
    forecast.wanted_cores += tenant.replicas * tenant.rate_per_s *
                             sharing->apps[tenant.app].cpu.beside_ms / kMsPerS /
                             sharing->speeds[deployment.server];
  }
  // Too few to hold out: forecasts without intervals.
  const auto errors = EvaluateSharing(campaign, settings);
  if (errors) {
    forecast.error = errors->figures[kP95].median_ape;
  }
  const SharingPredictor predictor(*sharing,
                                   SharingPredictor::Horizon::kLongRun);
  for (const auto& figures : predictor.Predict(deployment)) {
    forecast.tenants.push_back(figures
                                   ? std::optional(WithIntervals(
                                         *figures, errors ? &*errors : nullptr))
                                   : std::nullopt);
  }
  return forecast;
}

}  // namespace edgewise::contention
