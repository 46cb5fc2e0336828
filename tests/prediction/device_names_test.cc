#include "prediction/device_names.h"

#include <gmock/gmock.h>

namespace edgewise {
namespace {

using testing::Contains;

const std::vector<std::string> kKnown = {
    "Raspberry Pi 3 Model B+", "Raspberry Pi 4 Model B", "Raspberry Pi 5",
    "Raspberry Pi 5 (overclocked)", "NVIDIA Jetson Nano"};

TEST(DeviceNamesTest, NamesOfOneBoardAreOne) {
  EXPECT_EQ(MatchDevice("Raspberry Pi 4B", kKnown), "Raspberry Pi 4 Model B");
  EXPECT_EQ(MatchDevice("Raspberry Pi 4 Model B Rev 1.4 ", kKnown),
            "Raspberry Pi 4 Model B");
  EXPECT_EQ(MatchDevice("raspberry pi 3 model b plus", kKnown),
            "Raspberry Pi 3 Model B+");
  EXPECT_EQ(MatchDevice("Jetson Nano Developer Kit", kKnown),
            "NVIDIA Jetson Nano");
}

TEST(DeviceNamesTest, OtherBoardsAreNotTakenForOneAnother) {
  EXPECT_EQ(MatchDevice("Raspberry Pi 3 Model B", kKnown), std::nullopt);
  EXPECT_EQ(MatchDevice("Raspberry Pi", kKnown), std::nullopt);
  EXPECT_EQ(MatchDevice("", kKnown), std::nullopt);
  EXPECT_EQ(MatchDevice("Raspberry Pi 5", kKnown), "Raspberry Pi 5");
}

TEST(DeviceNamesTest, SimilarOnesAreSuggested) {
  EXPECT_THAT(SimilarDevices("Raspberry Pi 9", kKnown),
              Contains("Raspberry Pi 5"));
}

}  // namespace
}  // namespace edgewise
