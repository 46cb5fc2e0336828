#include "report/page_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/json_writer.h"
#include "report/run_facts.h"
#include "report/viewer.h"
#include "sample_analysis.h"
#include "sample_run.h"
#include "stacks/difference.h"
#include "stacks/functions.h"

namespace edgewise {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::SizeIs;

TEST(JsonWriterTest, WhatIsUnknownOrNotFiniteIsNull) {
  EXPECT_EQ(JsonFigure(std::nullopt), "null");
  EXPECT_EQ(JsonFigure(std::nan("")), "null");
  EXPECT_EQ(JsonFigure(1.5), "1.5");
  EXPECT_EQ(JsonFigure(123456789), "1.23457e+08");
}

TEST(PageDataTest, HoldsTheFiguresAndWordsOfTheTerminal) {
  const edgewise::Run run = SampleRun();
  const RunAnalysis analysis = SampleAnalysis();
  const Json page = Json::parse(RunPageData(run, analysis, nullptr));
  EXPECT_EQ(page["kind"], "run");
  EXPECT_EQ(page["run"]["id"], run.id);
  EXPECT_TRUE(page["stacks"].is_null());
  EXPECT_EQ(page["facts"].size(), RunFacts(run, analysis).size());
  EXPECT_EQ(page["run"]["warnings"].size(), RunWarnings(run, analysis).size());
  EXPECT_EQ(page["unavailable"].size(), UnavailableText(run).size());
  EXPECT_THAT(page["span_charts"], SizeIs(analysis.spans.size()));
  EXPECT_THAT(page["series_charts"], SizeIs(analysis.series.size()));
  for (size_t i = 0; i < analysis.spans.size(); ++i) {
    EXPECT_EQ(page["span_charts"][i]["histogram"]["count"].size(),
              analysis.spans[i].histogram.bins.size());
    EXPECT_EQ(page["run"]["spans"][i]["histogram"], Json::array());
  }
}

TEST(PageDataTest, ChartsAreBoundedHoweverManyNamesThereAre) {
  RunAnalysis analysis = SampleAnalysis();
  ASSERT_FALSE(analysis.spans.empty());
  analysis.spans.resize(kMaxChartedSpans + 5, analysis.spans.front());
  const Json page = Json::parse(RunPageData(SampleRun(), analysis, nullptr));
  EXPECT_TRUE(page["span_charts"][kMaxChartedSpans - 1].is_object());
  EXPECT_TRUE(page["span_charts"][kMaxChartedSpans].is_null());
  EXPECT_THAT(page["run"]["spans"], SizeIs(kMaxChartedSpans + 5));
}

stacks::StackProfile ProfileOf(int64_t a, int64_t b) {
  stacks::ProfileBuilder builder;
  const int32_t thread = builder.AddThread({1, 1, "app", "app"});
  stacks::Frame frame;
  frame.function = "Filter";
  builder.Add(thread, std::vector<int32_t>{builder.AddFrame(frame)}, a);
  frame.function = "Detect";
  builder.Add(thread, std::vector<int32_t>{builder.AddFrame(frame)}, b);
  builder.collection().samples = a + b;
  return builder.Take();
}

TEST(PageDataTest, FunctionsHaveTheirIntervals) {
  const stacks::StackProfile profile = ProfileOf(700, 300);
  RunAnalysis analysis = SampleAnalysis();
  analysis.stacks.emplace();
  analysis.stacks->functions = stacks::RankFunctions(profile);
  const Json page = Json::parse(RunPageData(SampleRun(), analysis, &profile));
  ASSERT_THAT(page["functions"], SizeIs(2));
  EXPECT_EQ(page["functions"][0]["name"], "Filter");
  EXPECT_EQ(page["functions"][0]["self"], 70);
  EXPECT_LT(page["functions"][0]["self_interval"][0].get<double>(), 70);
  EXPECT_GT(page["functions"][0]["self_interval"][1].get<double>(), 70);
  EXPECT_EQ(page["stacks"]["total"], 1000);
}

TEST(PageDataTest, ComparisonHasBothSidesAndWhatChanged) {
  const stacks::StackProfile a = ProfileOf(700, 300);
  const stacks::StackProfile b = ProfileOf(400, 600);
  RunComparison comparison = SampleComparison();
  comparison.functions = stacks::CompareFunctions(a, b);
  const Json page = Json::parse(ComparePageData(comparison, &a, &b));
  EXPECT_EQ(page["kind"], "compare");
  EXPECT_TRUE(page["a"].is_object());
  EXPECT_TRUE(page["b"].is_object());
  EXPECT_THAT(page["span_charts"], SizeIs(comparison.spans.size()));
  EXPECT_THAT(page["functions"], SizeIs(2));
  EXPECT_NE(page["functions"][0]["verdict"], "no difference shown");
  EXPECT_TRUE(page["stacks"].is_object());
  EXPECT_TRUE(Json::parse(ComparePageData(comparison, &a, nullptr))["stacks"]
                  .is_null());
}

TEST(ViewerTest, DocumentCannotEndItsElement) {
  const std::string page = ViewerPage(R"({"name":"</script><script>x"})");
  const auto holds = [&](std::string_view text) {
    return page.find(text) != std::string::npos;  // the page is long
  };
  EXPECT_TRUE(holds(R"({"name":"\u003c/script>\u003cscript>x"})"));
  EXPECT_TRUE(holds("default-src 'none'"));
  for (const char* place : {"EDGEWISE_DOCUMENT", "EDGEWISE_POLICY",
                            "EDGEWISE_SCRIPT", "EDGEWISE_STYLE"}) {
    EXPECT_FALSE(holds(place)) << place;
  }
}

}  // namespace
}  // namespace edgewise
