#include "mqtt/import_log.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "mqtt/pipeline_report.h"

namespace edgewise::mqtt {
namespace {

TEST(LogLineTest, TimesOfThreeKindsAreRead) {
  const auto ns =
      ParseLogLine(R"(1731694178123456789 lab/e2e {"id":1,"t_pub_ns":5})");
  ASSERT_TRUE(ns);
  EXPECT_EQ(ns->received_ns, 1'731'694'178'123'456'789);
  EXPECT_FALSE(ns->coarse);
  EXPECT_EQ(ns->topic, "lab/e2e");
  EXPECT_EQ(ns->payload, R"({"id":1,"t_pub_ns":5})");
  const auto fraction = ParseLogLine("1731694178.25 t p");
  ASSERT_TRUE(fraction);
  EXPECT_EQ(fraction->received_ns, 1'731'694'178'250'000'000);
  const auto whole = ParseLogLine("1731694178%N t p");
  ASSERT_TRUE(whole);
  EXPECT_TRUE(whole->coarse);
  EXPECT_EQ(whole->received_ns, 1'731'694'178'000'000'000);
}

TEST(LogLineTest, OtherLinesAreNone) {
  for (const char* line : {"", "hello", "1731694178", "1731694178 topic",
                           "x t p", "17 t p", "1731694178.1234567891 t p",
                           "99999999999999999999 t p", "9731694178.25 t p"}) {
    EXPECT_FALSE(ParseLogLine(line)) << line;
  }
}

class ImportLogTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("mqtt-import-" + NewRunId());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path Log(const std::string& text) {
    const auto path = folder_ / "log.txt";
    std::ofstream(path) << text;
    return path;
  }
  std::filesystem::path folder_;
};

TEST_F(ImportLogTest, ALogBecomesARunWithItsStages) {
  auto store = Store::Open(folder_ / "home");
  ASSERT_TRUE(store);
  std::string text;
  for (int i = 0; i < 20; ++i) {
    if (i == 7) {
      continue;
    }
    const int64_t pub = 1'731'694'178'000'000'000 + i * 100'000'000;
    text += std::to_string(pub + 30'000'000) +
            " lab/e2e/processed {\"id\": " + std::to_string(i) +
            ", \"t_pub_ns\": " + std::to_string(pub) +
            ", \"t_done_ns\": " + std::to_string(pub + 20'000'000) + "}\n";
  }
  text += "noise\n1731694179000000000 lab/e2e/processed not json\n";
  const auto import = ImportLog(*store, Log(text), "lab");
  ASSERT_TRUE(import) << import.error().message;
  EXPECT_EQ(import->messages, 19);
  EXPECT_EQ(import->foreign_lines, 2);
  ASSERT_EQ(import->run.warnings.size(), 1u);
  EXPECT_NE(import->run.warnings[0].find("1 are not there"), std::string::npos);
  const auto report = MakePipelineReport(*store, std::span(&import->run, 1));
  ASSERT_TRUE(report);
  const PipelineCell& cell = report->cells.front();
  EXPECT_EQ(cell.name, "lab");
  const StageFigures* const done = cell.Find(Stage::kToDone);
  ASSERT_NE(done, nullptr);
  EXPECT_DOUBLE_EQ(*done->ns.mean, 20e6);
  EXPECT_NEAR(done->share->value, 2.0 / 3, 1e-9);
  EXPECT_DOUBLE_EQ(*cell.Find(Stage::kNaive)->ns.mean, 30e6);
  EXPECT_EQ(cell.account.received, 19);
  EXPECT_EQ(cell.account.sent, std::nullopt) << "nobody counted";
  EXPECT_EQ(cell.account.lost, std::nullopt);
}

TEST_F(ImportLogTest, WholeSecondsLeaveOnlyWhatPayloadsSay) {
  auto store = Store::Open(folder_ / "home");
  ASSERT_TRUE(store);
  const auto import =
      ImportLog(*store,
                Log("1731694178%N lab/e2e/processed {\"id\":0,\"t_pub_ns\":"
                    "1731694178100000000,\"t_done_ns\":1731694178150000000}\n"),
                "");
  ASSERT_TRUE(import);
  EXPECT_TRUE(import->coarse);
  const auto report = MakePipelineReport(*store, std::span(&import->run, 1));
  ASSERT_TRUE(report);
  EXPECT_NE(report->cells[0].Find(Stage::kToDone), nullptr);
  EXPECT_EQ(report->cells[0].Find(Stage::kNaive), nullptr);
}

TEST_F(ImportLogTest, AFileWithoutMessagesIsRefusedAndLeavesNothing) {
  auto store = Store::Open(folder_ / "home");
  ASSERT_TRUE(store);
  const auto import = ImportLog(*store, Log("hello\n"), "");
  ASSERT_FALSE(import);
  EXPECT_NE(import.error().message.find("mosquitto_sub -v"), std::string::npos);
  EXPECT_TRUE(store->List({})->empty());
  EXPECT_FALSE(ImportLog(*store, folder_ / "none", ""));
}

}  // namespace
}  // namespace edgewise::mqtt
