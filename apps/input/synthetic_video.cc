#include "input/synthetic_video.h"

#include <cstring>

#include "stats/random.h"

namespace edgewise::apps {
namespace {

constexpr int kBoxes = 6;
constexpr int kNoiseRowsPerFrame = 53;
constexpr uint64_t kSmallNoise = 0x0F0F0F0F0F0F0F0Fu;

// There and back again between 0 and `range`.
int Bounce(int64_t position, int64_t range) {
  const int64_t cycle = 2 * range;
  const int64_t phase = ((position % cycle) + cycle) % cycle;
  return static_cast<int>(phase <= range ? phase : cycle - phase);
}

// 0 or 1, as on a chess board with squares of this size.
int Square(int x, int y, int size) { return (x / size + y / size) % 2; }

cv::Mat Ground() {
  cv::Mat ground(SyntheticVideo::kHeight, SyntheticVideo::kWidth, CV_8UC3);
  for (int y = 0; y < ground.rows; ++y) {
    for (int x = 0; x < ground.cols; ++x) {
      for (int c = 0; c < 3; ++c) {
        ground.at<cv::Vec3b>(y, x)[c] = static_cast<uint8_t>(
            40 + (x * (c + 1) + y * (3 - c)) / 8 % 64 + 24 * Square(x, y, 32));
      }
    }
  }
  return ground;
}

cv::Mat BoxPicture(int width, int height, const cv::Vec3b& color) {
  cv::Mat picture(height, width, CV_8UC3);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < 3; ++c) {
        picture.at<cv::Vec3b>(y, x)[c] =
            static_cast<uint8_t>(color[c] + 40 * Square(x, y, 5));
      }
    }
  }
  return picture;
}

}  // namespace

SyntheticVideo::SyntheticVideo(uint64_t seed) : ground_(Ground()) {
  stats::Random random(seed);
  const auto below = [&random](int bound) {
    return static_cast<int>(random.Below(static_cast<uint64_t>(bound)));
  };
  for (int i = 0; i < kBoxes; ++i) {
    const int width = 30 + below(70);
    const int height = 30 + below(70);
    Box box;
    box.x = below(kWidth - width);
    box.y = below(kHeight - height);
    box.dx = below(13) - 6;
    box.dy = below(9) - 4;
    cv::Vec3b color;
    for (int c = 0; c < 3; ++c) {
      color[c] = static_cast<uint8_t>(100 + below(100));
    }
    box.picture = BoxPicture(width, height, color);
    boxes_.push_back(box);
  }
  noise_.create(2 * kHeight, kWidth, CV_8UC3);
  const size_t bytes = size_t{kHeight} * kWidth * 3;
  static_assert(kHeight * kWidth * 3 % sizeof(uint64_t) == 0);
  for (size_t at = 0; at < bytes; at += sizeof(uint64_t)) {
    const uint64_t word = random.Next() & kSmallNoise;
    std::memcpy(noise_.data + at, &word, sizeof(word));
  }
  std::memcpy(noise_.data + bytes, noise_.data, bytes);
}

void SyntheticVideo::Draw(uint64_t number, cv::Mat& frame) const {
  ground_.copyTo(frame);
  // Beyond any film's length, and so that products stay small.
  const auto time = static_cast<int64_t>(number % (uint64_t{1} << 40));
  for (const Box& box : boxes_) {
    const int x = Bounce(box.x + time * box.dx, kWidth - box.picture.cols);
    const int y = Bounce(box.y + time * box.dy, kHeight - box.picture.rows);
    box.picture.copyTo(
        frame(cv::Rect(x, y, box.picture.cols, box.picture.rows)));
  }
  const int row = static_cast<int>(time * kNoiseRowsPerFrame % kHeight);
  cv::add(frame, noise_.rowRange(row, row + kHeight), frame);
}

}  // namespace edgewise::apps
