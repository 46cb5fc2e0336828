#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gpu/summary.h"

namespace edgewise {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Nothing to complain about: always busy, kernels alone.
GpuSummary Good() {
  GpuSummary summary;
  summary.span_ns = 1'000'000;
  summary.busy_ns = 1'000'000;
  summary.kernel_ns = 1'000'000;
  summary.kernel_count = 10;
  summary.multiprocessors = 132;
  GpuKernelUse kernel;
  kernel.name = "gemm";
  kernel.count = 10;
  kernel.total_ns = 1'000'000;
  kernel.blocks = 1000;
  kernel.block_threads = 256;
  kernel.occupancy_percent = 100;
  summary.kernels = {kernel};
  return summary;
}

TEST(GpuAdviceTest, GoodWorkGetsNone) {
  EXPECT_THAT(GpuAdvice(Good()), IsEmpty());
  EXPECT_THAT(GpuAdvice(GpuSummary()), IsEmpty());
}

TEST(GpuAdviceTest, PageableCopiesShouldBePinned) {
  GpuSummary summary = Good();
  summary.kernel_ns = 390'000;
  summary.copy_ns = 610'000;
  summary.overlap_ns = 390'000;
  summary.copies = {{"host to device", 10, 1 << 30, 610'000, 10, 610'000}};
  EXPECT_THAT(GpuAdvice(summary),
              ElementsAre(HasSubstr("61% of GPU time is copies of pageable "
                                    "memory: pin it")));
}

TEST(GpuAdviceTest, CopiesAndKernelsInTurnsCouldOverlap) {
  GpuSummary summary = Good();
  summary.kernel_ns = 700'000;
  summary.copy_ns = 300'000;
  EXPECT_THAT(GpuAdvice(summary), ElementsAre(HasSubstr("up to 30%")));
  summary.overlap_ns = 290'000;
  EXPECT_THAT(GpuAdvice(summary), IsEmpty());
}

TEST(GpuAdviceTest, ManySmallKernelsAreForAGraph) {
  GpuSummary summary = Good();
  summary.busy_ns = 200'000;
  summary.kernel_ns = 200'000;
  summary.kernel_count = 100;
  summary.launch_mean_ns = 3000;
  EXPECT_THAT(GpuAdvice(summary),
              ElementsAre(AllOf(HasSubstr("idle 80%"), HasSubstr("graph"))));
}

TEST(GpuAdviceTest, WhoUsesGraphsIsNotToldToUseThem) {
  GpuSummary summary = Good();
  summary.busy_ns = 200'000;
  summary.kernel_ns = 200'000;
  summary.kernel_count = 100;
  summary.launch_mean_ns = 3000;
  summary.calls = {{"cudaGraphLaunch", 10, 100'000, 20'000}};
  EXPECT_THAT(GpuAdvice(summary),
              ElementsAre(AllOf(HasSubstr("idle 80%"),
                                ::testing::Not(HasSubstr("graph")))));
}

TEST(GpuAdviceTest, AnIdleGpuWantsItsWorkEarlier) {
  GpuSummary summary = Good();
  summary.busy_ns = 500'000;
  summary.longest_gap_ns = 20'000;
  EXPECT_THAT(GpuAdvice(summary),
              ElementsAre(AllOf(HasSubstr("idle 50%"),
                                HasSubstr("prepares the next item too late"))));
}

TEST(GpuAdviceTest, SmallCopiesShouldBeGathered) {
  GpuSummary summary = Good();
  summary.copies = {{"device to host", 1000, 1000 * 4096, 150'000, 0, 0}};
  EXPECT_THAT(GpuAdvice(summary), ElementsAre(HasSubstr("1,000 copies")));
}

TEST(GpuAdviceTest, AKernelThatCannotFillTheGpuIsNamedWithTheReason) {
  GpuSummary summary = Good();
  summary.kernels[0].blocks = 8;
  summary.kernels[0].occupancy_percent = 25;
  summary.kernels[0].occupancy_limit = "registers";
  summary.kernels[0].thread_registers = 255;
  EXPECT_THAT(GpuAdvice(summary),
              ElementsAre(HasSubstr("uses 8 of 132 multiprocessors"),
                          AllOf(HasSubstr("25%"), HasSubstr("255 registers"))));
}

}  // namespace
}  // namespace edgewise
