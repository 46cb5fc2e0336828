#include "dl/picture_input.h"

#include <cmath>
#include <numeric>
#include <opencv2/dnn.hpp>
#include <opencv2/imgproc.hpp>

namespace edgewise::apps {
namespace {

constexpr double kMiddle = 127.5;

cv::Mat Grey(const cv::Mat& frame) {
  cv::Mat grey;
  cv::cvtColor(frame, grey, cv::COLOR_BGR2GRAY);
  return grey;
}

// `count` values from the rows of one frame.
void FillRows(const cv::Mat& frame, int count, float* values) {
  const int columns =
      std::max(1, static_cast<int>(std::lround(std::sqrt(count))));
  const int rows = (count + columns - 1) / columns;
  cv::Mat small;
  cv::resize(Grey(frame), small, cv::Size(columns, rows), 0, 0, cv::INTER_AREA);
  cv::Mat scaled;
  small.convertTo(scaled, CV_32F, 1 / kMiddle, -1);
  std::copy_n(scaled.ptr<float>(), count, values);
}

}  // namespace

cv::Mat TensorOf(const std::vector<cv::Mat>& frames,
                 const std::vector<int>& shape) {
  if (shape.size() == 4 && (shape[1] == 3 || shape[1] == 1)) {
    std::vector<cv::Mat> pictures = frames;
    if (shape[1] == 1) {
      for (cv::Mat& picture : pictures) {
        picture = Grey(picture);
      }
    }
    return cv::dnn::blobFromImages(
        pictures, 1 / kMiddle, cv::Size(shape[3], shape[2]),
        cv::Scalar::all(kMiddle), /*swapRB=*/shape[1] == 3, /*crop=*/false);
  }
  std::vector<int> batch_shape = shape;
  batch_shape[0] *= static_cast<int>(frames.size());
  cv::Mat tensor(batch_shape, CV_32F);
  const int count =
      std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
  float* values = tensor.ptr<float>();
  for (const cv::Mat& frame : frames) {
    FillRows(frame, count, values);
    values += count;
  }
  return tensor;
}

}  // namespace edgewise::apps
