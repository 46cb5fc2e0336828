#include "cli/verbs/predict_place.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "base/unique_fd.h"
#include "base/write_all.h"
#include "cli/context.h"
#include "cli/output_file.h"
#include "mqtt/child_program.h"
#include "prediction/manifest.h"
#include "prediction/place.h"
#include "report/node_ranking.h"

namespace edgewise::cli {
namespace {

Result<void> ApplyWithKubectl(const std::string& manifest) {
  const UniqueFd text(::memfd_create("manifest", MFD_CLOEXEC));
  if (!text.valid() || WriteAll(text.get(), manifest) != 0 ||
      ::lseek(text.get(), 0, SEEK_SET) != 0) {
    return Error{ErrorCode::kIo, "the manifest could not be handed to kubectl"};
  }
  auto kubectl = mqtt::ChildProgram::Start({"kubectl", "apply", "-f", "-"},
                                           {text.get(), STDERR_FILENO, -1});
  if (!kubectl) {
    return Error{ErrorCode::kUnsupported,
                 "kubectl could not be started: install it, or leave out "
                 "--apply and apply the manifest where there is one"};
  }
  const int status = kubectl->Wait();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return Error{ErrorCode::kUnsupported,
                 "kubectl apply ended with " + mqtt::EndText(status) +
                     ": nothing is known to run; see its message above"};
  }
  return {};
}

Result<std::vector<ClusterNode>> Nodes(const std::string& file) {
  const auto text = ReadFile(file);
  if (!text) {
    return text.error();
  }
  return ReadClusterNodes(*text, file);
}

}  // namespace

void AddPlaceOptions(CLI::App& verb, PlaceOptions& options) {
  verb.add_flag("--place", options.place,
                "Choose among --nodes, and print a manifest that runs --image "
                "on the fastest");
  verb.add_option("--nodes", options.nodes,
                  "Of --place: YAML with the nodes' names and devices")
      ->type_name("FILE");
  verb.add_option("--image", options.image,
                  "Of --place: the container image that runs the network")
      ->type_name("IMAGE");
  verb.add_flag("--apply", options.apply,
                "Of --place: apply the manifest with kubectl");
  verb.add_option("-o,--output", options.output,
                  "Of --place: where the manifest goes (default stdout)")
      ->type_name("FILE");
}

int PlaceVerb(const LatencyModel& model, const Query& query,
              const PlaceOptions& options, bool json) {
  if (options.nodes.empty() || options.image.empty()) {
    return Fail({ErrorCode::kInvalid,
                 "--place needs --nodes FILE (which nodes there are) and "
                 "--image IMAGE (what runs the network)"});
  }
  const auto nodes = Nodes(options.nodes);
  if (!nodes) {
    return Fail(nodes.error());
  }
  const auto ranking = RankNodes(model, query, *nodes);
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
