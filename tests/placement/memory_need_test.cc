#include "placement/memory_need.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

TEST(MemoryNeedTest, CountsWeightsInputAndOutput) {
  Characteristics model;
  model.total_parameters = 1e6;
  model.model_input_bytes = 1000;
  model.model_output_bytes = 10;
  EXPECT_DOUBLE_EQ(*MemoryNeedBytes(model), 4e6 + 1010 + kRuntimeBytes);
}

TEST(MemoryNeedTest, CountThatNoMachineHoldsSaysNothing) {
  Characteristics model;
  model.total_parameters = 1e12;
  EXPECT_TRUE(MemoryNeedBytes(model));
  model.total_parameters = 1e19;
  EXPECT_FALSE(MemoryNeedBytes(model));
}

}  // namespace
}  // namespace edgewise
