// From a model's output to what an application wants to know.
#ifndef EDGEWISE_APPS_DL_ANSWERS_H_
#define EDGEWISE_APPS_DL_ANSWERS_H_

#include <opencv2/core.hpp>
#include <vector>

namespace edgewise::apps {

struct ClassScore {
  int label = 0;
  float score = 0;  // of 1 in all
};

// The likeliest labels of each input, likeliest first. `output` has one row,
// in whatever shape, for each of the `batch` inputs.
std::vector<std::vector<ClassScore>> TopClasses(const cv::Mat& output,
                                                int batch, int count);

struct Detection {
  int label = 0;
  float score = 0;
  cv::Rect box_px;  // in the model's picture
};

// What a detector as tiny-yolo found, without boxes that say the same.
// `output` is batch x (anchors x values) x rows x columns.
std::vector<std::vector<Detection>> Detections(const cv::Mat& output,
                                               int picture_side_px);

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_DL_ANSWERS_H_
