#include "contention/read_campaign.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/text.h"
#include "base/yaml_tree.h"
#include "tenants/campaign_folder.h"

namespace edgewise::contention {
namespace {

constexpr double kFullDial = 100;
constexpr double kMsPerS = 1e3;

template <typename Named>
size_t IndexOf(const std::string& name, std::vector<Named>* all) {
  for (size_t i = 0; i < all->size(); ++i) {
    if ((*all)[i].name == name) {
      return i;
    }
  }
  all->push_back({name, {}});
  return all->size() - 1;
}

size_t ServerIndex(const Server& server, std::vector<Server>* all) {
  for (size_t i = 0; i < all->size(); ++i) {
    if ((*all)[i].name == server.name && (*all)[i].cores == server.cores &&
        (*all)[i].fingerprint == server.fingerprint) {
      return i;
    }
  }
  all->push_back(server);
  return all->size() - 1;
}

size_t StressorIndex(const std::string& name, std::vector<std::string>* all) {
  const auto found = std::find(all->begin(), all->end(), name);
  if (found != all->end()) {
    return static_cast<size_t>(found - all->begin());
  }
  all->push_back(name);
  return all->size() - 1;
}

// What no deployment can be; empty: nothing is.
std::string WrongWith(const tenants::Measured& row) {
  if (row.replicas < 1) {
    return "has no replicas";
  }
  if (!(row.rate_per_s > 0)) {
    return "has no rate";
  }
  if (!(row.cores >= 1)) {
    return "is on a server without a core";
  }
  return row.quota_cores && !(*row.quota_cores >= 0.01)
             ? "has a quota below 0.01 cores"
             : "";
}

Outcome OutcomeOf(const tenants::Measured& row) {
  Outcome outcome;
  outcome.completed = row.completed;
  outcome.service_mean_ms = row.service_mean_ms;
  outcome.service_sd_ms = row.service_sd_ms;
  if (row.cpu_cores && row.completed > 0) {
    outcome.cpu_ms_per_request = *row.cpu_cores * row.seconds * kMsPerS /
                                 static_cast<double>(row.completed);
  }
  const int64_t cut_off = row.censored + row.dropped;
  outcome.saturated = IsSaturated(cut_off, row.arrived);
  const MaybeFigures measured = {row.response_mean_ms, row.response_p75_ms,
                                 row.response_p95_ms, row.response_p99_ms};
  // What is known of the least; a figure that is missing is no less.
  std::optional<double> least = row.response_p50_ms;
  for (size_t f = 0; f < kFigures; ++f) {
    const bool positive = measured[f] && *measured[f] > 0;
    // A queue that grew until the end of the measurement would have grown on.
    if (positive && !outcome.saturated) {
      outcome.response_ms[f] = measured[f];
    } else if (positive) {
      outcome.at_least_ms[f] = measured[f];
    } else if (cut_off > 0 && f != kMean) {
      outcome.at_least_ms[f] = least;
    }
    if (f != kMean && positive) {
      least = measured[f];
    }
  }
  return outcome;
}

CampaignFacts FactsOf(const std::string& folder) {
  CampaignFacts facts;
  const std::string path = folder + "/campaign.yaml";
  const auto text = TryReadFile(path);
  const auto root =
      text ? ReadYaml(*text, path, "campaign") : Result<YamlNode>(Error{});
  if (!root) {
    return facts;
  }
  for (const auto& [key, value] : root->entries()) {
    if (key.Scalar() == "server") {
      for (const auto& [name, field] : value.entries()) {
        if (name.Scalar() == "fingerprint") {
          facts.fingerprint = field.Scalar();
        }
      }
    }
    if (key.Scalar() == "tenants") {
      for (const YamlNode& tenant : value.items()) {
        App app;
        for (const auto& [name, field] : tenant.entries()) {
          if (name.Scalar() == "name") {
            app.name = field.Scalar();
          } else if (name.Scalar() == "memory_bytes") {
            app.memory_bytes = ParseInt(field.Scalar());
          }
        }
        facts.apps.push_back(std::move(app));
      }
    }
  }
  return facts;
}

}  // namespace

Result<void> AddRows(const std::vector<tenants::Measured>& rows,
                     const CampaignFacts& facts, const std::string& prefix,
                     Campaign* campaign) {
  std::map<std::string, size_t> by_id;
  for (const tenants::Measured& row : rows) {
    if (const std::string wrong = WrongWith(row); !wrong.empty()) {
      return Error{ErrorCode::kInvalid, "the tenant " + row.tenant + " of " +
                                            row.deployment + " " + wrong +
                                            ": take the row out"};
    }
    const std::string id = prefix + row.deployment;
    const auto [at, added] = by_id.emplace(id, campaign->observations.size());
    if (added) {
      Observation observation;
      observation.id = id;
      observation.kind = row.kind;
      observation.repeat_of =
          row.repeat_of.empty() ? "" : prefix + row.repeat_of;
      observation.deployment.server = ServerIndex(
          {row.server, facts.fingerprint, row.cores}, &campaign->servers);
      observation.deployment.seconds = row.seconds;
      if (!row.stressor.empty() && row.dial) {
        observation.deployment.stress =
            Stress{StressorIndex(row.stressor, &campaign->stressors),
                   *row.dial / kFullDial};
      }
      campaign->observations.push_back(std::move(observation));
    }
    Observation& observation = campaign->observations[at->second];
    const Server& server = campaign->servers[observation.deployment.server];
    if (server.name != row.server || server.cores != row.cores) {
      return Error{ErrorCode::kInvalid, "the deployment " + row.deployment +
                                            " is on two servers: its rows must "
                                            "name one"};
    }
    const size_t app = IndexOf(row.tenant, &campaign->apps);
    for (const Tenant& tenant : observation.deployment.tenants) {
      if (tenant.app == app) {
        return Error{ErrorCode::kInvalid, "the tenant " + row.tenant +
                                              " stands twice in " +
                                              row.deployment +
                                              ": give both rows names of their "
                                              "own"};
      }
    }
    observation.deployment.tenants.push_back(
        {app, row.replicas, row.rate_per_s, row.quota_cores});
    observation.outcomes.push_back(OutcomeOf(row));
  }
  for (const App& known : facts.apps) {
    for (App& app : campaign->apps) {
      if (app.name == known.name && known.memory_bytes) {
        app.memory_bytes = known.memory_bytes;
      }
    }
  }
  return {};
}

Result<Campaign> ReadCampaigns(const std::vector<std::string>& folders) {
  Campaign campaign;
  std::set<std::filesystem::path> seen;
  for (size_t i = 0; i < folders.size(); ++i) {
    std::error_code ignored;
    if (!seen.insert(std::filesystem::weakly_canonical(folders[i], ignored))
             .second) {
      return Error{ErrorCode::kInvalid,
                   "the folder " + folders[i] + " is given twice"};
    }
    const std::string path =
        (std::filesystem::path(folders[i]) / "deployments.csv").string();
    if (!std::filesystem::exists(path, ignored)) {
      return Error{ErrorCode::kNotFound,
                   path +
                       " cannot be read: give a folder that edgewise contend "
                       "--out wrote"};
    }
    const auto rows = tenants::ReadDeployments(folders[i]);
    if (!rows) {
      return rows.error();
    }
    if (rows->empty()) {
      return Error{ErrorCode::kInvalid,
                   path +
                       " holds no deployments: measure some with edgewise "
                       "contend"};
    }
    const auto added = AddRows(
        *rows, FactsOf(folders[i]),
        folders.size() > 1 ? std::to_string(i + 1) + ":" : "", &campaign);
    if (!added) {
      return Error{added.error().code, path + ": " + added.error().message};
    }
  }
  return campaign;
}

}  // namespace edgewise::contention
