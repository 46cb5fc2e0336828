#include "cli/verbs/place_outputs.h"

#include <CLI/CLI.hpp>

#include "cli/output_file.h"
#include "cli/verbs/card_needs.h"

namespace edgewise::cli {
namespace {

namespace orc = orchestration;

}  // namespace

void AddPlaceOutputs(CLI::App& verb, PlaceOutputs& outputs) {
  verb.add_option("--out", outputs.out, "Write the placement (YAML)")
      ->type_name("FILE");
  verb.add_option("--svg", outputs.svg, "Write a picture of it")
      ->type_name("FILE");
  verb.add_option("--html", outputs.html, "Write a page about it")
      ->type_name("FILE");
  verb.add_option("--manifests", outputs.manifests,
                  "Write Kubernetes Deployments bound to the servers")
      ->type_name("FILE");
  verb.add_option("--cards", outputs.cards,
                  "Take requests and limits of the manifests from the apps' "
                  "cards in this folder")
      ->type_name("DIR")
      ->needs("--manifests");
  verb.add_flag("--json", outputs.json, "Print JSON alone on stdout");
}

Result<NeedsByApp> CheckOutputs(const PlaceOutputs& outputs,
                                const orc::Instance& instance) {
  for (const std::string* const path :
       {&outputs.out, &outputs.svg, &outputs.html, &outputs.manifests}) {
    if (const auto writable = CheckOutput(*path); !writable) {
      return writable.error();
    }
  }
  if (outputs.manifests.empty()) {
    return NeedsByApp();
  }
  if (const auto named = orc::CheckManifests(instance); !named) {
    return named.error();
  }
  return NeedsFrom(outputs.cards);
}

Result<void> WriteFiles(const PlaceOutputs& outputs, const NeedsByApp& needs,
                        const OrchestrationReport& report) {
  if (!outputs.out.empty()) {
    if (const auto written = WriteOutput(
            outputs.out, orc::WritePlacement(report.problem, report.answer));
        !written) {
      return written;
    }
  }
  if (!outputs.manifests.empty()) {
    const auto yaml =
        orc::Manifests(report.problem, report.answer.assignment, needs);
    if (!yaml) {
      return yaml.error();
    }
    if (const auto written = WriteOutput(outputs.manifests, *yaml); !written) {
      return written;
    }
  }
  return outputs.svg.empty()
             ? Result<void>()
             : WriteOutput(outputs.svg, OrchestrationSvg(report));
}

Result<void> WritePage(const PlaceOutputs& outputs,
                       const OrchestrationReport& report) {
  return outputs.html.empty()
             ? Result<void>()
             : WriteOutput(outputs.html, OrchestrationHtml(report));
}

}  // namespace edgewise::cli
