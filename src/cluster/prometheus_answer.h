// Answers of Prometheus' query API.
#ifndef EDGEWISE_CLUSTER_PROMETHEUS_ANSWER_H_
#define EDGEWISE_CLUSTER_PROMETHEUS_ANSWER_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace edgewise::cluster {

// One series at one time.
struct Sample {
  std::map<std::string, std::string> labels;
  double value = 0;   // finite
  double time_s = 0;  // of the evaluation, in seconds since 1970

  // Empty if there is no such label.
  std::string Label(const std::string& name) const;
  // The value of the first label that ends with this.
  std::string LabelEndingWith(std::string_view ending) const;
};

// An instant vector. Values that are no finite number are left out. The error
// is one clause: what Prometheus says, or that this is not from it.
Result<std::vector<Sample>> ReadVector(std::string_view json);

}  // namespace edgewise::cluster

#endif  // EDGEWISE_CLUSTER_PROMETHEUS_ANSWER_H_
