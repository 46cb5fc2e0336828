// How long a network will take on a device, and which device is fastest.
#ifndef EDGEWISE_PREDICTION_PREDICT_H_
#define EDGEWISE_PREDICTION_PREDICT_H_

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "prediction/latency_model.h"

namespace edgewise {

// What is asked about: a network by its layers' costs, or by the eight fields
// of a SOPRANO caller.
struct Query {
  std::string name;
  std::variant<CostVector, Characteristics> features;
};

// A network that the model was trained on, by name; the error names near ones.
Result<Query> QueryKnownNetwork(const LatencyModel& model,
                                const std::string& name);

struct Prediction {
  std::string device;
  std::string run;  // which run of the device; empty: by its spec
  std::string note;
  int threads = 1;
  double ms = 0;
  // 90%: nine of ten new groups fall within; nullopt if the model has none.
  std::optional<double> low_ms;
  std::optional<double> high_ms;
  Basis basis = Basis::kKnownDevice;
  // Other load that the time counts with, in percent of all cores; nullopt: the
  // device is taken to be idle.
  std::optional<double> load_percent;
  // The network is unlike all that the model has seen: do not trust the
  // interval.
  bool out_of_distribution = false;
};

// On one known run; nullopt where the run says nothing about such a query.
std::optional<Prediction> PredictOnRun(const LatencyModel& model,
                                       const Query& query, const KnownRun& run);
// On a device that was never measured; nullopt for the eight fields alone.
std::optional<Prediction> PredictBySpec(const LatencyModel& model,
                                        const Query& query,
                                        const std::string& device,
                                        const DeviceSpec& spec);

// All settings of one device, the fastest first. `threads`: only those.
Result<std::vector<Prediction>> PredictOnDevice(const LatencyModel& model,
                                                const Query& query,
                                                const std::string& device,
                                                std::optional<int> threads);
// Every known device in its fastest setting, the fastest first.
std::vector<Prediction> RankDevices(const LatencyModel& model,
                                    const Query& query,
                                    std::optional<int> threads);

// The same beside `load_percent` of other load, the load's own error added to
// the interval; nullopt if the model was not trained under load.
std::optional<Prediction> UnderLoad(const LatencyModel& model, Prediction idle,
                                    double load_percent);

std::vector<std::string> KnownDevices(const LatencyModel& model);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_PREDICT_H_
