// What a camera at a crossing does with each frame: makes it small, tells what
// moves from what stands, how it moves, and lists what it found.
#ifndef EDGEWISE_APPS_IMAGE_IMAGE_WORK_H_
#define EDGEWISE_APPS_IMAGE_IMAGE_WORK_H_

#include <edgewise/edgewise.hpp>
#include <memory>
#include <opencv2/video/background_segm.hpp>
#include <vector>

#include "input/synthetic_video.h"
#include "input/video.h"
#include "load/crew.h"
#include "load/drive.h"

namespace edgewise::apps {

// Spans: capture; in each frame resize, background, flow, contours. The
// results of a frame depend on the frames before it.
class ImageWork : public Work {
 public:
  // `source` may be null if all frames come in messages; whole numbers then
  // name frames of the synthetic film of this seed. Threads share the flow; of
  // OpenCV's own there is one, in the whole process.
  ImageWork(std::unique_ptr<VideoSource> source, int threads, uint64_t seed);

  const char* item_name() const override { return "frame"; }
  Result<bool> Fetch() override;
  Result<void> Take(std::string_view message) override;
  Result<void> Process(Checksum& checksum) override;

 private:
  // One thing that moves.
  struct Found {
    cv::Rect box;
    double area_px = 0;
    double perimeter_px = 0;
    cv::Scalar mean_flow_px;
  };

  void Resize();
  void SubtractBackground();
  void FollowFlow();
  std::vector<Found> FindContours() const;

  std::unique_ptr<VideoSource> source_;
  SyntheticVideo film_;
  Crew crew_;
  cv::Ptr<cv::BackgroundSubtractorMOG2> background_;
  cv::Mat kernel_;
  cv::Mat frame_, small_, gray_, previous_gray_, mask_, flow_;
  Gauge objects_{"objects"};
};

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_IMAGE_IMAGE_WORK_H_
