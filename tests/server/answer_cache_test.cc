#include "server/answer_cache.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

std::shared_ptr<const std::string> Text(const char* text) {
  return std::make_shared<const std::string>(text);
}

TEST(AnswerCacheTest, KeepsWhatIsAskedTwice) {
  AnswerCache cache(INT64_MAX);
  EXPECT_EQ(cache.Find("q"), nullptr);
  cache.Keep("q", Text("once"));
  EXPECT_EQ(cache.Find("q"), nullptr);
  cache.Keep("q", Text("twice"));
  ASSERT_NE(cache.Find("q"), nullptr);
  EXPECT_EQ(*cache.Find("q"), "twice");
  EXPECT_EQ(cache.Find("other"), nullptr);
}

TEST(AnswerCacheTest, OldAnswersAreNotGiven) {
  AnswerCache cache(-1);
  cache.Keep("q", Text("once"));
  cache.Keep("q", Text("twice"));
  EXPECT_EQ(cache.Find("q"), nullptr);
}

TEST(AnswerCacheTest, DoesNotGrowWithoutEnd) {
  AnswerCache cache(INT64_MAX);
  cache.Keep("q", Text("once"));
  cache.Keep("q", Text("twice"));
  for (int i = 0; i < 1000; ++i) {
    cache.Keep(std::to_string(i), Text("x"));
  }
  EXPECT_EQ(cache.Find("q"), nullptr);
}

}  // namespace
}  // namespace edgewise
