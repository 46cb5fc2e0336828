#include "http/router.h"

#include <gtest/gtest.h>

namespace edgewise::http {
namespace {

Response Nothing(const Request&) { return {}; }

Router JobsRouter() {
  Router router;
  router.Add({"GET", "/", Nothing});
  router.Add({"GET", "/jobs", Nothing});
  router.Add({"POST", "/jobs", Nothing});
  router.Add({"GET", "/jobs/{id}", Nothing});
  router.Add({"DELETE", "/jobs/{id}", Nothing, Access::kToken});
  router.Add({"GET", "/jobs/{id}/log/{part}", Nothing});
  return router;
}

TEST(RouterTest, FindsRoutesByMethodAndPath) {
  const Router router = JobsRouter();
  EXPECT_EQ(router.Find("GET", "/").index, 0U);
  EXPECT_EQ(router.Find("GET", "/jobs").index, 1U);
  EXPECT_EQ(router.Find("POST", "/jobs").index, 2U);
  EXPECT_EQ(router.Find("GET", "/nothing").route, nullptr);
  EXPECT_EQ(router.Find("GET", "").route, nullptr);
  EXPECT_EQ(router.Find("GET", "jobs").route, nullptr);
}

TEST(RouterTest, PiecesInBracesBecomeParameters) {
  const RouteMatch match = JobsRouter().Find("GET", "/jobs/7/log/out");
  ASSERT_NE(match.route, nullptr);
  EXPECT_EQ(match.parameters, (Fields{{"id", "7"}, {"part", "out"}}));
  EXPECT_EQ(JobsRouter().Find("GET", "/jobs/7/log").route, nullptr);
  EXPECT_EQ(JobsRouter().Find("GET", "/jobs//log/out").route, nullptr);
}

TEST(RouterTest, SlashAtTheEndMakesNoDifference) {
  EXPECT_EQ(JobsRouter().Find("GET", "/jobs/").index, 1U);
  EXPECT_EQ(JobsRouter().Find("GET", "/jobs/7/").index, 3U);
  EXPECT_EQ(JobsRouter().Find("GET", "/jobs//").route, nullptr);
}

TEST(RouterTest, HeadIsAnsweredLikeGet) {
  EXPECT_EQ(JobsRouter().Find("HEAD", "/jobs").index, 1U);
}

TEST(RouterTest, KnownPathWithOtherMethodSaysWhichAreAllowed) {
  const RouteMatch match = JobsRouter().Find("PUT", "/jobs/7");
  EXPECT_EQ(match.route, nullptr);
  EXPECT_EQ(match.allowed, "GET, HEAD, DELETE");
  EXPECT_EQ(JobsRouter().Find("PUT", "/no").allowed, "");
}

TEST(RouterTest, KnowsWhetherATokenIsNeeded) {
  EXPECT_TRUE(JobsRouter().NeedsToken());
  Router open;
  open.Add({"GET", "/", Nothing});
  EXPECT_FALSE(open.NeedsToken());
}

}  // namespace
}  // namespace edgewise::http
