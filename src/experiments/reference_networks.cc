#include "experiments/reference_networks.h"

#include <array>

#include "base/clock.h"

namespace edgewise {
namespace {

struct Reference {
  const char* network;  // in models of latencies
  const char* model;    // of the sample app
  const char* precision;
};

// Small ones of different kinds: 1x1 and 3x3 convolutions, depthwise ones,
// int8.
constexpr std::array<Reference, 4> kReferences{
    {{"squeezenet", "squeezenet", "fp32"},
     {"mobilenet_v2", "mobilenetv2", "fp32"},
     {"resnet18", "resnet18", "fp32"},
     {"squeezenet_int8", "squeezenet", "int8"}}};

constexpr int kRepeat = 15;
constexpr int kWarmup = 3;

}  // namespace

Result<ReferenceReport> MeasureReferenceNetworks(
    const ReferenceRequest& request, const MeasureModelListener& progress) {
  ReferenceReport report;
  for (size_t i = 0; i < kReferences.size(); ++i) {
    const Reference& reference = kReferences[i];
    MeasureModelRequest one;
    one.home = request.home;
    one.program = request.program;
    one.dl = request.dl;
    one.model = reference.model;
    one.precision = reference.precision;
    one.threads = {request.threads};
    one.repeat = kRepeat;
    one.warmup = kWarmup;
    one.settle_ns = kNsPerSecond / 5;
    progress({i + 1, kReferences.size(), reference.network});
    const auto measured = MeasureModel(one, [](const MeasureModelProgress&) {});
    if (!measured) {
      if (i == 0) {
        return measured.error();
      }
      report.failures.push_back(std::string(reference.network) + ": " +
                                measured.error().message);
      continue;
    }
    report.machine = measured->machine;
    if (measured->cancelled || measured->rows.empty()) {
      report.cancelled = true;
      break;
    }
    const ModelMeasurement& row = measured->rows.front();
    if (row.failure.empty() && row.inference_ns.min) {
      report.min_ms[reference.network] = *row.inference_ns.min / kNsPerMs;
    } else {
      report.failures.push_back(std::string(reference.network) + ": " +
                                row.failure);
    }
  }
  return report;
}

}  // namespace edgewise
