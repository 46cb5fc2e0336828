// kill -9 of a writer at random moments.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>

#include "store/database.h"
#include "store/temp_home.h"

namespace edgewise {
namespace {

// Writes Runs without end, and says on `progress` whenever a step is done.
[[noreturn]] void WriteForever(const std::filesystem::path& home,
                               int progress) {
  auto store = Store::Open(home);
  const auto step = [progress] {
    const char byte = '.';
    if (write(progress, &byte, 1) != 1) {
      _exit(1);
    }
  };
  while (store) {
    edgewise::Run run = NewRun(NewRunId(), 2);
    run.label = "victim";
    auto writer = store->Begin(run);
    if (!writer) {
      break;
    }
    step();
    const int64_t frames = writer->SeriesId(SeriesKind::kSpan, "frame", "");
    for (int i = 0; i < 3; ++i) {
      writer->AddSpans(frames, RegularSpans(5000));
      if (!writer->Flush()) {
        _exit(1);
      }
      step();
    }
    run.state = RunState::kDone;
    if (!writer->Finish(run)) {
      break;
    }
    step();
  }
  _exit(1);
}

TEST(KillTest, EarlierRunsSurviveAndTheInterruptedOneIsMarked) {
  const TempHome home;
  {
    Store store = home.Open();
    StoreRun(store, NewRun("aaaaaaaaaaaa", 1), RegularSpans(10'000));
  }
  std::mt19937 random(42);
  int interrupted = 0;
  for (int round = 0; round < 50; ++round) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      close(ends[0]);
      WriteForever(home.path(), ends[1]);
    }
    close(ends[1]);
    // After a random number of steps, a random moment within the next one.
    const auto steps = random() % 12;
    char byte = 0;
    for (size_t i = 0; i < steps; ++i) {
      ASSERT_EQ(read(ends[0], &byte, 1), 1);
    }
    for (volatile uint64_t spin = random() % 2000000; spin > 0;) {
      spin = spin - 1;
    }
    ASSERT_EQ(kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the writer failed by itself";
    close(ends[0]);

    Store store = home.Open();
    const auto runs = store.List({});
    ASSERT_TRUE(runs) << runs.error().message;
    for (const edgewise::Run& run : *runs) {
      ASSERT_NE(run.state, RunState::kRunning);
      interrupted += run.state == RunState::kInterrupted ? 1 : 0;
      const auto series = store.SeriesOf(run.id);
      ASSERT_TRUE(series);
      for (const SeriesInfo& each : *series) {
        const auto spans = store.Spans(each.id);
        ASSERT_TRUE(spans) << spans.error().message;
        EXPECT_EQ(spans->size(), static_cast<size_t>(each.count));
        EXPECT_EQ(each.count % 5000, 0) << "half a Flush is there";
      }
      if (run.label == "victim") {
        ASSERT_TRUE(store.Remove(run.id));
      }
    }
    EXPECT_EQ(store.Find("aaaaaaaaaaaa")->state, RunState::kDone);
  }
  EXPECT_GT(interrupted, 0);
  auto database = Database::Open(home.database());
  ASSERT_TRUE(database);
  EXPECT_EQ(*(*database)->QueryText("PRAGMA integrity_check"), "ok");
  EXPECT_EQ(*(*database)->QueryInt("SELECT count(*) FROM block WHERE series "
                                   "NOT IN (SELECT id FROM series)"),
            0);
}

}  // namespace
}  // namespace edgewise
