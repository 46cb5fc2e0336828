#include "cli/verbs/predict_place.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <utility>

#include "base/child_program.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "base/write_all.h"
#include "cli/context.h"
#include "cli/output_file.h"
#include "placement/forecast_nodes.h"
#include "placement/manifest.h"
#include "report/node_ranking.h"

namespace edgewise::cli {
namespace {

Result<void> ApplyWithKubectl(const std::string& manifest) {
  const UniqueFd text(::memfd_create("manifest", MFD_CLOEXEC));
  if (!text.valid() || WriteAll(text.get(), manifest) != 0 ||
      ::lseek(text.get(), 0, SEEK_SET) != 0) {
    return Error{ErrorCode::kIo, "the manifest could not be handed to kubectl"};
  }
  auto kubectl = ChildProgram::Start({"kubectl", "apply", "-f", "-"},
                                     {text.get(), STDERR_FILENO, -1});
  if (!kubectl) {
    return Error{ErrorCode::kUnsupported,
                 "kubectl could not be started: install it, or leave out "
                 "--apply and apply the manifest where there is one"};
  }
  const int status = kubectl->Wait();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return Error{ErrorCode::kUnsupported,
                 "kubectl apply ended with " + EndText(status) +
                     ": nothing is known to run; see its message above"};
  }
  return {};
}

Result<std::vector<NodeForecast>> RankListed(const LatencyModel& model,
                                             const Query& query,
                                             const std::string& file) {
  const auto text = ReadFile(file);
  if (!text) {
    return text.error();
  }
  const auto nodes = ReadListedNodes(*text, file);
  if (!nodes) {
    return nodes.error();
  }
  return ForecastNodes(model, query, *nodes);
}

// The nodes as they are now.
Result<std::vector<NodeForecast>> RankWatched(const LatencyModel& model,
                                              const NetworkQuery& network,
                                              cluster::Prometheus& prometheus) {
  auto state = prometheus.ReadCluster();
  if (!state) {
    return state.error();
  }
  const Hardware hardware(model);
  const PlacementCluster now(
      std::make_shared<const cluster::ClusterState>(std::move(*state)),
      hardware, PlacementRules());
  return ForecastNodes(now, network.query, network.memory_bytes);
}

Result<std::vector<NodeForecast>> Rank(const LatencyModel& model,
                                       const NetworkQuery& network,
                                       const PlaceOptions& options) {
  if (!options.nodes.empty()) {
    return RankListed(model, network.query, options.nodes);
  }
  auto prometheus = PrometheusFrom(options.prometheus);
  if (!prometheus) {
    return prometheus.error();
  }
  if (!*prometheus) {
    return Error{ErrorCode::kInvalid,
                 "--place needs to know which nodes there are: --prometheus "
                 "HOST:PORT, or --nodes FILE"};
  }
  return RankWatched(model, network, **prometheus);
}

}  // namespace

void AddPlaceOptions(CLI::App& verb, PlaceOptions& options) {
  verb.add_flag(
      "--place", options.place,
      "Choose among a cluster's nodes, and print a manifest that runs "
      "--image on the fastest");
  verb.add_option("--nodes", options.nodes,
                  "Of --place: YAML with the nodes' names and devices")
      ->type_name("FILE");
  AddPrometheusOptions(verb, options.prometheus,
                       ", for --place among its nodes as they are now (default "
                       "$PROMETHEUS_IP)");
  verb.add_option("--image", options.image,
                  "Of --place: the container image that runs the network")
      ->type_name("IMAGE");
  verb.add_flag("--apply", options.apply,
                "Of --place: apply the manifest with kubectl");
  verb.add_option("-o,--output", options.output,
                  "Of --place: where the manifest goes (default stdout)")
      ->type_name("FILE");
}

int PlaceVerb(const LatencyModel& model, const NetworkQuery& network,
              const PlaceOptions& options, bool json) {
  const Query& query = network.query;
  if (options.image.empty()) {
    return Fail({ErrorCode::kInvalid,
                 "--place needs --image IMAGE (what runs the network)"});
  }
  const auto ranked = Rank(model, network, options);
  if (!ranked) {
    return Fail(ranked.error());
  }
  const std::vector<NodeForecast>& ranking = *ranked;
  if (ranking.empty()) {
    PrintError(
        "no node can be chosen: Prometheus knows none that a characterisation "
        "agent (edgewise agent --old-names) describes");
    return kExitNo;
  }
  if (!ranking.front().prediction) {
    PrintError("no node can be chosen: " + ranking.front().node + ": " +
               ranking.front().why_not);
    return kExitNo;
  }
  const auto manifest =
      PlacementManifest(query.name, options.image, ranking.front().node,
                        *ranking.front().prediction);
  if (!manifest) {
    return Fail(manifest.error());
  }
  if (!json) {
    PrintToStderr(NodeRankingText(query, ranking, StyleFor(STDERR_FILENO)));
  }
  if (!options.output.empty()) {
    if (const Result<void> written = WriteOutput(options.output, *manifest);
        !written) {
      return Fail(written.error());
    }
  }
  if (options.apply) {
    if (const Result<void> applied = ApplyWithKubectl(*manifest); !applied) {
      return Fail(applied.error());
    }
  }
  if (json) {
    Print(NodeRankingJson(query, ranking, *manifest, options.apply));
  } else if (options.output.empty() && !options.apply) {
    Print(*manifest);
  }
  return kExitDone;
}

}  // namespace edgewise::cli
