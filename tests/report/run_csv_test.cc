#include "report/run_csv.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "../store/temporary_store.h"
#include "golden.h"
#include "sample_analysis.h"
#include "sample_run.h"

namespace edgewise {
namespace {

// A store with one Run of known records, removed at the end.
class RunCsvTest : public TemporaryStoreTest {
 protected:
  void SetUp() override {
    TemporaryStoreTest::SetUp();
    run_ = SampleRun();
    auto writer = store_->Begin(run_);
    ASSERT_TRUE(writer.ok()) << writer.error().message;
    const int64_t frame = writer->SeriesId(SeriesKind::kSpan, "frame, big", "");
    const std::vector<Span> spans{{1'500'000'000, 24'310'001, 21'900'000, 4711,
                                   writer->MetaId("src=\"camera\"")},
                                  {1'550'000'000, 25'000'000, -1, 4714, 0}};
    writer->AddSpans(frame, spans);
    const int64_t cpu =
        writer->SeriesId(SeriesKind::kSystem, "cpu_percent", "percent");
    writer->AddPoint(cpu, {100'000'000, 45.25});
    const int64_t queue = writer->SeriesId(SeriesKind::kGauge, "queue", "");
    writer->AddPoint(queue, {200'000'000, 3});
    const auto finished = writer->Finish(run_);
    ASSERT_TRUE(finished.ok()) << finished.error().message;
  }

  edgewise::Run run_;
};

TEST_F(RunCsvTest, SpansAreRows) {
  const auto csv = SpansCsv(*store_, run_);
  ASSERT_TRUE(csv.ok()) << csv.error().message;
  EXPECT_EQ(*csv,
            "name,start_s,wall_ms,cpu_ms,tid,meta\n"
            "\"frame, big\",1.500000000,24.310001,21.900000,4711,"
            "\"src=\"\"camera\"\"\"\n"
            "\"frame, big\",1.550000000,25.000000,,4714,\n");
}

TEST_F(RunCsvTest, SeriesOfAppAndSystemAreRows) {
  const auto csv = SeriesCsv(*store_, run_);
  ASSERT_TRUE(csv.ok()) << csv.error().message;
  EXPECT_EQ(*csv,
            "name,unit,t_s,value\n"
            "cpu_percent,percent,0.100000000,45.25\n"
            "queue,,0.200000000,3\n");
}

TEST_F(RunCsvTest, WithoutJobsThereIsTheHeaderAlone) {
  const auto csv = JobsCsv(*store_, run_);
  ASSERT_TRUE(csv.ok()) << csv.error().message;
  EXPECT_EQ(*csv, "name,release_s,start_s,end_s,deadline_s,cpu_ms,tid\n");
}

TEST_F(RunCsvTest, LongRunsComeInPieces) {
  edgewise::Run run = run_;
  run.id = "aaaaaaaaaaaa";
  auto writer = store_->Begin(run);
  ASSERT_TRUE(writer.ok()) << writer.error().message;
  const std::vector<Span> spans(20'000, Span{1, 2, 3, 4, 0});
  writer->AddSpans(writer->SeriesId(SeriesKind::kSpan, "frame", ""), spans);
  ASSERT_TRUE(writer->Finish(run).ok());
  size_t pieces = 0;
  size_t bytes = 0;
  const auto written = SpansCsv(*store_, run, [&](std::string_view piece) {
    ++pieces;
    bytes += piece.size();
  });
  ASSERT_TRUE(written.ok()) << written.error().message;
  EXPECT_GT(pieces, 1U);
  const auto whole = SpansCsv(*store_, run);
  ASSERT_TRUE(whole.ok()) << whole.error().message;
  EXPECT_EQ(whole->size(), bytes);
}

TEST_F(RunCsvTest, AnUnknownRunIsAnError) {
  edgewise::Run other = run_;
  other.id = "ffffffffffff";
  EXPECT_FALSE(SpansCsv(*store_, other).ok());
}

TEST(SummaryCsvTest, LooksAsReviewed) {
  ExpectGolden("summary.csv", SummaryCsv(SampleRun(), SampleAnalysis()));
}

TEST(SummaryCsvTest, UnknownIsAnEmptyField) {
  const std::string csv = SummaryCsv(BareRun(), {});
  EXPECT_NE(csv.find("total,wall_s,,,,,s\n"), std::string::npos) << csv;
}

}  // namespace
}  // namespace edgewise
