// A network in 8-bit integers, and how it compares with the one in floats.
#ifndef EDGEWISE_APPS_DL_QUANTIZE_H_
#define EDGEWISE_APPS_DL_QUANTIZE_H_

#include <cstdint>
#include <opencv2/dnn.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "dl/model.h"

namespace edgewise::apps {

// How far INT8 agrees with FP32 on inputs that were not used to calibrate,
// and what it costs. Both ran in turns.
struct Agreement {
  int64_t inputs = 0;
  int64_t same_top1 = 0;  // of those, how many have the same greatest output
  double cosine = 0;      // the mean similarity of outputs; 1 is the same
  double max_abs_difference = 0;
  int64_t fp32_weights_bytes = 0;
  int64_t int8_weights_bytes = 0;
  double fp32_median_ms = 0;  // of a forward pass
  double int8_median_ms = 0;
};

// One sentence, also when INT8 is the slower one.
std::string AgreementText(const Agreement& agreement);

struct QuantizedNet {
  cv::dnn::Net net;
  Agreement agreement;
};

// `calibration` frames tell the ranges of values; `held_out` ones compare.
// Neither may be empty. The model itself stays as it is.
Result<QuantizedNet> Quantize(Model& model,
                              const std::vector<cv::Mat>& calibration,
                              const std::vector<cv::Mat>& held_out);

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_DL_QUANTIZE_H_
