// From frames to what a model takes.
#ifndef EDGEWISE_APPS_DL_PICTURE_INPUT_H_
#define EDGEWISE_APPS_DL_PICTURE_INPUT_H_

#include <opencv2/core.hpp>
#include <vector>

namespace edgewise::apps {

// A tensor of `shape`, its first dimension multiplied by the number of frames,
// with values from -1 to 1. Models for pictures get the frames resized to
// theirs, in RGB or grey; others get the rows of a grey picture, as square as
// their number of values allows.
cv::Mat TensorOf(const std::vector<cv::Mat>& frames,
                 const std::vector<int>& shape);

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_DL_PICTURE_INPUT_H_
