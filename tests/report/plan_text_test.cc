#include "report/plan_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/gantt.h"

namespace edgewise {
namespace {

using scheduling::PlanRequest;
using testing::HasSubstr;
using testing::Not;

constexpr int64_t kMs = 1'000'000;

PlanReport ReportOf(std::vector<int> cores) {
  PlanReport report;
  report.request.cores = std::move(cores);
  for (const auto& [name, c, t] :
       {std::tuple{"a", 5, 20}, {"b <&", 12, 50}, {"c", 30, 100}}) {
    scheduling::TaskWish wish;
    wish.task.name = name;
    wish.task.wcet_ns = c * kMs;
    wish.task.period_ns = t * kMs;
    wish.task.deadline_ns = t * kMs;
    wish.task.wcet_source = "cards/x.yaml: wcet_ms";
    report.request.tasks.push_back(wish);
  }
  report.answer = *scheduling::MakePlan(report.request);
  if (!report.answer.found) {
    report.remedies = scheduling::FindRemedies(report.request, {}, {});
  }
  report.history = *scheduling::FirstHyperperiod(report.answer.plan);
  return report;
}

TEST(PlanTextTest, APlanHasItsBoundsAndItsPicture) {
  TextStyle style;
  const std::string text = PlanText(ReportOf({0, 1}), style);
  EXPECT_THAT(text,
              HasSubstr("3 tasks on cores 0-1: every deadline is proven"));
  EXPECT_THAT(text, HasSubstr("holds"));
  EXPECT_THAT(text, HasSubstr("The first hyperperiod, 100 ms"));
  EXPECT_THAT(text, HasSubstr("█"));
  EXPECT_THAT(text, Not(HasSubstr("what would help")));
  for (size_t from = 0; from < text.size();) {
    const size_t end = text.find('\n', from);
    EXPECT_LE(std::count_if(text.begin() + static_cast<ptrdiff_t>(from),
                            text.begin() + static_cast<ptrdiff_t>(end),
                            [](char c) { return (c & 0xC0) != 0x80; }),
              80);
    from = end + 1;
  }
}

TEST(PlanTextTest, WithoutAPlanThereIsAWitnessAndWhatWouldHelp) {
  const std::string text = PlanText(ReportOf({0}), {});
  EXPECT_THAT(text, HasSubstr("no plan meets every deadline"));
  EXPECT_THAT(text, HasSubstr("core 0: Within some 20 ms"));
  EXPECT_THAT(text, HasSubstr("what would help, each proven"));
  EXPECT_THAT(text, HasSubstr("--executor edf-preemptive"));
}

TEST(PlanTextTest, AsciiWhereTheTerminalHasNoMore) {
  TextStyle style;
  style.unicode = false;
  const PlanReport report = ReportOf({0, 1});
  const std::string text =
      GanttText(report.answer.plan, *report.history, style);
  EXPECT_THAT(text, HasSubstr("###"));
  EXPECT_TRUE(std::all_of(text.begin(), text.end(),
                          [](char c) { return (c & 0x80) == 0; }));
}

TEST(PlanTextTest, TheShareOfAColumnIsWhatTheTaskRunsInIt) {
  PlanReport report = ReportOf({0, 1});
  TextStyle style;
  style.unicode = false;
  style.width = 109;
  const std::string text =
      GanttText(report.answer.plan, *report.history, style);
  // c runs 30 of 100 ms without a break.
  const size_t line = text.find("  c @");
  ASSERT_NE(line, std::string::npos);
  const std::string row = text.substr(line, text.find('\n', line) - line);
  const auto full = std::count(row.begin(), row.end(), '#');
  const auto idle = std::count(row.begin(), row.end(), '.');
  EXPECT_NEAR(static_cast<double>(full) / static_cast<double>(full + idle), 0.3,
              0.02);
}

TEST(PlanTextTest, JsonCarriesEveryTaskProofAndRemedy) {
  const auto json = nlohmann::json::parse(PlanJson(ReportOf({0, 1})));
  EXPECT_EQ(json["found"], true);
  const auto& task = json["tasks"][0];
  EXPECT_EQ(task["name"], "a");
  EXPECT_EQ(task["policy"], "edf");
  EXPECT_EQ(task["wcet_ns"], 5 * kMs);
  EXPECT_EQ(task["period_ns"], 20 * kMs);
  EXPECT_EQ(task["deadline_ns"], 20 * kMs);
  EXPECT_EQ(task["response_bound_ns"], 5 * kMs);
  EXPECT_TRUE(task["priority"].is_null());
  EXPECT_EQ(task["core"], task["cores"][0]);
  EXPECT_EQ(json["proofs"].size(), 2);
  EXPECT_GT(json["history"]["slices"].size(), 7);
  const auto none = nlohmann::json::parse(PlanJson(ReportOf({0})));
  EXPECT_EQ(none["found"], false);
  EXPECT_GT(none["remedies"].size(), 2);
  EXPECT_FALSE(none["proofs"][0]["witness"].get<std::string>().empty());
}

TEST(PlanTextTest, NamesAreHarmlessInSvgAndHtml) {
  const PlanReport report = ReportOf({0, 1});
  const std::string svg = GanttSvg(report.answer.plan, *report.history);
  EXPECT_THAT(svg, HasSubstr("b &lt;&amp;"));
  EXPECT_THAT(svg, HasSubstr("job 1: 0 ns to 5 ms"));
  const std::string html = PlanHtml(report);
  EXPECT_THAT(html, HasSubstr("<svg"));
  EXPECT_THAT(html, Not(HasSubstr("b <&")));
}

}  // namespace
}  // namespace edgewise
