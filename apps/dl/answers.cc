#include "dl/answers.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <opencv2/dnn.hpp>

#include "models/architectures.h"

namespace edgewise::apps {
namespace {

constexpr float kLeastScore = 0.5F;
constexpr float kMostOverlap = 0.45F;
// Width and height of boxes that are typical, as shares of the picture.
constexpr float kAnchors[kDetectorAnchors][2] = {
    {0.08F, 0.10F}, {0.20F, 0.25F}, {0.50F, 0.45F}};

float Sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

// One cell's view of one anchor; the values lie a plane apart.
struct CellView {
  const float* values;
  size_t plane;
  float at(int i) const { return values[static_cast<size_t>(i) * plane]; }
};

Detection ReadCell(const CellView& cell, int column, int row, int grid,
                   int anchor, int side_px) {
  Detection detection;
  for (int label = 1; label < kDetectorClasses; ++label) {
    if (cell.at(5 + label) > cell.at(5 + detection.label)) {
      detection.label = label;
    }
  }
  detection.score = Sigmoid(cell.at(4)) * Sigmoid(cell.at(5 + detection.label));
  const auto side = static_cast<float>(side_px);
  const auto cells = static_cast<float>(grid);
  const float x = (static_cast<float>(column) + Sigmoid(cell.at(0))) / cells;
  const float y = (static_cast<float>(row) + Sigmoid(cell.at(1))) / cells;
  // A box is at most e^2 times as large as its anchor.
  const float width =
      kAnchors[anchor][0] * std::exp(std::clamp(cell.at(2), -2.0F, 2.0F));
  const float height =
      kAnchors[anchor][1] * std::exp(std::clamp(cell.at(3), -2.0F, 2.0F));
  detection.box_px =
      cv::Rect(static_cast<int>((x - width / 2) * side),
               static_cast<int>((y - height / 2) * side),
               static_cast<int>(width * side), static_cast<int>(height * side));
  return detection;
}

std::vector<Detection> WithoutOverlaps(const std::vector<Detection>& all) {
  std::vector<cv::Rect> boxes;
  std::vector<float> scores;
  for (const Detection& one : all) {
    boxes.push_back(one.box_px);
    scores.push_back(one.score);
  }
  std::vector<int> kept;
  cv::dnn::NMSBoxes(boxes, scores, kLeastScore, kMostOverlap, kept);
  std::vector<Detection> detections;
  for (const int i : kept) {
    detections.push_back(all[i]);
  }
  return detections;
}

}  // namespace

std::vector<std::vector<ClassScore>> TopClasses(const cv::Mat& output,
                                                int batch, int count) {
  const int labels = static_cast<int>(output.total()) / batch;
  const int wanted = std::min(count, labels);
  std::vector<std::vector<ClassScore>> all;
  for (int i = 0; i < batch; ++i) {
    const float* values =
        output.ptr<float>() + static_cast<ptrdiff_t>(i) * labels;
    std::vector<int> order(labels);
    std::iota(order.begin(), order.end(), 0);
    // Equal values in the order of labels, so that the answer is one.
    std::partial_sort(order.begin(), order.begin() + wanted, order.end(),
                      [values](int a, int b) {
                        return values[a] != values[b] ? values[a] > values[b]
                                                      : a < b;
                      });
    const float top = values[order[0]];
    float sum = 0;
    for (int label = 0; label < labels; ++label) {
      sum += std::exp(values[label] - top);
    }
    auto& scores = all.emplace_back();
    for (int k = 0; k < wanted; ++k) {
      scores.push_back({order[k], std::exp(values[order[k]] - top) / sum});
    }
  }
  return all;
}

std::vector<std::vector<Detection>> Detections(const cv::Mat& output,
                                               int picture_side_px) {
  CV_Assert(output.dims == 4 &&
            output.size[1] == kDetectorAnchors * kDetectorValues);
  const int grid = output.size[2];
  const size_t plane = static_cast<size_t>(grid) * output.size[3];
  std::vector<std::vector<Detection>> all;
  for (int i = 0; i < output.size[0]; ++i) {
    std::vector<Detection> found;
    for (int anchor = 0; anchor < kDetectorAnchors; ++anchor) {
      const float* values = output.ptr<float>(i, anchor * kDetectorValues);
      for (size_t cell = 0; cell < plane; ++cell) {
        const int row = static_cast<int>(cell) / output.size[3];
        const int column = static_cast<int>(cell) % output.size[3];
        const Detection one = ReadCell({values + cell, plane}, column, row,
                                       grid, anchor, picture_side_px);
        if (one.score >= kLeastScore) {
          found.push_back(one);
        }
      }
    }
    all.push_back(WithoutOverlaps(found));
  }
  return all;
}

}  // namespace edgewise::apps
