#include "gpu/summary.h"

#include <gtest/gtest.h>

#include "gpu/trace_reader.h"

namespace edgewise {
namespace {

using gpu::Trace;

class TraceMaker {
 public:
  TraceMaker() {
    trace_.names = {{1, "conv"},
                    {2, "add"},
                    {3, "cudaLaunchKernel"},
                    {4, "GPU X"},
                    {5, "cuLaunchKernel"},
                    {6, "cudaDeviceSynchronize"}};
    gpu::DeviceRecord device{};
    device.name = 4;
    device.multiprocessors = 10;
    trace_.devices[0] = device;
  }
  TraceMaker& Kernel(uint32_t name, uint64_t start_ns, uint64_t end_ns,
                     uint32_t correlation = 0) {
    gpu::KernelRecord kernel{};
    kernel.name = name;
    kernel.start_ns = start_ns;
    kernel.end_ns = end_ns;
    kernel.correlation = correlation;
    kernel.blocks = 100;
    kernel.block_threads = 128;
    trace_.kernels.push_back(kernel);
    return *this;
  }
  TraceMaker& Copy(uint8_t kind, uint8_t source, uint64_t bytes,
                   uint64_t start_ns, uint64_t end_ns) {
    gpu::CopyRecord copy{};
    copy.kind = kind;
    copy.source = source;
    copy.bytes = bytes;
    copy.start_ns = start_ns;
    copy.end_ns = end_ns;
    trace_.copies.push_back(copy);
    return *this;
  }
  TraceMaker& Call(uint32_t name, uint32_t thread, uint64_t start_ns,
                   uint64_t end_ns, uint32_t correlation = 0) {
    gpu::CallRecord call{};
    call.name = name;
    call.thread = thread;
    call.start_ns = start_ns;
    call.end_ns = end_ns;
    call.correlation = correlation;
    trace_.calls.push_back(call);
    return *this;
  }
  const Trace& trace() const { return trace_; }
  Trace& trace() { return trace_; }
  GpuSummary Summary() const { return *SummariseGpu({&trace_, 1}); }

 private:
  Trace trace_;
};

TEST(GpuSummaryTest, NoWorkIsNoSummary) {
  EXPECT_FALSE(SummariseGpu({}));
  EXPECT_FALSE(SummariseGpu(std::vector<Trace>(2)));
}

TEST(GpuSummaryTest, KernelsAreSummedByNameTheLongestFirst) {
  const GpuSummary summary = TraceMaker()
                                 .Kernel(2, 100, 110)
                                 .Kernel(1, 200, 300)
                                 .Kernel(2, 400, 430)
                                 .Summary();
  EXPECT_EQ(summary.kernel_count, 3);
  ASSERT_EQ(summary.kernels.size(), 2u);
  EXPECT_EQ(summary.kernels[0].name, "conv");
  EXPECT_EQ(summary.kernels[1].count, 2);
  EXPECT_EQ(summary.kernels[1].total_ns, 40);
  EXPECT_EQ(summary.kernels[1].min_ns, 10);
  EXPECT_EQ(summary.kernels[1].max_ns, 30);
  EXPECT_EQ(summary.devices, std::vector<std::string>{"GPU X"});
  EXPECT_EQ(summary.multiprocessors, 10);
}

TEST(GpuSummaryTest, BusyTimeCountsOverlappingWorkOnce) {
  const GpuSummary summary = TraceMaker()
                                 .Kernel(1, 100, 200)
                                 .Copy(1, 1, 1000, 150, 250)
                                 .Kernel(1, 300, 400)
                                 .Kernel(1, 320, 330)
                                 .Summary();
  EXPECT_EQ(summary.span_ns, 300);
  EXPECT_EQ(summary.busy_ns, 250);
  EXPECT_EQ(summary.kernel_ns, 200);
  EXPECT_EQ(summary.copy_ns, 100);
  EXPECT_EQ(summary.overlap_ns, 50);
  EXPECT_EQ(summary.gap_count, 1);
  EXPECT_EQ(summary.longest_gap_ns, 50);
}

TEST(GpuSummaryTest, CopiesAreSummedByTheirWay) {
  const GpuSummary summary = TraceMaker()
                                 .Copy(1, gpu::kPageableMemory, 10, 1, 3)
                                 .Copy(1, gpu::kPinnedMemory, 20, 4, 5)
                                 .Copy(2, 3, 30, 6, 16)
                                 .Copy(8, 3, 40, 17, 18)
                                 .Summary();
  ASSERT_EQ(summary.copies.size(), 3u);
  EXPECT_EQ(summary.copies[0].way, "device to host");
  EXPECT_EQ(summary.copies[0].bytes, 30);
  EXPECT_EQ(summary.copies[1].way, "host to device");
  EXPECT_EQ(summary.copies[1].count, 2);
  EXPECT_EQ(summary.copies[1].bytes, 30);
  EXPECT_EQ(summary.copies[1].pageable_count, 1);
  EXPECT_EQ(summary.copies[1].pageable_ns, 2);
  EXPECT_EQ(summary.copies[2].way, "on the device");
}

TEST(GpuSummaryTest, OnlyCopiesOverTheBusCanBePinned) {
  const GpuSummary summary =
      TraceMaker().Copy(9, gpu::kPageableMemory, 8, 1, 3).Summary();
  EXPECT_EQ(summary.copies[0].way, "on the host");
  EXPECT_EQ(summary.copies[0].pageable_count, 0);
}

TEST(GpuSummaryTest, CallsWithinCallsAreNotCounted) {
  const GpuSummary summary = TraceMaker()
                                 .Call(5, 1, 12, 18)
                                 .Call(3, 1, 10, 20)
                                 .Call(3, 2, 11, 21)
                                 .Call(6, 1, 30, 70)
                                 .Summary();
  EXPECT_EQ(summary.call_count, 3);
  ASSERT_EQ(summary.calls.size(), 2u);
  EXPECT_EQ(summary.calls[0].name, "cudaDeviceSynchronize");
  EXPECT_EQ(summary.calls[1].name, "cudaLaunchKernel");
  EXPECT_EQ(summary.calls[1].count, 2);
  EXPECT_EQ(summary.launch_mean_ns, 10);
  EXPECT_EQ(summary.synchronise_ns, 40);
}

TEST(GpuSummaryTest, LaunchesThatLoadCodeDoNotSpoilTheMean) {
  TraceMaker maker;
  maker.Call(3, 1, 10, 1'000'010);
  for (uint64_t i = 0; i < 19; ++i) {
    maker.Call(3, 1, 2'000'000 + 100 * i, 2'000'010 + 100 * i);
  }
  EXPECT_EQ(maker.Summary().launch_mean_ns, 10);
}

TEST(GpuSummaryTest, LaunchDelayIsOfKernelsThatHadNothingToWaitFor) {
  const GpuSummary summary = TraceMaker()
                                 .Call(3, 1, 10, 12, 1)
                                 .Kernel(1, 15, 100, 1)
                                 .Call(3, 1, 20, 22, 2)  // the GPU is busy
                                 .Kernel(1, 100, 200, 2)
                                 .Summary();
  EXPECT_EQ(summary.launch_delay_ns, 5);
}

TEST(GpuSummaryTest, WithoutLaunchesThereIsNoLaunchTime) {
  const GpuSummary summary = TraceMaker().Kernel(1, 1, 2).Summary();
  EXPECT_EQ(summary.launch_mean_ns, std::nullopt);
  EXPECT_EQ(summary.launch_delay_ns, std::nullopt);
}

TEST(GpuSummaryTest, ProcessesAddUp) {
  TraceMaker a;
  a.Kernel(1, 100, 200);
  a.trace().account.dropped = 1;
  TraceMaker b;
  b.Kernel(1, 150, 250);
  b.trace().account.left_out = 2;
  b.trace().account.writing_ns = 30;
  b.trace().account.overhead_ns = 12;
  const std::vector<Trace> traces{a.trace(), b.trace()};
  const auto summary = SummariseGpu(traces);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->processes, 2);
  EXPECT_EQ(summary->busy_ns, 150);
  EXPECT_EQ(summary->kernels[0].total_ns, 200);
  EXPECT_EQ(summary->dropped, 1);
  EXPECT_EQ(summary->left_out, 2);
  EXPECT_EQ(summary->recording_ns, 42);
}

}  // namespace
}  // namespace edgewise
