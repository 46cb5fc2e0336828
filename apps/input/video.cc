#include "input/video.h"

#include <cstdlib>
#include <filesystem>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/videoio.hpp>

#include "base/text.h"
#include "input/synthetic_video.h"

namespace edgewise::apps {
namespace {

constexpr std::string_view kCamera = "camera:";
constexpr std::string_view kRtsp = "rtsp://";
constexpr int kMostCameras = 1000;

class SyntheticSource : public VideoSource {
 public:
  explicit SyntheticSource(uint64_t seed) : video_(seed) {}
  Result<bool> Next(cv::Mat& frame) override {
    video_.Draw(number_++, frame);
    return true;
  }

 private:
  SyntheticVideo video_;
  uint64_t number_ = 0;
};

// Files, cameras and streams.
class CaptureSource : public VideoSource {
 public:
  explicit CaptureSource(const cv::VideoCapture& capture) : capture_(capture) {}
  Result<bool> Next(cv::Mat& frame) override { return capture_.read(frame); }

 private:
  cv::VideoCapture capture_;
};

Result<std::unique_ptr<VideoSource>> Opened(const cv::VideoCapture& capture,
                                            Error otherwise) {
  if (!capture.isOpened()) {
    return otherwise;
  }
  return std::unique_ptr<VideoSource>(std::make_unique<CaptureSource>(capture));
}

}  // namespace

Result<std::unique_ptr<VideoSource>> OpenVideo(const std::string& input,
                                               uint64_t seed) {
  if (input == "synthetic") {
    return std::unique_ptr<VideoSource>(
        std::make_unique<SyntheticSource>(seed));
  }
  if (input.starts_with(kCamera)) {
    const auto number = ParseInt(input.substr(kCamera.size()));
    if (!number || *number < 0 || *number > kMostCameras) {
      return Error{ErrorCode::kInvalid,
                   "--input: \"" + input + "\" must be camera:N, as camera:0"};
    }
    return Opened(cv::VideoCapture(static_cast<int>(*number), cv::CAP_V4L2),
                  {ErrorCode::kUnsupported,
                   "there is no camera " + std::to_string(*number) +
                       " that can be opened: see /dev/video*, or use --input "
                       "synthetic"});
  }
  if (input.starts_with(kRtsp)) {
    return Opened(cv::VideoCapture(input, cv::CAP_FFMPEG),
                  {ErrorCode::kUnsupported,
                   "the stream " + input +
                       " cannot be opened: check the address and that the "
                       "camera answers"});
  }
  if (input == "mic" || input.starts_with("mic:")) {
    return Error{ErrorCode::kInvalid,
                 "--input: a microphone has no pictures; known: " +
                     std::string(kVideoForms)};
  }
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(input, ignored)) {
    return Error{ErrorCode::kNotFound,
                 "--input: there is no file \"" + input +
                     "\"; known: " + std::string(kVideoForms)};
  }
  return Opened(
      cv::VideoCapture(input, cv::CAP_FFMPEG),
      {ErrorCode::kInvalid,
       "--input: \"" + input + "\" is not a video that OpenCV reads"});
}

Result<cv::Mat> DecodePicture(std::string_view message) {
  const cv::Mat bytes(1, static_cast<int>(message.size()), CV_8U,
                      const_cast<char*>(message.data()));
  cv::Mat picture;
  if (!message.empty()) {
    picture = cv::imdecode(bytes, cv::IMREAD_COLOR);
  }
  if (picture.empty()) {
    return Error{ErrorCode::kInvalid,
                 "a message must be a picture (JPEG, PNG) or a whole number"};
  }
  return picture;
}

void SilenceOpenCv() {
  // FFmpeg's level "quiet", unless somebody looks for a fault.
  ::setenv("OPENCV_FFMPEG_LOGLEVEL", "-8", /*overwrite=*/0);
  cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
}

}  // namespace edgewise::apps
