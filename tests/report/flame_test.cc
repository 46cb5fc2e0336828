#include "report/flame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>

namespace edgewise {
namespace {

using Json = nlohmann::json;
using testing::ElementsAre;
using testing::SizeIs;

stacks::Frame FrameOf(const std::string& function, int line = 0) {
  stacks::Frame frame;
  frame.function = function;
  frame.file = "app.cc";
  frame.line = line;
  frame.first_line = 1;
  return frame;
}

class FlameTest : public testing::Test {
 protected:
  void Add(const std::vector<stacks::Frame>& frames, int64_t count,
           int tid = 1) {
    std::vector<int32_t> ids;
    for (const stacks::Frame& frame : frames) {
      ids.push_back(builder_.AddFrame(frame));
    }
    builder_.Add(builder_.AddThread({1, tid, "app", "app"}), ids, count);
  }
  stacks::ProfileBuilder builder_;
};

TEST_F(FlameTest, LinesOfAFunctionAreOneNode) {
  Add({FrameOf("main", 3), FrameOf("spin", 7)}, 10);
  Add({FrameOf("main", 4), FrameOf("spin", 8)}, 20);
  const FlameTree tree = MakeFlameTree(builder_.Take());
  EXPECT_THAT(tree.functions, SizeIs(2));
  EXPECT_THAT(NodeTotals(tree), ElementsAre(30, 30));
}

TEST_F(FlameTest, TotalsHoldWhatIsBelow) {
  Add({FrameOf("main"), FrameOf("a")}, 5);
  Add({FrameOf("main"), FrameOf("b")}, 7);
  Add({FrameOf("main")}, 1);
  Add({}, 2);
  const FlameTree tree = MakeFlameTree(builder_.Take());
  EXPECT_EQ(tree.total, 15);
  EXPECT_THAT(NodeTotals(tree), ElementsAre(13, 5, 7));
}

TEST_F(FlameTest, PruningKeepsTheLargestAndLosesNoSample) {
  for (int i = 1; i <= 50; ++i) {
    Add({FrameOf("main"), FrameOf("f" + std::to_string(i)),
         FrameOf("g" + std::to_string(i))},
        i, i % 3);
  }
  const FlameTree whole = MakeFlameTree(builder_.Take());
  ASSERT_EQ(whole.nodes.size(), 101U);
  for (int i = 1; i <= 50; ++i) {
    Add({FrameOf("main"), FrameOf("f" + std::to_string(i)),
         FrameOf("g" + std::to_string(i))},
        i, i % 3);
  }
  const FlameTree pruned = MakeFlameTree(builder_.Take(), 21);
  EXPECT_EQ(pruned.nodes.size(), 21U);
  EXPECT_EQ(pruned.nodes_left_out, 80);
  EXPECT_EQ(NodeTotals(pruned).front(), NodeTotals(whole).front());
  for (size_t i = 0; i < pruned.nodes.size(); ++i) {
    EXPECT_LT(pruned.nodes[i].parent, static_cast<int32_t>(i));
    EXPECT_GE(NodeTotals(pruned)[i], 41);
  }
}

TEST_F(FlameTest, JsonHasEveryArrayOfItsLength) {
  Add({FrameOf("main"), FrameOf("a")}, 5, 1);
  Add({FrameOf("main"), FrameOf("a")}, 4, 2);
  Add({FrameOf("main"), FrameOf("b\"<\xff")}, 7, 2);
  const stacks::StackProfile profile = builder_.Take();
  const Json json = Json::parse(FlameJson(profile));
  EXPECT_EQ(json["total"], 16);
  EXPECT_THAT(json["parent"], SizeIs(3));
  EXPECT_THAT(json["function"], SizeIs(3));
  EXPECT_THAT(json["threads"], SizeIs(2));
  for (const char* name :
       {"count_node", "count_thread", "count_self", "count_left_out"}) {
    EXPECT_THAT(json[name], SizeIs(3)) << name;
  }
  for (const char* name :
       {"name", "module", "file", "line", "kind", "inlined"}) {
    EXPECT_THAT(json["functions"][name], SizeIs(3)) << name;
  }
  EXPECT_EQ(json["strings"][json["functions"]["name"][2].get<size_t>()],
            "b\"<\uFFFD");
}

TEST_F(FlameTest, DifferenceHasBothCounts) {
  Add({FrameOf("main"), FrameOf("a")}, 70);
  Add({FrameOf("main"), FrameOf("b")}, 30);
  const stacks::StackProfile before = builder_.Take();
  Add({FrameOf("main"), FrameOf("a")}, 20);
  Add({FrameOf("main"), FrameOf("c")}, 20);
  const stacks::StackProfile after = builder_.Take();
  const Json json = Json::parse(DiffFlameJson(before, after));
  EXPECT_EQ(json["total_a"], 100);
  EXPECT_EQ(json["total_b"], 40);
  EXPECT_EQ(json["left_out"], 0);
  ASSERT_THAT(json["parent"], SizeIs(4));  // main, a, b, c
  for (size_t i = 0; i < 4; ++i) {
    const auto name =
        json["strings"]
            [json["functions"]["name"][json["function"][i].get<size_t>()]
                 .get<size_t>()]
                .get<std::string>();
    const std::pair counts{json["count_a"][i].get<int>(),
                           json["count_b"][i].get<int>()};
    const std::pair expected = name == "main" ? std::pair{100, 40}
                               : name == "a"  ? std::pair{70, 20}
                               : name == "b"  ? std::pair{30, 0}
                                              : std::pair{0, 20};
    EXPECT_EQ(counts, expected) << name;
  }
}

}  // namespace
}  // namespace edgewise
