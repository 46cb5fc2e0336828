// Services that run a network through OpenCV.
#include <array>
#include <exception>
#include <opencv2/core.hpp>

#include "dl/model.h"
#include "tenant/seeded.h"
#include "tenant/service.h"

namespace edgewise::apps {
namespace {

constexpr size_t kInputs = 4;

class Network : public Service {
 public:
  explicit Network(Model model) : model_(std::move(model)) {
    stats::Random random(15);
    for (cv::Mat& input : inputs_) {
      input = cv::Mat(model_.input_shape, CV_32F);
      const auto values = SeededWeights(random, input.total(), 3);
      std::copy(values.begin(), values.end(), input.ptr<float>());
    }
  }

  Result<void> Answer(uint64_t number, Checksum& checksum) override {
    try {
      model_.net.setInput(inputs_[number % kInputs]);
      const cv::Mat answer = model_.net.forward();
      checksum.AddBytes(answer.data, answer.total() * answer.elemSize());
    } catch (const cv::Exception& exception) {
      return ModelError(model_, exception);
    }
    return {};
  }

 private:
  Model model_;
  std::array<cv::Mat, kInputs> inputs_;
};

}  // namespace

Result<std::unique_ptr<Service>> MakeNetwork(const char* architecture) {
  auto model = LoadModel(architecture);
  if (!model) {
    return model.error();
  }
  return std::unique_ptr<Service>(std::make_unique<Network>(std::move(*model)));
}

}  // namespace edgewise::apps
