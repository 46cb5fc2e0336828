#include "sessions/log_watch.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

TEST(LogWatchTest, ATextSplitAmongReadsIsSeenAtTheTimeOfItsEnd) {
  LogWatch watch("model loaded");
  watch.Look(0, "x mod", 1);
  watch.Look(0, "el load", 2);
  EXPECT_FALSE(watch.seen_ns());
  watch.Look(0, "ed\n", 3);
  watch.Look(0, "model loaded", 4);
  EXPECT_EQ(watch.seen_ns(), 3);
}

TEST(LogWatchTest, StreamsAreNotMixed) {
  LogWatch watch("ready");
  watch.Look(0, "rea", 1);
  watch.Look(1, "dy", 2);
  EXPECT_FALSE(watch.seen_ns());
  watch.Look(0, "dy", 3);
  EXPECT_EQ(watch.seen_ns(), 3);
}

TEST(LogWatchTest, NothingIsNeverSeen) {
  LogWatch watch("");
  watch.Look(0, "anything", 1);
  EXPECT_FALSE(watch.seen_ns());
}

}  // namespace
}  // namespace edgewise
