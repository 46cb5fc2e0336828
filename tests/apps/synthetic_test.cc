#include <gtest/gtest.h>

#include <algorithm>
#include <opencv2/core.hpp>

#include "input/synthetic_sound.h"
#include "input/synthetic_video.h"
#include "load/checksum.h"

namespace edgewise::apps {
namespace {

uint32_t ChecksumOf(const cv::Mat& frame) {
  Checksum checksum;
  checksum.AddBytes(frame.data, frame.total() * frame.elemSize());
  return checksum.value();
}

TEST(SyntheticVideoTest, AFrameIsTheSameOnEveryMachine) {
  cv::Mat frame;
  SyntheticVideo(1).Draw(7, frame);
  EXPECT_EQ(FormatChecksum(ChecksumOf(frame)), "9c6b93b0");
}

TEST(SyntheticVideoTest, FramesDependOnSeedAndNumberOnly) {
  const SyntheticVideo film(1);
  cv::Mat first, second, again;
  film.Draw(3, first);
  film.Draw(4, second);
  film.Draw(3, again);
  EXPECT_EQ(ChecksumOf(first), ChecksumOf(again));
  EXPECT_NE(ChecksumOf(first), ChecksumOf(second));
  SyntheticVideo(2).Draw(3, second);
  EXPECT_NE(ChecksumOf(first), ChecksumOf(second));
}

TEST(SyntheticVideoTest, AnyNumberNamesAFrame) {
  cv::Mat frame;
  SyntheticVideo(1).Draw(UINT64_MAX, frame);
  EXPECT_EQ(frame.size(), cv::Size(640, 480));
}

TEST(SyntheticSoundTest, PiecesMakeTheSameSoundAsTheWhole) {
  std::vector<float> whole(1600);
  SyntheticSound(5).Next(whole);
  SyntheticSound sound(5);
  std::vector<float> pieces;
  for (int i = 0; i < 100; ++i) {
    std::vector<float> piece(16);
    sound.Next(piece);
    pieces.insert(pieces.end(), piece.begin(), piece.end());
  }
  EXPECT_EQ(pieces, whole);
}

TEST(SyntheticSoundTest, ItIsHeardAndNeverTooLoud) {
  std::vector<float> sound(16000);
  SyntheticSound(5).Next(sound);
  const auto [low, high] = std::minmax_element(sound.begin(), sound.end());
  EXPECT_GT(*high, 0.1F);
  EXPECT_LT(*high, 1.0F);
  EXPECT_GT(*low, -1.0F);
}

}  // namespace
}  // namespace edgewise::apps
