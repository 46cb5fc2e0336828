#include "server/answer_cache.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

TEST(AnswerCacheTest, KeepsWhatIsAskedTwice) {
  AnswerCache cache;
  EXPECT_EQ(cache.Find("q"), nullptr);
  cache.Keep("q", std::make_shared<const std::string>("a"));
  EXPECT_EQ(cache.Find("q"), nullptr);
  cache.Keep("q", std::make_shared<const std::string>("b"));
  const auto kept = cache.Find("q");
  // Unless more than its life went by in between.
  EXPECT_TRUE(!kept || *kept == "b");
  EXPECT_EQ(cache.Find("other"), nullptr);
}

}  // namespace
}  // namespace edgewise
