#include "prediction/device_spec.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

TEST(DeviceSpecTest, TheBigCoresAndTheHighestClockAreTaken) {
  const DeviceSpec spec =
      SpecFromWords("Cortex-A76 2.4GHz x 4 + Cortex-A55 1.8 GHz x 4");
  EXPECT_EQ(spec.core, CoreKind::kArmBig);
  EXPECT_EQ(spec.clock_ghz, 2.4);
}

TEST(DeviceSpecTest, SmallerArmCoresAreToldApart) {
  EXPECT_EQ(SpecFromWords("Cortex-A53 1.4GHz").core, CoreKind::kArmSmall);
  EXPECT_EQ(SpecFromWords("Cortex-A5, 1.5GHz").core, CoreKind::kArm32);
  EXPECT_EQ(SpecFromWords("Cortex-A72").core, CoreKind::kArmMiddle);
}

TEST(DeviceSpecTest, WhatIsNotSaidIsUnknown) {
  const DeviceSpec spec = SpecFromWords("a box of GHz");
  EXPECT_EQ(spec.core, CoreKind::kUnknown);
  EXPECT_EQ(spec.clock_ghz, std::nullopt);
}

}  // namespace
}  // namespace edgewise
