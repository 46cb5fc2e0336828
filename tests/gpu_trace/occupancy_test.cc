#include "gpu/occupancy.h"

#include <gtest/gtest.h>

namespace edgewise::gpu {
namespace {

// An H200: compute capability 9.0.
DeviceRecord Hopper() {
  DeviceRecord device{};
  device.multiprocessors = 132;
  device.warp_threads = 32;
  device.most_warps = 64;
  device.most_blocks = 32;
  device.most_shared_bytes = 233472;
  device.most_registers = 65536;
  device.capability_major = 9;
  return device;
}

KernelRecord Kernel(uint32_t block_threads, uint32_t thread_registers,
                    uint32_t shared_bytes) {
  KernelRecord kernel{};
  kernel.block_threads = block_threads;
  kernel.thread_registers = thread_registers;
  kernel.shared_bytes = shared_bytes;
  return kernel;
}

TEST(OccupancyTest, AModestKernelFillsTheProcessor) {
  const auto full = OccupancyLimit(Kernel(256, 32, 0), Hopper());
  ASSERT_TRUE(full);
  EXPECT_EQ(full->percent, 100);
  EXPECT_EQ(full->limit, "");
}

TEST(OccupancyTest, RegistersMayBeTheLimit) {
  // 255 registers: 8160 a warp, rounded up to 8192: 8 warps a processor.
  const auto low = OccupancyLimit(Kernel(128, 255, 0), Hopper());
  ASSERT_TRUE(low);
  EXPECT_EQ(low->percent, 12.5);
  EXPECT_EQ(low->limit, "registers");
}

TEST(OccupancyTest, SharedMemoryMayBeTheLimit) {
  const auto low = OccupancyLimit(Kernel(256, 32, 100 * 1024), Hopper());
  ASSERT_TRUE(low);
  EXPECT_EQ(low->percent, 25);
  EXPECT_EQ(low->limit, "shared memory");
}

TEST(OccupancyTest, SmallBlocksRunIntoTheirNumber) {
  const auto low = OccupancyLimit(Kernel(32, 16, 0), Hopper());
  ASSERT_TRUE(low);
  EXPECT_EQ(low->percent, 50);
  EXPECT_EQ(low->limit, "blocks per multiprocessor");
}

TEST(OccupancyTest, BlocksThatDoNotDivideTheProcessorLeaveSomeOfItEmpty) {
  const auto low = OccupancyLimit(Kernel(768, 16, 0), Hopper());
  ASSERT_TRUE(low);
  EXPECT_EQ(low->percent, 75);
  EXPECT_EQ(low->limit, "block size");
}

TEST(OccupancyTest, WhatIsNotKnownGivesNoFigure) {
  EXPECT_FALSE(OccupancyLimit(Kernel(256, 32, 0), DeviceRecord{}));
  EXPECT_FALSE(OccupancyLimit(Kernel(0, 32, 0), Hopper()));
  EXPECT_FALSE(OccupancyLimit(Kernel(256, 32, 1 << 30), Hopper()));
}

}  // namespace
}  // namespace edgewise::gpu
