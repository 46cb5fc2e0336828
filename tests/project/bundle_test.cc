#include "project/bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "stored_runs.h"
#include "temporary_folder.h"

namespace edgewise {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kId = "aaaaaaaaaaaa";

class BundleTest : public ProjectTest {
 protected:
  Bundle Make(const std::vector<std::string>& runs = {}) {
    auto bundle = MakeBundle(*store_, {folder_, runs});
    EXPECT_TRUE(bundle.ok()) << bundle.error().message;
    return bundle ? std::move(*bundle) : Bundle{};
  }
  const Deliverable& Named(const Bundle& bundle, const std::string& title) {
    for (const Deliverable& each : bundle.deliverables) {
      if (each.title == title) {
        return each;
      }
    }
    ADD_FAILURE() << title;
    static const Deliverable none;
    return none;
  }
  void WriteCameraCard() {
    Keep(*store_, SomeRun(kId, "build/camera --period 20", 0), {"frame"});
    Write("cards/camera.yaml",
          "name: camera\nperiod_ms: 20\nwcet_ms: 9\ncommand: build/camera "
          "--period 20\nevidence:\n  runs: [\"aaaaaaaaaaaa\"]\n  span: frame\n"
          "  n: 100\n  quantiles:\n    - {p: 0.5, value_ms: 5, low_ms: 4, "
          "high_ms: 6}\n");
  }
};

std::vector<std::string> FilesOf(const Bundle& bundle) {
  std::vector<std::string> names;
  for (const ArchivedFile& file : bundle.files) {
    names.push_back(file.name);
  }
  return names;
}

TEST_F(BundleTest, NothingToBundleIsSaid) {
  const auto bundle = MakeBundle(*store_, {folder_, {}});
  ASSERT_FALSE(bundle.ok());
  EXPECT_EQ(bundle.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(bundle.error().message, HasSubstr("nothing to bundle"));
}

TEST_F(BundleTest, CardsComeWithTheRecordsOfTheirRuns) {
  WriteCameraCard();
  const Bundle bundle = Make();
  const Deliverable& cards = Named(bundle, "Profiling cards");
  EXPECT_TRUE(cards.there);
  EXPECT_THAT(cards.runs, ElementsAre(kId));
  EXPECT_THAT(cards.commands,
              ElementsAre("edgewise run -- build/camera --period 20",
                          HasSubstr("edgewise card aaaaaaaaaaaa")));
  EXPECT_THAT(FilesOf(bundle),
              ElementsAre("cards/camera.yaml", "runs/aaaaaaaaaaaa/run.json",
                          "runs/aaaaaaaaaaaa/spans.csv",
                          "runs/aaaaaaaaaaaa/summary.csv"));
  EXPECT_EQ(bundle.latest_utc_ns, 1'794'765'600 * kNsPerSecond);
}

TEST_F(BundleTest, WhatIsMissingIsSaidWithItsCommand) {
  WriteCameraCard();
  const Bundle bundle = Make();
  std::vector<std::string> missing;
  for (const Deliverable* each : MissingOf(bundle)) {
    missing.push_back(each->title);
    ASSERT_FALSE(each->commands.empty()) << each->title;
  }
  EXPECT_THAT(missing, ElementsAre("CSV logs", "Scaling plots",
                                   "MQTT latency breakdown", "Scheduling plan",
                                   "Deadlines before and after the plan"));
  EXPECT_THAT(BundleHeadline(bundle),
              HasSubstr("1 of 6 deliverables are here"));
  const std::string page = BundleHtml(bundle);
  EXPECT_THAT(page, HasSubstr("edgewise plan cards/*.yaml"));
  EXPECT_THAT(page, HasSubstr("edgewise mqtt bench"));
  EXPECT_THAT(page, HasSubstr("edgewise sweep --threads 1,2,4"));
}

TEST_F(BundleTest, LogsHaveTheirFiguresWithIntervals) {
  std::string csv = "label,wall_ms\n";
  for (int i = 0; i < 1000; ++i) {
    csv += "frame," + std::to_string(10 + i * 7919 % 1000 / 100.0) + "\n";
  }
  Write("logs/camera.csv", csv);
  Write("logs/other.csv", "a,b\n1,2\n");
  const Bundle bundle = Make();
  const Deliverable& logs = Named(bundle, "CSV logs");
  EXPECT_TRUE(logs.there);
  ASSERT_EQ(logs.sections.size(), 1U);
  const Table& table = logs.sections[0].tables[0];
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0][1].text, "frame");
  EXPECT_EQ(table.rows[0][2].text, "1,000");
  EXPECT_THAT(table.rows[0][4].text, HasSubstr("["));
  EXPECT_THAT(bundle.warnings, Contains(HasSubstr("logs/other.csv")));
  EXPECT_THAT(FilesOf(bundle),
              ElementsAre("logs/camera.csv", "logs/other.csv"));
}

TEST_F(BundleTest, APlanHasItsProofAndPicture) {
  Write("plan/plan.yaml",
        "tasks:\n  - {name: a, cores: \"0\", wcet_ms: 5, period_ms: 20, "
        "response_bound_ms: 6, card: cards/a.yaml}\nproofs:\n  - {cores: "
        "\"0\", utilisation: 0.25, test: QPA, schedulable: true, verdict: "
        "\"Every job meets its deadline.\"}\n");
  const Bundle bundle = Make();
  const Deliverable& plan = Named(bundle, "Scheduling plan");
  EXPECT_TRUE(plan.there);
  EXPECT_THAT(plan.summary, HasSubstr("every deadline is proven to be met"));
  EXPECT_THAT(plan.commands,
              ElementsAre(HasSubstr("edgewise plan cards/a.yaml --cores 0")));
  EXPECT_THAT(FilesOf(bundle),
              ElementsAre("plan/plan.yaml", "plan/plan.yaml.svg"));
  EXPECT_THAT(Named(bundle, "Deadlines before and after the plan").commands,
              ElementsAre("edgewise exec plan/plan.yaml --compare --duration "
                          "60s"));
}

TEST_F(BundleTest, StagesOfMessagesAreShown) {
  edgewise::Run run = SomeRun("bbbbbbbbbbbb", "edgewise mqtt bench", 1);
  run.experiment = "mqtt bench";
  run.group_role = "qos=1";
  Keep(*store_, run, {"to processor", "work"});
  const Bundle bundle = Make();
  EXPECT_TRUE(Named(bundle, "MQTT latency breakdown").there);
  const std::string page = BundleHtml(bundle);
  EXPECT_THAT(page, HasSubstr("to processor"));
  EXPECT_THAT(page, HasSubstr("qos=1"));
}

TEST_F(BundleTest, PicturesOfOthersAreShownButNothingInThemRuns) {
  Write("plots/mine.svg", "<svg><script>alert(1)</script></svg>");
  const std::string page = BundleHtml(Make());
  EXPECT_THAT(page, HasSubstr("<img alt=\"plots/mine.svg\" "
                              "src=\"data:image/svg+xml;base64,PHN2Zz48"));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
}

TEST_F(BundleTest, TextsOfAnyOriginStayTexts) {
  Write("cards/x.yaml", "name: \"<b>&\"\nwcet_ms: 1\n");
  const std::string page = BundleHtml(Make());
  EXPECT_THAT(page, Not(HasSubstr("<b>&")));
  EXPECT_THAT(page, HasSubstr("&lt;b&gt;&amp;"));
}

TEST_F(BundleTest, ACardThatDoesNotHoldIsSaid) {
  Write("cards/x.yaml", "name: x\nwcet_ms: 1\nfalsified: \"took 3 ms\"\n");
  EXPECT_THAT(Make().warnings, Contains(HasSubstr("took 3 ms")));
}

TEST_F(BundleTest, TheSameRunsGiveTheSameBytes) {
  WriteCameraCard();
  const Bundle one = Make();
  const Bundle other = Make();
  const std::string page = BundleHtml(one);
  EXPECT_EQ(page, BundleHtml(other));
  const auto zip = BundleZip(one, page);
  ASSERT_TRUE(zip.ok()) << zip.error().message;
  EXPECT_EQ(*zip, *BundleZip(other, page));
}

TEST_F(BundleTest, JsonSaysWhatIsThereAndWhatIsNot) {
  WriteCameraCard();
  const auto json = nlohmann::json::parse(BundleJson(Make()));
  EXPECT_FALSE(json["complete"]);
  EXPECT_EQ(json["runs"], nlohmann::json({kId}));
  EXPECT_EQ(json["files"][0], "bundle.html");
  EXPECT_TRUE(json["deliverables"][0]["there"]);
  EXPECT_FALSE(json["deliverables"][1]["there"]);
}

}  // namespace
}  // namespace edgewise
