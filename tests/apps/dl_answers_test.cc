#include <gtest/gtest.h>

#include <opencv2/core.hpp>

#include "dl/answers.h"
#include "dl/picture_input.h"
#include "models/architectures.h"

namespace edgewise::apps {
namespace {

TEST(TopClassesTest, TheLikeliestComeFirstAndSharesAddUp) {
  const cv::Mat output = (cv::Mat_<float>(2, 3) << 0, 2, 1, 5, 5, -5);
  const auto top = TopClasses(output, 2, 5);
  ASSERT_EQ(top.size(), 2U);
  ASSERT_EQ(top[0].size(), 3U);
  EXPECT_EQ(top[0][0].label, 1);
  EXPECT_EQ(top[0][1].label, 2);
  EXPECT_EQ(top[0][2].label, 0);
  EXPECT_NEAR(top[0][0].score + top[0][1].score + top[0][2].score, 1, 1e-6);
  // Of equals the one with the lower label.
  EXPECT_EQ(top[1][0].label, 0);
  EXPECT_EQ(top[1][1].label, 1);
}

cv::Mat EmptyGrid() {
  const int shape[] = {1, kDetectorAnchors * kDetectorValues, 4, 4};
  return {4, shape, CV_32F, cv::Scalar(-10)};
}

TEST(DetectionsTest, NothingIsFoundInAnEmptyGrid) {
  EXPECT_TRUE(Detections(EmptyGrid(), 64)[0].empty());
}

TEST(DetectionsTest, ASureCellIsABoxAroundItsPlace) {
  cv::Mat output = EmptyGrid();
  const auto set = [&output](int value, float to) {
    const int at[] = {0, kDetectorValues + value, 2, 1};  // the second anchor
    output.at<float>(at) = to;
  };
  set(0, 0);  // the middle of the cell,
  set(1, 0);
  set(2, 0);  // as large as the anchor
  set(3, 0);
  set(4, 10);
  set(5 + 7, 10);
  const auto found = Detections(output, 64)[0];
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].label, 7);
  EXPECT_GT(found[0].score, 0.99F);
  EXPECT_NEAR(found[0].box_px.x + found[0].box_px.width / 2.0, 24, 1);
  EXPECT_NEAR(found[0].box_px.y + found[0].box_px.height / 2.0, 40, 1);
}

TEST(DetectionsTest, BoxesThatSayTheSameAreOne) {
  cv::Mat output = EmptyGrid();
  for (const int column : {1, 2}) {
    for (const auto& [value, to] : {std::pair{0, column == 1 ? 10.0F : -10.0F},
                                    {2, 0.0F},
                                    {3, 0.0F},
                                    {4, 10.0F},
                                    {5, 10.0F}}) {
      const int at[] = {0, 2 * kDetectorValues + value, 2, column};
      output.at<float>(at) = to;
    }
  }
  EXPECT_EQ(Detections(output, 64)[0].size(), 1U);
}

TEST(PictureInputTest, PicturesAreScaledAndTurnedToRgb) {
  const cv::Mat blue(10, 10, CV_8UC3, cv::Scalar(255, 0, 0));
  const cv::Mat tensor = TensorOf({blue, blue}, {1, 3, 4, 4});
  ASSERT_EQ(tensor.size[0], 2);
  EXPECT_FLOAT_EQ(*tensor.ptr<float>(0, 0), -1);  // red
  EXPECT_FLOAT_EQ(*tensor.ptr<float>(0, 2), 1);   // blue
}

TEST(PictureInputTest, OtherShapesGetGreyRows) {
  const cv::Mat white(50, 50, CV_8UC3, cv::Scalar::all(255));
  const cv::Mat tensor = TensorOf({white}, {1, 49, 16});
  ASSERT_EQ(tensor.total(), 784U);
  EXPECT_EQ(tensor.size[1], 49);
  for (size_t i = 0; i < tensor.total(); ++i) {
    EXPECT_FLOAT_EQ(tensor.ptr<float>()[i], 1);
  }
}

}  // namespace
}  // namespace edgewise::apps
