#include "orchestration/placement_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/yaml_reader.h"
#include "base/yaml_scalar.h"
#include "orchestration/instance_files.h"
#include "orchestration/promise_text.h"
#include "placement/manifest.h"

namespace edgewise::orchestration {
namespace {

constexpr size_t kMostMib = 64;
constexpr int64_t kMiB = int64_t{1} << 20;

std::string Manifest(const std::string& name, const Request& request,
                     const Server& server, const Item& item, double cores,
                     const AppNeeds& needs) {
  Deployment deployment;
  deployment.name = name;
  deployment.image = request.image;
  deployment.node = server.name;
  deployment.replicas = request.replicas;
  // What `edgewise serve --scheduler` reads of a pod.
  deployment.pod_annotations = {
      {"app", request.app},
      {"rate", fmt::format("{}", request.rate_per_s)},
      {"promise", PromiseText(request.sla)},
      {"pay", MoneyText(request.pay_micros)},
      {"memory", fmt::format("{}", item.memory_bytes / request.replicas)}};
  const auto millicores = [](double count) {
    return std::max<int64_t>(1, std::llround(count * 1000));
  };
  const auto mebibytes = [](int64_t bytes) {
    return (bytes + kMiB - 1) / kMiB;
  };
  Deployment::Resources resources;
  resources.cpu_millicores = millicores(needs.cpu_cores.value_or(cores));
  resources.memory_mib = mebibytes(
      needs.memory_bytes.value_or(item.memory_bytes / request.replicas));
  if (needs.most_cpu_cores) {
    resources.cpu_limit_millicores = millicores(*needs.most_cpu_cores);
  }
  if (needs.most_memory_bytes) {
    resources.memory_limit_mib =
        std::max(resources.memory_mib, mebibytes(*needs.most_memory_bytes));
  }
  deployment.resources = resources;
  return DeploymentManifest(deployment);
}

// What the request's Deployment is called, if there is none so in `names`.
Result<std::string> NewName(const Request& request,
                            std::set<std::string>& names) {
  if (!IsImageReference(request.image)) {
    return Error{ErrorCode::kInvalid,
                 "the request " + request.name +
                     " has no container image: add one such as image: "
                     "registry.local/detector:1.2"};
  }
  std::string name = WorkloadName(request.name);
  if (!names.insert(name).second) {
    return Error{ErrorCode::kInvalid, "two requests would both be called " +
                                          name + " in Kubernetes: rename " +
                                          request.name};
  }
  return name;
}

}  // namespace

std::string WritePlacement(const Problem& problem,
                           const OptimiseAnswer& answer) {
  const Instance& instance = problem.instance();
  std::string yaml =
      fmt::format("revenue: {}\nbound: {}\nconfidence: {}\nplaced:\n",
                  MoneyText(answer.revenue_micros),
                  MoneyText(answer.bound_micros), problem.confidence());
  for (size_t i = 0; i < answer.assignment.size(); ++i) {
    if (answer.assignment[i]) {
      yaml +=
          fmt::format("  - {{request: {}, server: {}}}\n",
                      YamlScalar(instance.requests[i].name),
                      YamlScalar(instance.servers[*answer.assignment[i]].name));
    }
  }
  return yaml;
}

Result<Assignment> ReadPlacement(std::string_view yaml,
                                 const std::string& origin,
                                 const Instance& instance) {
  const auto root = ReadYaml(yaml, origin, "placement", kMostMib);
  if (!root) {
    return root.error();
  }
  std::map<std::string, size_t> requests;
  std::map<std::string, size_t> servers;
  for (size_t i = 0; i < instance.requests.size(); ++i) {
    requests[instance.requests[i].name] = i;
  }
  for (size_t s = 0; s < instance.servers.size(); ++s) {
    servers[instance.servers[s].name] = s;
  }
  Assignment assignment(instance.requests.size());
  YamlReader reader(origin);
  std::set<std::string> seen;
  const auto take = [&](const YamlNode& item) {
    std::string request;
    std::string server;
    reader.ReadMap(
        item, "a placed request",
        {{"request", reader.Text(request)}, {"server", reader.Text(server)}});
    if (!seen.insert(request).second) {
      reader.Refuse(item, "the request " + request + " is there twice");
    }
    const auto at = requests.find(request);
    const auto on = servers.find(server);
    if (at != requests.end() && on != servers.end()) {
      assignment[at->second] = on->second;
    }
  };
  double ignored = 0;
  reader.ReadMap(*root, "a placement",
                 {{"revenue", reader.Number(ignored, 0, 1e15)},
                  {"bound", reader.Number(ignored, 0, 1e15)},
                  {"confidence", reader.Number(ignored, 0, 1)},
                  {"placed", reader.Each(take, kMostRequests)}});
  if (reader.problem()) {
    return *reader.problem();
  }
  return assignment;
}

Result<void> CheckManifests(const Instance& instance) {
  std::set<std::string> names;
  for (const Request& request : instance.requests) {
    if (const auto name = NewName(request, names); !name) {
      return name.error();
    }
  }
  return {};
}

Result<std::string> Manifests(const Problem& problem,
                              const Assignment& assignment,
                              const std::map<std::string, AppNeeds>& needs) {
  const Instance& instance = problem.instance();
  std::string yaml;
  std::set<std::string> names;
  for (size_t i = 0; i < assignment.size(); ++i) {
    if (!assignment[i]) {
      continue;
    }
    const Request& request = instance.requests[i];
    const auto name = NewName(request, names);
    if (!name) {
      return name.error();
    }
    const auto known = needs.find(request.app);
    yaml += (yaml.empty() ? "" : "---\n") +
            Manifest(*name, request, instance.servers[*assignment[i]],
                     problem.items()[i],
                     problem.predictor().BusyCores(problem.items()[i].load),
                     known == needs.end() ? AppNeeds() : known->second);
  }
  return yaml;
}

}  // namespace edgewise::orchestration
