#include "image/image_work.h"

#include <algorithm>
#include <opencv2/imgproc.hpp>
#include <opencv2/video/tracking.hpp>

#include "input/opencv_threads.h"
#include "load/message_number.h"

namespace edgewise::apps {
namespace {

constexpr int kSmallWidth = 320;
constexpr int kSmallHeight = 240;
// The flow is computed in strips that overlap, because OpenCV computes it with
// one thread only. Always as many, so that results do not depend on threads.
constexpr int kStrips = 4;
constexpr int kStripRows = kSmallHeight / kStrips;
constexpr int kOverlapRows = 16;
constexpr int kHistoryFrames = 120;
constexpr double kVarianceThreshold = 25;
constexpr double kLeastArea = 40;

void AddPixels(const cv::Mat& mat, Checksum& checksum) {
  CV_Assert(mat.isContinuous());
  checksum.AddBytes(mat.data, mat.total() * mat.elemSize());
}

}  // namespace

ImageWork::ImageWork(std::unique_ptr<VideoSource> source, int threads,
                     uint64_t seed)
    : source_(std::move(source)),
      film_(seed),
      crew_(threads),
      background_(cv::createBackgroundSubtractorMOG2(
          kHistoryFrames, kVarianceThreshold, /*detectShadows=*/false)),
      kernel_(cv::getStructuringElement(cv::MORPH_RECT, cv::Size(3, 3))) {
  SetOpenCvThreads(1);
}

Result<bool> ImageWork::Fetch() {
  EDGEWISE_MEASURE("capture");
  return source_->Next(frame_);
}

Result<void> ImageWork::Take(std::string_view message) {
  EDGEWISE_MEASURE("capture");
  if (const auto number = MessageNumber(message)) {
    film_.Draw(*number, frame_);
    return {};
  }
  auto picture = DecodePicture(message);
  if (!picture) {
    return picture.error();
  }
  frame_ = *picture;
  return {};
}

Result<void> ImageWork::Process(Checksum& checksum) {
  Resize();
  SubtractBackground();
  FollowFlow();
  const std::vector<Found> found = FindContours();
  objects_.Set(static_cast<double>(found.size()));
  AddPixels(mask_, checksum);
  AddPixels(flow_, checksum);
  for (const Found& one : found) {
    for (const int side :
         {one.box.x, one.box.y, one.box.width, one.box.height}) {
      checksum.Add(int32_t{side});
    }
    checksum.Add(one.area_px);
    checksum.Add(one.perimeter_px);
    checksum.Add(one.mean_flow_px[0]);
    checksum.Add(one.mean_flow_px[1]);
  }
  cv::swap(gray_, previous_gray_);
  return {};
}

void ImageWork::Resize() {
  EDGEWISE_MEASURE("resize");
  cv::resize(frame_, small_, cv::Size(kSmallWidth, kSmallHeight), 0, 0,
             cv::INTER_AREA);
  cv::cvtColor(small_, gray_, cv::COLOR_BGR2GRAY);
}

void ImageWork::SubtractBackground() {
  EDGEWISE_MEASURE("background");
  background_->apply(small_, mask_);
  cv::morphologyEx(mask_, mask_, cv::MORPH_OPEN, kernel_);
}

void ImageWork::FollowFlow() {
  EDGEWISE_MEASURE("flow");
  const cv::Mat& previous = previous_gray_.empty() ? gray_ : previous_gray_;
  flow_.create(gray_.size(), CV_32FC2);
  crew_.Share(kStrips, [&](int first, int last, int) {
    for (int strip = first; strip < last; ++strip) {
      const cv::Range own(strip * kStripRows, (strip + 1) * kStripRows);
      const cv::Range seen(std::max(0, own.start - kOverlapRows),
                           std::min(kSmallHeight, own.end + kOverlapRows));
      cv::Mat flow;
      cv::calcOpticalFlowFarneback(
          previous.rowRange(seen), gray_.rowRange(seen), flow,
          /*pyr_scale=*/0.5, /*levels=*/3, /*winsize=*/15, /*iterations=*/3,
          /*poly_n=*/5, /*poly_sigma=*/1.2, /*flags=*/0);
      flow.rowRange(own.start - seen.start, own.end - seen.start)
          .copyTo(flow_.rowRange(own));
    }
  });
}

std::vector<ImageWork::Found> ImageWork::FindContours() const {
  EDGEWISE_MEASURE("contours");
  std::vector<std::vector<cv::Point>> contours;
  cv::findContours(mask_, contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_SIMPLE);
  std::vector<Found> found;
  for (const auto& contour : contours) {
    Found one;
    one.area_px = cv::contourArea(contour);
    if (one.area_px < kLeastArea) {
      continue;
    }
    one.box = cv::boundingRect(contour);
    one.perimeter_px = cv::arcLength(contour, /*closed=*/true);
    one.mean_flow_px = cv::mean(flow_(one.box), mask_(one.box));
    found.push_back(one);
  }
  return found;
}

}  // namespace edgewise::apps
