#include "server/answer_cache.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

TEST(AnswerCacheTest, KeepsWhatIsAskedTwice) {
  AnswerCache cache;
  EXPECT_EQ(cache.Find("q"), std::nullopt);
  cache.Keep("q", "a");
  EXPECT_EQ(cache.Find("q"), std::nullopt);
  cache.Keep("q", "b");
  const auto kept = cache.Find("q");
  // Unless more than its life went by in between.
  EXPECT_TRUE(!kept || *kept == "b");
  EXPECT_EQ(cache.Find("other"), std::nullopt);
}

}  // namespace
}  // namespace edgewise
