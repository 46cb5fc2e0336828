// A film of textured boxes that move over a textured ground, with noise.
//
// Whole numbers only: the same on every machine, and drawn alike by
// apps/python/synthetic.py.
#ifndef EDGEWISE_APPS_INPUT_SYNTHETIC_VIDEO_H_
#define EDGEWISE_APPS_INPUT_SYNTHETIC_VIDEO_H_

#include <cstdint>
#include <opencv2/core.hpp>
#include <vector>

namespace edgewise::apps {

class SyntheticVideo {
 public:
  static constexpr int kWidth = 640;
  static constexpr int kHeight = 480;

  explicit SyntheticVideo(uint64_t seed);
  // Any frame at any time; it depends on the seed and its number only.
  void Draw(uint64_t number, cv::Mat& frame) const;

 private:
  struct Box {
    cv::Mat picture;
    int x, y;    // where it starts,
    int dx, dy;  // and how far it moves each frame
  };

  cv::Mat ground_;
  cv::Mat noise_;  // two frames high, the second as the first
  std::vector<Box> boxes_;
};

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_INPUT_SYNTHETIC_VIDEO_H_
