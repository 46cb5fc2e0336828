#include "history/history.h"

#include <gtest/gtest.h>

#include "history/version_changes.h"
#include "store/temporary_store.h"

namespace edgewise {
namespace {

class HistoryTest : public TemporaryStoreTest {
 protected:
  // A Run whose figures vary a little from one to the next.
  void Add(const std::string& label, double wall_s, int64_t memory_bytes,
           const std::string& fingerprint = "f1", bool well = true) {
    edgewise::Run run;
    run.id = NewRunId();
    run.label = label;
    run.machine.fingerprint = fingerprint;
    run.machine.hostname = "node-" + fingerprint;
    run.started_utc_ns = ++clock_;
    auto writer = store_->Begin(run);
    ASSERT_TRUE(writer);
    const double noise = 1 + 0.002 * static_cast<double>(clock_ % 5);
    run.state = RunState::kDone;
    run.end_reason = EndReason::kExited;
    run.exit_code = well ? 0 : 1;
    run.totals.wall_s = wall_s * noise;
    run.totals.cpu_user_s = wall_s / 2 * noise;
    run.totals.cpu_system_s = 0;
    run.totals.tree_peak_bytes =
        static_cast<int64_t>(static_cast<double>(memory_bytes) * noise);
    const int64_t frames = writer->SeriesId(SeriesKind::kSpan, "frame", "");
    for (int i = 0; i < 200; ++i) {
      const Span span{i * 1'000'000,
                      static_cast<int64_t>(wall_s * noise * 1e6 + i % 7 * 100)};
      writer->AddSpans(frames, {&span, 1});
    }
    ASSERT_TRUE(writer->Finish(run));
  }
  void AddSix(const std::string& label, double wall_s, int64_t memory_bytes) {
    for (int i = 0; i < 6; ++i) {
      Add(label, wall_s, memory_bytes);
    }
  }
  int64_t clock_ = 1000;
};

bool Has(const HistoryLine& line, const std::string& figure, bool worse) {
  for (const VersionChange& change : line.changes) {
    if (change.figure == figure && IsRegression(change) == worse) {
      return true;
    }
  }
  return false;
}

TEST_F(HistoryTest, FlagsWhatAVersionMadeWorseAndNothingElse) {
  AddSix("counter:1.0", 1.0, 100 << 20);
  AddSix("counter:1.1", 1.0, 100 << 20);
  AddSix("counter:1.2", 1.5, 100 << 20);
  const auto history = MakeHistory(*store_, "counter");
  ASSERT_TRUE(history) << history.error().message;
  ASSERT_EQ(history->lines.size(), 1u);
  const HistoryLine& line = history->lines.front();
  ASSERT_EQ(line.versions.size(), 3u);
  EXPECT_EQ(line.versions.front().version, "1.0");
  EXPECT_TRUE(Has(line, "wall_s", true));
  EXPECT_TRUE(Has(line, "frame p99", true));
  EXPECT_FALSE(Has(line, "tree_peak_bytes", true));
  for (const VersionChange& change : line.changes) {
    EXPECT_EQ(change.to, "1.2") << change.figure;
    EXPECT_GT(*change.ratio.low, 1.0) << change.figure;
  }
}

TEST_F(HistoryTest, FewRunsAreNoRegressionOfTotals) {
  Add("counter:1.0", 1.0, 100 << 20);
  Add("counter:1.1", 2.0, 100 << 20);
  const auto history = MakeHistory(*store_, "counter");
  ASSERT_TRUE(history);
  EXPECT_FALSE(Has(history->lines.front(), "wall_s", true));
  EXPECT_GT(history->lines.front().insufficient, 0);
}

TEST_F(HistoryTest, MachinesAreKeptApart) {
  Add("counter:1.0", 1.0, 100 << 20, "f1");
  Add("counter:1.0", 9.0, 900 << 20, "f2");
  const auto history = MakeHistory(*store_, "counter");
  ASSERT_TRUE(history);
  ASSERT_EQ(history->lines.size(), 2u);
  EXPECT_EQ(history->lines.front().machine.fingerprint, "f2");  // the newest
  ASSERT_TRUE(history->worst_memory);
  EXPECT_GT(history->worst_memory->bytes, 800 << 20);
}

TEST_F(HistoryTest, FailedRunsCountButAreInNoFigure) {
  Add("counter:1.0", 1.0, 100 << 20);
  Add("counter:1.0", 50.0, 900 << 20, "f1", /*well=*/false);
  const auto history = MakeHistory(*store_, "counter");
  ASSERT_TRUE(history);
  EXPECT_EQ(history->runs, 2);
  EXPECT_EQ(history->failed, 1);
  EXPECT_EQ(history->lines.front().versions.front().runs.size(), 1u);
  EXPECT_LT(history->worst_memory->bytes, 200 << 20);
}

TEST_F(HistoryTest, RequestsAreOrderedAndDoubtedWhereRunsAreFew) {
  Add("counter:1.0", 1.0, 100 << 20);
  const auto history = MakeHistory(*store_, "counter");
  ASSERT_TRUE(history);
  const ResourceAdvice& advice = history->lines.front().resources;
  ASSERT_TRUE(advice.memory_bytes);
  EXPECT_LE(advice.memory_bytes->lower, advice.memory_bytes->target);
  EXPECT_LT(advice.memory_bytes->target, advice.memory_bytes->upper);
  ASSERT_TRUE(advice.cpu_cores);
  EXPECT_NEAR(advice.cpu_cores->target, 0.5, 0.01);
  EXPECT_NE(advice.doubt, "");
}

TEST_F(HistoryTest, AnAppThatIsNotThereNamesTheNearest) {
  Add("counter:1.0", 1.0, 100 << 20);
  const auto history = MakeHistory(*store_, "conter");
  ASSERT_FALSE(history);
  EXPECT_EQ(history.error().code, ErrorCode::kNotFound);
  EXPECT_NE(history.error().message.find("did you mean counter"),
            std::string::npos);
}

TEST_F(HistoryTest, KnownAppsListVersionsInTheirOrder) {
  Add("counter:1.0", 1.0, 100 << 20);
  Add("audio", 1.0, 100 << 20);
  Add("counter:1.1", 1.0, 100 << 20);
  const auto apps = KnownApps(*store_);
  ASSERT_TRUE(apps);
  ASSERT_EQ(apps->size(), 2u);
  EXPECT_EQ(apps->front().app, "counter");
  EXPECT_EQ(apps->front().versions, (std::vector<std::string>{"1.0", "1.1"}));
  EXPECT_EQ(apps->front().runs, 2);
}

}  // namespace
}  // namespace edgewise
