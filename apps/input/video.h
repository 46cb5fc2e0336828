// Frames for the apps that look at pictures.
#ifndef EDGEWISE_APPS_INPUT_VIDEO_H_
#define EDGEWISE_APPS_INPUT_VIDEO_H_

#include <cstdint>
#include <memory>
#include <opencv2/core.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace edgewise::apps {

class VideoSource {
 public:
  virtual ~VideoSource() = default;
  // The next frame: 8-bit BGR, of any size; false at the end of the input.
  virtual Result<bool> Next(cv::Mat& frame) = 0;
};

// "synthetic" (seeded), "camera:N", "rtsp://..." or a video file.
Result<std::unique_ptr<VideoSource>> OpenVideo(const std::string& input,
                                               uint64_t seed);
inline constexpr char kVideoForms[] =
    "synthetic (default), a video file, camera:N or rtsp://...";

// A picture out of a message: JPEG, PNG or whatever else OpenCV decodes.
Result<cv::Mat> DecodePicture(std::string_view message);

// OpenCV's own chatter on stderr would come beside our one sentence.
void SilenceOpenCv();

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_INPUT_VIDEO_H_
