#include "dl/quantize.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "dl/picture_input.h"

namespace edgewise::apps {
namespace {

double Median(std::vector<double> values) {
  const auto middle =
      values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// A forward pass, and its time at the end of `times_ms`.
cv::Mat TimedForward(cv::dnn::Net& net, const cv::Mat& tensor,
                     std::vector<double>& times_ms) {
  const int64_t start_ns = MonotonicNs();
  net.setInput(tensor);
  cv::Mat output = net.forward().clone();
  times_ms.push_back(static_cast<double>(MonotonicNs() - start_ns) /
                     static_cast<double>(kNsPerMs));
  return output.reshape(1, 1);
}

int Top1(const cv::Mat& row) {
  cv::Point place;
  cv::minMaxLoc(row, nullptr, nullptr, nullptr, &place);
  return place.x;
}

Agreement Compare(Model& model, cv::dnn::Net& int8,
                  const std::vector<cv::Mat>& frames) {
  Agreement agreement;
  agreement.fp32_weights_bytes = WeightsBytes(model.net);
  agreement.int8_weights_bytes = WeightsBytes(int8);
  std::vector<double> fp32_ms;
  std::vector<double> int8_ms;
  for (const cv::Mat& frame : frames) {
    const cv::Mat tensor = TensorOf({frame}, model.input_shape);
    const cv::Mat exact = TimedForward(model.net, tensor, fp32_ms);
    const cv::Mat rough = TimedForward(int8, tensor, int8_ms);
    ++agreement.inputs;
    agreement.same_top1 += Top1(exact) == Top1(rough) ? 1 : 0;
    const double lengths = cv::norm(exact) * cv::norm(rough);
    agreement.cosine += lengths > 0 ? exact.dot(rough) / lengths : 0;
    agreement.max_abs_difference = std::max(
        agreement.max_abs_difference, cv::norm(exact, rough, cv::NORM_INF));
  }
  agreement.cosine /= static_cast<double>(agreement.inputs);
  agreement.fp32_median_ms = Median(fp32_ms);
  agreement.int8_median_ms = Median(int8_ms);
  return agreement;
}

Error CannotQuantize(const Model& model, const std::string& why) {
  return Error{ErrorCode::kInvalid,
               "--precision int8: OpenCV " CV_VERSION " cannot quantise \"" +
                   model.name + "\"" + why + "; use --precision fp32"};
}

}  // namespace

std::string AgreementText(const Agreement& agreement) {
  const double ratio = agreement.int8_median_ms / agreement.fp32_median_ms;
  return fmt::format(
      "int8 against fp32: {} of {} inputs have the same answer, cosine {:.4f}, "
      "largest difference {:.3g}; weights {} against {}; {:.3g} ms against "
      "{:.3g} ms, {}",
      agreement.same_top1, agreement.inputs, agreement.cosine,
      agreement.max_abs_difference,
      FormatBytes(static_cast<double>(agreement.int8_weights_bytes)),
      FormatBytes(static_cast<double>(agreement.fp32_weights_bytes)),
      agreement.int8_median_ms, agreement.fp32_median_ms,
      ratio <= 1 ? fmt::format("{:.2f} times as fast", 1 / ratio)
                 : fmt::format("{:.2f} times slower", ratio));
}

Result<QuantizedNet> Quantize(Model& model,
                              const std::vector<cv::Mat>& calibration,
                              const std::vector<cv::Mat>& held_out) {
  if (model.architecture != nullptr && !model.architecture->can_be_int8) {
    return CannotQuantize(model, "");
  }
  if (!model.takes_batches()) {
    return CannotQuantize(model,
                          ", which is not a network of pictures or vectors");
  }
  try {
    QuantizedNet quantized;
    quantized.net = model.net.quantize(
        std::vector<cv::Mat>{TensorOf(calibration, model.input_shape)},
        /*inputsDtype=*/CV_32F, /*outputsDtype=*/CV_32F);
    // The first pass allocates, and shows what does not work.
    const cv::Mat tensor = TensorOf({held_out.front()}, model.input_shape);
    quantized.net.setInput(tensor);
    quantized.net.forward();
    model.net.setInput(tensor);
    model.net.forward();
    quantized.agreement = Compare(model, quantized.net, held_out);
    return quantized;
  } catch (const cv::Exception& exception) {
    return CannotQuantize(model, " (" + std::string(Trim(exception.err)) + ")");
  }
}

}  // namespace edgewise::apps
