// A fleet that obeys the model it is fitted with, but for 3% of noise.
#ifndef EDGEWISE_TESTS_PREDICTION_SMALL_FLEET_H_
#define EDGEWISE_TESTS_PREDICTION_SMALL_FLEET_H_

#include <cmath>
#include <limits>
#include <string>

#include "prediction/cost_terms.h"
#include "prediction/data_tables.h"
#include "prediction/latency_model.h"
#include "stats/random.h"

namespace edgewise {

inline Layer Convolution(int64_t kernel, int64_t in, int64_t out, int64_t side,
                         int64_t groups = 1) {
  Layer layer;
  layer.type = groups > 1 ? "ConvolutionDepthWise" : "Convolution";
  layer.kernel = kernel;
  layer.groups = groups;
  layer.in_shape = {in, side, side};
  layer.out_shape = {out, side, side};
  const auto window = static_cast<double>(kernel * kernel * in / groups);
  layer.parameters = window * static_cast<double>(out);
  layer.macs = layer.parameters * static_cast<double>(side * side);
  return layer;
}

// Networks of pointwise, 3x3 and depthwise layers in various parts.
inline Network SomeNetwork(int index) {
  Network network;
  network.name = "net" + std::to_string(index);
  const int64_t side = 14 * (1 + index % 3);
  const int64_t channels = 32 + 16 * (index % 5);
  for (int i = 0; i < 2 + index % 4; ++i) {
    network.layers.push_back(Convolution(1, channels, channels, side));
  }
  for (int i = 0; i < 1 + index % 3; ++i) {
    network.layers.push_back(Convolution(3, channels, channels, side));
  }
  for (int i = 0; i < index % 6; ++i) {
    network.layers.push_back(
        Convolution(3, channels, channels, side, channels));
  }
  return network;
}

inline LatencyData SmallFleet(int networks = 14, int runs = 24) {
  LatencyData data;
  stats::Random random(3);
  for (int n = 0; n < networks; ++n) {
    data.networks.push_back(SomeNetwork(n));
    Characteristics fields;
    fields.conv_layers =
        static_cast<double>(data.networks.back().layers.size());
    for (const Layer& layer : data.networks.back().layers) {
      fields.total_parameters += layer.parameters;
      fields.filter_details += static_cast<double>(layer.out_shape[0]);
    }
    fields.model_input_bytes = 4e4 * (1 + n % 3);
    data.characteristics.emplace_back(fields);
  }
  data.log_ms.resize(runs, networks);
  for (int r = 0; r < runs; ++r) {
    BoardRun run;
    run.id = std::to_string(r);
    run.device = "board " + std::to_string(r / 2);
    run.spec.threads = 1 + r % 2 * 3;
    run.spec.core = r % 4 < 2 ? CoreKind::kArmSmall : CoreKind::kX86;
    data.runs.push_back(run);
    Eigen::VectorXd rates(kCostTerms);
    const double level = 0.5 * random.Normal() - std::log(run.spec.threads);
    for (size_t k = 0; k < kCostTerms; ++k) {
      rates[static_cast<Eigen::Index>(k)] =
          CostTermPrior(static_cast<CostTerm>(k)) + level - 3 +
          0.3 * random.Normal();
    }
    for (int n = 0; n < networks; ++n) {
      data.log_ms(r, n) =
          LogTime(CostsOf(data.networks[static_cast<size_t>(n)]), rates) +
          0.03 * random.Normal();
    }
  }
  data.digest = "0123456789abcdef";
  return data;
}

}  // namespace edgewise

#endif  // EDGEWISE_TESTS_PREDICTION_SMALL_FLEET_H_
