#include "report/gpu_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "golden.h"
#include "report/run_json.h"
#include "report/run_markdown.h"
#include "report/run_text.h"
#include "sample_analysis.h"
#include "sample_run.h"

namespace edgewise {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

edgewise::Run RunOnGpu() {
  edgewise::Run run = SampleRun();
  GpuAccount& gpu = run.gpu.emplace();
  gpu.devices = {{"NVIDIA H200", 150754820096, 5000000000, 4.8e12, 87.5, 1234}};
  gpu.memory_peak_bytes = 4840226816;
  GpuSummary& summary = gpu.summary.emplace();
  summary.devices = {"NVIDIA H200"};
  summary.multiprocessors = 132;
  summary.kernel_count = 101;
  summary.kernels = {{"cutlass::Kernel2", 50, 17'139'087, 341'343, 344'671, 128,
                      256, 202, 49152, 12.5, "registers"},
                     {"vectorized_elementwise_kernel", 51, 342'717, 6464, 7232,
                      4096, 128, 28, 0, std::nullopt, ""}};
  summary.copies = {
      {"device to host", 50, 838'860'800, 311'696'805, 50, 311'696'805}};
  summary.calls = {{"cudaMemcpyAsync", 50, 367'501'196, 11'426'701},
                   {"cudaLaunchKernel", 51, 4'592'932, 3'746'988}};
  summary.call_count = 101;
  summary.span_ns = 497'302'784;
  summary.busy_ns = 329'191'216;
  summary.kernel_ns = 17'494'411;
  summary.copy_ns = 311'696'805;
  summary.gap_count = 150;
  summary.longest_gap_ns = 78'570'257;
  summary.launch_mean_ns = 52'934;
  summary.recording_ns = 8'803'719;
  return run;
}

TEST(GpuTablesTest, TextShowsKernelsCopiesCallsAndAdvice) {
  for (const int width : {80, 120}) {
    const std::string text = GpuText(RunOnGpu(), {.width = width});
    EXPECT_LE(LongestLine(text), width);
    ExpectGolden("gpu_" + std::to_string(width) + ".txt", text);
  }
}

TEST(GpuTablesTest, ARunShowsItsGpuInOneLine) {
  const std::string text =
      RunText(RunOnGpu(), SampleAnalysis(), {.width = 120});
  EXPECT_THAT(text, HasSubstr("NVIDIA H200 · busy 87.5%"));
  EXPECT_THAT(text, HasSubstr("the program's memory 4.51 GiB"));
  EXPECT_THAT(text, HasSubstr("moved at most --"));
  EXPECT_THAT(text, HasSubstr("(1,234 J)"));
}

TEST(GpuTablesTest, WithoutASummaryThereIsNoBlock) {
  EXPECT_EQ(GpuText(SampleRun(), {}), "");
  EXPECT_EQ(GpuMarkdown(SampleRun()), "");
  EXPECT_THAT(RunText(SampleRun(), SampleAnalysis(), {}),
              Not(HasSubstr("GPU")));
}

TEST(GpuTablesTest, MarkdownHasTheSameFigures) {
  const std::string text = RunMarkdown(RunOnGpu(), SampleAnalysis());
  EXPECT_THAT(text, HasSubstr("### On the GPU"));
  EXPECT_THAT(text, HasSubstr("cutlass::Kernel2"));
  EXPECT_THAT(text, HasSubstr("12% by registers"));
  EXPECT_THAT(text, HasSubstr("pin it"));
}

TEST(GpuTablesTest, JsonHasTheAdvice) {
  const std::string json = RunJson(RunOnGpu(), SampleAnalysis());
  EXPECT_THAT(json, HasSubstr("\"advice\""));
  EXPECT_THAT(json, HasSubstr("95% of GPU time is copies of pageable memory"));
}

}  // namespace
}  // namespace edgewise
