#include "live/decision_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "../probes/fake_tree.h"

namespace edgewise::live {
namespace {

using testing::HasSubstr;

class DecisionLogTest : public testing::Test {
 protected:
  static control::Decision Decide(const std::string& app) {
    control::Decision decision;
    decision.app = app;
    decision.what = "CPU 0.50 → 0.60 cores";
    decision.why = "fps >= 15 is missed: 12 per s";
    decision.measured = 12;
    return decision;
  }
  FakeTree tree_;
  const std::filesystem::path& home_ = tree_.root();
};

TEST_F(DecisionLogTest, DecisionsAreReadBackAsTextAndJson) {
  EXPECT_EQ(ReadDecisionLog(home_, 10).error().code, ErrorCode::kNotFound);
  DecisionLog log(home_);
  log.Add(Decide("a/0"));
  log.Add(Decide("b/0"));
  const auto read = ReadDecisionLog(home_, 10);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 2u);
  EXPECT_THAT((*read)[0].text, HasSubstr("a/0: CPU 0.50 → 0.60 cores. fps"));
  EXPECT_THAT((*read)[1].json, HasSubstr("\"measured\":12"));
  EXPECT_EQ(ReadDecisionLog(home_, 1)->front().text, (*read)[1].text);
}

TEST_F(DecisionLogTest, AnAppsNameCannotForgeALine) {
  DecisionLog(home_).Add(Decide("a\nb\t{}"));
  const auto read = ReadDecisionLog(home_, 10);
  ASSERT_EQ(read->size(), 1u);
  EXPECT_THAT((*read)[0].text, HasSubstr("a b {}: CPU"));
}

TEST_F(DecisionLogTest, ItDoesNotGrowForEver) {
  DecisionLog log(home_, 4096);
  for (int i = 0; i < 200; ++i) {
    log.Add(Decide("app/" + std::to_string(i)));
  }
  const auto read = ReadDecisionLog(home_, 1000);
  EXPECT_LT(read->size(), 40u);
  EXPECT_THAT(read->back().text, HasSubstr("app/199"));
}

}  // namespace
}  // namespace edgewise::live
