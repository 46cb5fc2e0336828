#include "load/crew.h"

#include <gtest/gtest.h>

#include <vector>

namespace edgewise::apps {
namespace {

TEST(CrewTest, EveryIndexIsWorkedOnOnce) {
  for (const int threads : {1, 2, 5}) {
    Crew crew(threads);
    for (const int count : {0, 1, 3, 1000}) {
      std::vector<int> seen(static_cast<size_t>(count));
      crew.Share(count, [&](int first, int last, int) {
        for (int i = first; i < last; ++i) {
          ++seen[i];
        }
      });
      EXPECT_EQ(seen, std::vector<int>(static_cast<size_t>(count), 1));
    }
  }
}

TEST(CrewTest, WorkersHaveTheirOwnNumbers) {
  Crew crew(4);
  std::vector<int> who(8, -1);
  crew.Share(8, [&](int first, int last, int worker) {
    for (int i = first; i < last; ++i) {
      who[i] = worker;
    }
  });
  EXPECT_EQ(who, (std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3}));
}

TEST(CrewTest, ManyRoundsFollowEachOther) {
  Crew crew(3);
  int64_t sum = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<int> parts(3);
    crew.Share(3, [&](int first, int, int) { parts[first] = round; });
    sum += parts[0] + parts[1] + parts[2];
  }
  EXPECT_EQ(sum, 3LL * 1999 * 2000 / 2);
}

}  // namespace
}  // namespace edgewise::apps
