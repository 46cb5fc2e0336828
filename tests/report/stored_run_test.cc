// From records in a store to what is shown, with nothing made up between.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "../store/temporary_store.h"
#include "golden.h"
#include "report/group_text.h"
#include "report/run_text.h"
#include "sample_run.h"
#include "store/analysis.h"
#include "store/store.h"

namespace edgewise {
namespace {

using ::testing::HasSubstr;

class StoredRunTest : public TemporaryStoreTest {
 protected:
  // 1000 frames of 10 to 20 ms, and CPU use that rises.
  edgewise::Run Record(const std::string& id) {
    edgewise::Run run = SampleRun();
    run.id = id;
    run.group = "5e5e5e5e5e5e";
    auto writer = store_->Begin(run);
    EXPECT_TRUE(writer.ok());
    std::vector<Span> spans;
    for (int64_t i = 0; i < 1000; ++i) {
      const int64_t wall_ns = 10'000'000 + i * 7919 % 1000 * 10'000;
      spans.push_back({i * 30'000'000, wall_ns, wall_ns / 2, 1, 0});
    }
    writer->AddSpans(writer->SeriesId(SeriesKind::kSpan, "frame", ""), spans);
    const int64_t cpu =
        writer->SeriesId(SeriesKind::kSystem, "cpu_percent", "percent");
    for (int64_t i = 0; i < 1000; ++i) {
      writer->AddPoint(cpu, {i * 30'000'000, static_cast<double>(i / 10)});
    }
    EXPECT_TRUE(writer->Finish(run).ok());
    return run;
  }
};

TEST_F(StoredRunTest, PicturesAreBoundedAndDrawn) {
  const edgewise::Run run = Record("111111111111");
  const auto analysis = Analyse(*store_, run);
  ASSERT_TRUE(analysis.ok()) << analysis.error().message;
  ASSERT_EQ(analysis->spans.size(), 1U);
  uint64_t counted = 0;
  for (const auto& bin : analysis->spans[0].histogram.bins) {
    counted += bin.count;
  }
  EXPECT_EQ(counted, 1000U);
  EXPECT_LE(analysis->spans[0].histogram.bins.size(), kMaxBins);
  ASSERT_EQ(analysis->series.size(), 1U);
  EXPECT_EQ(analysis->series[0].trend.size(), kMaxTrend);
  const std::string text = RunText(run, *analysis, {.width = 80});
  EXPECT_LE(LongestLine(text), 80);
  EXPECT_THAT(text, HasSubstr("▁▁▂▂"));
  EXPECT_THAT(text, HasSubstr("wall time of frame\n"));
}

TEST_F(StoredRunTest, RepeatsAreSummarised) {
  const std::vector<edgewise::Run> runs{Record("111111111111"),
                                        Record("222222222222")};
  const auto group = AnalyseGroup(*store_, runs);
  ASSERT_TRUE(group.ok()) << group.error().message;
  EXPECT_EQ(group->each.size(), 2U);
  const std::string text = GroupText(runs, *group, {.width = 100});
  EXPECT_THAT(text, HasSubstr("2 runs of group 5e5e5e5e5e5e"));
  EXPECT_THAT(text, HasSubstr("frame  ms    2,000  15.0  7.50"));
}

}  // namespace
}  // namespace edgewise
