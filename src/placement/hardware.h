// Hardware: the devices that a trained model knows, found by any of their
// names, and what it says of those it does not know.
//
// The room `placement` knows which node of a cluster suits a model best. It
// must not know how nodes are asked about, nor how answers are written.
#ifndef EDGEWISE_PLACEMENT_HARDWARE_H_
#define EDGEWISE_PLACEMENT_HARDWARE_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "prediction/coarse_spec.h"
#include "prediction/latency_model.h"
#include "prediction/predict.h"

namespace edgewise {

struct KnownDevice {
  std::string name;
  std::vector<const KnownRun*> runs;
  // The fastest by the eight fields, whatever they are; null if none has a
  // level.
  const KnownRun* coarse_run = nullptr;
};

// Immutable; may be used from several threads.
class Hardware {
 public:
  // `model` must outlive this.
  explicit Hardware(const LatencyModel& model);

  const LatencyModel& model() const { return model_; }
  const std::vector<KnownDevice>& devices() const { return devices_; }
  // The device that is meant; null if none is, or several may be.
  const KnownDevice* Find(std::string_view name) const;

  // In the device's fastest setting, undisturbed; nullopt where its runs say
  // nothing about such a query.
  std::optional<Prediction> Predict(const Query& query,
                                    const KnownDevice& device) const;
  // Of a device that was never measured; nullopt if the model cannot.
  std::optional<Prediction> PredictUnknown(const Query& query,
                                           const std::string& name,
                                           const DeviceSpec& spec) const;

 private:
  const LatencyModel& model_;
  std::vector<KnownDevice> devices_;  // by name
  std::unordered_map<std::string, std::vector<size_t>> by_key_;
  std::optional<CoarseSpec> coarse_spec_;
};

// What other load makes of a time: factors for it and for its interval's ends,
// relative to the undisturbed time.
struct LoadFactors {
  double ms = 1;
  std::optional<double> low;
  std::optional<double> high;
  // The model was never trained under load: a device with a share s of its CPU
  // left is taken to need 1/s of the time, and the interval reaches from
  // undisturbed to twice that.
  bool assumed = false;
};

// `percent` of all cores, from 0 to 100. `idle` is used for its threads and the
// proportions of its interval only.
LoadFactors FactorsUnderLoad(const LatencyModel& model, const Prediction& idle,
                             double percent);

}  // namespace edgewise

#endif  // EDGEWISE_PLACEMENT_HARDWARE_H_
