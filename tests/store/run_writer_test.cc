#include "store/run_writer.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/database.h"
#include "store/temp_home.h"

namespace edgewise {
namespace {

class RunWriterTest : public ::testing::Test {
 protected:
  SeriesInfo OnlySeries() {
    const auto series = store_.SeriesOf("aaaaaaaaaaaa");
    EXPECT_TRUE(series);
    EXPECT_EQ(series->size(), 1U);
    return series->front();
  }

  TempHome home_;
  Store store_ = home_.Open();
  edgewise::Run run_ = NewRun("aaaaaaaaaaaa");
};

TEST_F(RunWriterTest, AFlushWithNothingNewDoesNothing) {
  auto writer = store_.Begin(run_);
  ASSERT_TRUE(writer);
  auto blocker = Database::Open(home_.database());
  ASSERT_TRUE(blocker);
  const auto lock = Transaction::Begin(**blocker);
  ASSERT_TRUE(lock);
  EXPECT_TRUE(writer->Flush());
}

TEST_F(RunWriterTest, WhileSomebodyElseWritesTheBufferIsKept) {
  auto writer = store_.Begin(run_);
  ASSERT_TRUE(writer);
  const int64_t frames = writer->SeriesId(SeriesKind::kSpan, "frame", "");
  writer->AddSpans(frames, RegularSpans(100));
  const size_t buffered = writer->BufferedBytes();
  EXPECT_GE(buffered, 100 * sizeof(Span));
  auto blocker = Database::Open(home_.database());
  ASSERT_TRUE(blocker);
  {
    const auto lock = Transaction::Begin(**blocker);
    ASSERT_TRUE(lock);
    const auto flushed = writer->Flush();
    ASSERT_FALSE(flushed);
    EXPECT_EQ(flushed.error().code, ErrorCode::kBusy);
    EXPECT_NE(flushed.error().message.find(home_.database().string()),
              std::string::npos);
    EXPECT_EQ(writer->BufferedBytes(), buffered);
  }
  writer->AddSpans(frames, RegularSpans(1));
  ASSERT_TRUE(writer->Flush());
  EXPECT_EQ(writer->BufferedBytes(), 0U);
  EXPECT_EQ(OnlySeries().count, 101);
  EXPECT_EQ(store_.Spans(frames)->size(), 101U);
}

TEST_F(RunWriterTest, BeyondTheBufferRecordsAreDroppedAndCounted) {
  WriterLimits limits;
  limits.max_buffered_bytes = 10 * sizeof(Span);
  auto writer = store_.Begin(run_, limits);
  ASSERT_TRUE(writer);
  const int64_t frames = writer->SeriesId(SeriesKind::kSpan, "frame", "");
  writer->AddSpans(frames, RegularSpans(25));
  writer->AddSpans(frames, RegularSpans(5));
  EXPECT_LE(writer->BufferedBytes(), limits.max_buffered_bytes);
  writer->AddDropped(frames, 7);
  ASSERT_TRUE(writer->Flush());
  EXPECT_EQ(OnlySeries().count, 10);
  EXPECT_EQ(OnlySeries().dropped, 15 + 5 + 7);
  writer->AddSpans(frames, RegularSpans(4));
  ASSERT_TRUE(writer->Flush());
  EXPECT_EQ(OnlySeries().count, 14) << "after a Flush there is room again";
}

TEST_F(RunWriterTest, AnEndlessStreamStaysBoundedOnDisk) {
  WriterLimits limits;
  limits.max_stored_bytes = 20'000;
  auto writer = store_.Begin(run_, limits);
  ASSERT_TRUE(writer);
  const int64_t frames = writer->SeriesId(SeriesKind::kSpan, "frame", "");
  for (int i = 0; i < 200; ++i) {
    writer->AddSpans(frames, RegularSpans(1000));
    ASSERT_TRUE(writer->Flush());
  }
  const SeriesInfo series = OnlySeries();
  EXPECT_EQ(series.count + series.summarised, 200'000);
  EXPECT_EQ(series.dropped, 0);
  EXPECT_LT(series.count, 10'000);
  EXPECT_EQ(store_.Spans(frames)->size(), static_cast<size_t>(series.count));
  const auto digest = store_.DigestOf(frames);
  ASSERT_TRUE(digest);
  ASSERT_TRUE(*digest);
  EXPECT_EQ((*digest)->count(), series.summarised);
  EXPECT_DOUBLE_EQ((*digest)->moments.mean, 1'000'000);
  EXPECT_LT(std::filesystem::file_size(home_.database()), 2'000'000U);
}

TEST_F(RunWriterTest, TooManyNamesAreCountedAndNotStored) {
  auto writer = store_.Begin(run_);
  ASSERT_TRUE(writer);
  for (size_t i = 0; i < kMaxSeriesPerRun; ++i) {
    writer->SeriesId(SeriesKind::kGauge, "g" + std::to_string(i), "");
  }
  const int64_t more = writer->SeriesId(SeriesKind::kSpan, "one more", "");
  EXPECT_EQ(writer->SeriesId(SeriesKind::kSpan, "and another", ""), more);
  writer->AddSpans(more, RegularSpans(3));
  ASSERT_TRUE(writer->Flush());
  const auto series = store_.SeriesOf(run_.id);
  ASSERT_TRUE(series);
  EXPECT_EQ(series->back().name, "(more names)");
  EXPECT_EQ(series->back().count, 0);
  EXPECT_EQ(series->back().dropped, 3);
}

TEST_F(RunWriterTest, TooManyMetadataTextsBecomeNone) {
  auto writer = store_.Begin(run_);
  ASSERT_TRUE(writer);
  for (size_t i = 0; i < kMaxMetaTexts; ++i) {
    EXPECT_EQ(writer->MetaId("n=" + std::to_string(i)), i + 1);
  }
  EXPECT_EQ(writer->MetaId("one more"), 0U);
  EXPECT_EQ(writer->MetaId("n=5"), 6U);
}

TEST_F(RunWriterTest, AWriterThatGoesWithoutFinishLeavesAnInterruptedRun) {
  {
    auto writer = store_.Begin(run_);
    ASSERT_TRUE(writer);
    const int64_t frames = writer->SeriesId(SeriesKind::kSpan, "frame", "");
    writer->AddSpans(frames, RegularSpans(5));
  }
  EXPECT_EQ(store_.Find(run_.id)->state, RunState::kInterrupted);
  EXPECT_FALSE(store_.Find(run_.id)->end_reason);
  EXPECT_EQ(OnlySeries().count, 5);
}

TEST_F(RunWriterTest, AFinishedRunStaysDone) {
  StoreRun(store_, run_, RegularSpans(5));
  EXPECT_EQ(store_.Find(run_.id)->state, RunState::kDone);
}

TEST_F(RunWriterTest, ADeadWritersRunIsFoundInterruptedWithItsBlocks) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto store = Store::Open(home_.path());
    auto writer = store->Begin(NewRun("bbbbbbbbbbbb"));
    const int64_t frames = writer->SeriesId(SeriesKind::kSpan, "frame", "");
    writer->AddSpans(frames, RegularSpans(1000));
    const bool flushed = writer->Flush().ok();
    writer->AddSpans(frames, RegularSpans(1000));
    _exit(flushed ? 0 : 1);  // no destructors: as good as kill -9
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  EXPECT_EQ(store_.Find("bbbbbbbbbbbb")->state, RunState::kRunning);
  const Store next = home_.Open();
  const auto run = next.Find("bbbbbbbbbbbb");
  ASSERT_TRUE(run);
  EXPECT_EQ(run->state, RunState::kInterrupted);
  EXPECT_FALSE(run->end_reason);
  EXPECT_EQ(next.SeriesOf(run->id)->front().count, 1000);
}

TEST_F(RunWriterTest, ALivingWritersRunIsLeftAlone) {
  auto writer = store_.Begin(run_);
  ASSERT_TRUE(writer);
  const Store next = home_.Open();
  EXPECT_EQ(next.Find(run_.id)->state, RunState::kRunning);
}

TEST_F(RunWriterTest, TwoWritersAtOnceKeepTheirRecordsApart) {
  Store other_store = home_.Open();
  auto a = store_.Begin(run_);
  auto b = other_store.Begin(NewRun("bbbbbbbbbbbb"));
  ASSERT_TRUE(a && b);
  const int64_t of_a = a->SeriesId(SeriesKind::kSpan, "frame", "");
  const int64_t of_b = b->SeriesId(SeriesKind::kSpan, "frame", "");
  EXPECT_NE(of_a, of_b);
  for (int i = 0; i < 20; ++i) {
    a->AddSpans(of_a, RegularSpans(100));
    b->AddSpans(of_b, RegularSpans(50));
    ASSERT_TRUE(a->Flush());
    ASSERT_TRUE(b->Flush());
  }
  EXPECT_EQ(store_.Spans(of_a)->size(), 2000U);
  EXPECT_EQ(store_.Spans(of_b)->size(), 1000U);
}

TEST_F(RunWriterTest, ARunRemovedBehindTheWritersBackIsAnError) {
  auto writer = store_.Begin(run_);
  ASSERT_TRUE(writer);
  auto other = Database::Open(home_.database());
  ASSERT_TRUE((*other)->Execute("DELETE FROM run"));
  const int64_t frames = writer->SeriesId(SeriesKind::kSpan, "frame", "");
  writer->AddSpans(frames, RegularSpans(5));
  const auto flushed = writer->Flush();
  ASSERT_FALSE(flushed);
  EXPECT_EQ(flushed.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(*(*other)->QueryInt("SELECT count(*) FROM block"), 0);
}

}  // namespace
}  // namespace edgewise
