#include "store/import_pywaggle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "store/iso_time.h"
#include "store/temp_home.h"

namespace edgewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ImportPywaggleTest : public ::testing::Test {
 protected:
  std::filesystem::path Write(const std::string& text) {
    const auto file = home_.path() / "data.ndjson";
    std::ofstream(file) << text;
    return file;
  }

  TempHome home_;
  Store store_ = home_.Open();
};

TEST_F(ImportPywaggleTest, DurationsBecomeSpansAndNumbersGauges) {
  const auto file = Write(
      R"({"name":"plugin.duration.inference","value":5000000,"meta":{"camera":"left","n":1},"timestamp":1700000000010000000}
{"name":"env.temperature","value":21.5,"meta":{},"timestamp":1700000000020000000}
{"name":"plugin.duration.inference","value":7000000,"meta":{},"timestamp":"2023-11-14T22:13:20.030000Z"}

{"name":"upload","value":"/tmp/a.jpg","meta":{},"timestamp":1700000000040000000}
)");
  const auto outcome = ImportPywaggle(store_, file, "field");
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->spans, 2);
  EXPECT_EQ(outcome->points, 1);
  EXPECT_EQ(outcome->texts, 1);
  EXPECT_EQ(outcome->skipped_lines, 0);
  const auto run = store_.Find("field");
  ASSERT_TRUE(run);
  EXPECT_EQ(run->id, outcome->run.id);
  EXPECT_EQ(run->kind, "import");
  EXPECT_EQ(run->state, RunState::kDone);
  EXPECT_EQ(run->started_utc_ns, 1'700'000'000'005'000'000);
  EXPECT_FALSE(run->totals.cpu_user_s);
  const auto series = store_.SeriesOf(run->id);
  ASSERT_TRUE(series);
  ASSERT_EQ(series->size(), 2U);
  const auto spans = store_.Spans((*series)[0].id);
  ASSERT_TRUE(spans);
  EXPECT_EQ((*spans)[0].start_ns, 0);
  EXPECT_EQ((*spans)[0].wall_ns, 5'000'000);
  EXPECT_EQ((*spans)[0].cpu_ns, -1);
  EXPECT_EQ(*store_.MetaText(run->id, (*spans)[0].meta), "camera=left,n=1");
  EXPECT_EQ((*spans)[1].start_ns, 18'000'000);
  EXPECT_DOUBLE_EQ(store_.Points((*series)[1].id)->front().value, 21.5);
}

TEST_F(ImportPywaggleTest, MalformedLinesAreCountedAndToldWithTheirNumber) {
  std::string text =
      R"({"name":"x","value":1,"meta":{},"timestamp":1700000000000000000})"
      "\n";
  for (int i = 0; i < 20; ++i) {
    text += "{broken\n";
  }
  const auto file = Write(text);
  const auto outcome = ImportPywaggle(store_, file, "");
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->skipped_lines, 20);
  ASSERT_EQ(outcome->problems.size(), 5U);
  EXPECT_EQ(outcome->problems.front(),
            file.string() + ":2: this is no JSON object");
  EXPECT_THAT(outcome->run.warnings, ElementsAre(HasSubstr("20 lines")));
}

TEST_F(ImportPywaggleTest, AFileWithoutUseLeavesTheStoreAsItIs) {
  for (const char* text :
       {"", "\n\n", "rubbish\n",
        "{\"name\":\"a\",\"value\":\"text\",\"timestamp\":1}\n"}) {
    EXPECT_FALSE(ImportPywaggle(store_, Write(text), ""));
  }
  const auto missing = ImportPywaggle(store_, home_.path() / "nowhere", "");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(missing.error().message, HasSubstr("nowhere"));
  EXPECT_FALSE(ImportPywaggle(store_, home_.path(), ""));
  EXPECT_TRUE(store_.List({})->empty());
}

TEST(PywaggleLineTest, SaysWhatIsWrong) {
  const auto problem = [](const char* line) {
    const auto record = ParsePywaggleLine(line);
    return record ? std::string("fine") : record.error().message;
  };
  EXPECT_THAT(problem("[]"), HasSubstr("no JSON object"));
  EXPECT_THAT(problem(R"({"value":1,"timestamp":1})"), HasSubstr("'name'"));
  EXPECT_THAT(problem(R"({"name":"","value":1,"timestamp":1})"),
              HasSubstr("'name'"));
  EXPECT_THAT(problem(R"({"name":"a","value":1})"), HasSubstr("'timestamp'"));
  EXPECT_THAT(problem(R"({"name":"a","value":1,"timestamp":"soon"})"),
              HasSubstr("'timestamp'"));
  EXPECT_THAT(problem(R"({"name":"a","value":1,"timestamp":-5})"),
              HasSubstr("'timestamp'"));
  EXPECT_THAT(problem(R"({"name":"a","value":1,"timestamp":1e300})"),
              HasSubstr("'timestamp'"));
  EXPECT_THAT(
      problem(R"({"name":"a","value":1,"timestamp":18446744073709551615})"),
      HasSubstr("'timestamp'"));
  EXPECT_THAT(problem(R"({"name":"a","timestamp":1})"), HasSubstr("'value'"));
  EXPECT_THAT(
      problem(R"({"name":"plugin.duration.x","value":1.5,"timestamp":9})"),
      HasSubstr("nanoseconds"));
  EXPECT_THAT(
      problem(R"({"name":"plugin.duration.x","value":-1,"timestamp":9})"),
      HasSubstr("nanoseconds"));
  EXPECT_THAT(
      problem(R"({"name":"plugin.duration.x","value":10,"timestamp":9})"),
      HasSubstr("nanoseconds"));
}

TEST(PywaggleLineTest, WhatIsNoNumberIsNeitherSpanNorGauge) {
  const auto record =
      ParsePywaggleLine(R"({"name":"a","value":true,"timestamp":9})");
  ASSERT_TRUE(record);
  EXPECT_FALSE(record->number);
  EXPECT_FALSE(record->duration_ns);
}

TEST(IsoTimeTest, ReadsTheUsualForms) {
  constexpr int64_t kWhen = 1'700'000'000'000'000'000;
  EXPECT_EQ(ParseIsoUtcNs("2023-11-14T22:13:20Z"), kWhen);
  EXPECT_EQ(ParseIsoUtcNs("2023-11-14 22:13:20"), kWhen);
  EXPECT_EQ(ParseIsoUtcNs("2023-11-15T00:13:20+02:00"), kWhen);
  EXPECT_EQ(ParseIsoUtcNs("2023-11-14T16:43:20-0530"), kWhen);
  EXPECT_EQ(ParseIsoUtcNs("2023-11-14T22:13:20.5Z"), kWhen + 500'000'000);
  EXPECT_EQ(ParseIsoUtcNs("2023-11-14T22:13:20.1234567891Z"),
            kWhen + 123'456'789);
}

TEST(IsoTimeTest, RefusesTheRest) {
  for (const char* text : {"", "2023", "2023-11-14", "2023-13-14T22:13:20Z",
                           "2023-02-30T22:13:20Z", "2023-11-14T24:13:20Z",
                           "2023-11-14T22:13:20X", "2023-11-14T22:13:20.Z",
                           "2023-11-14T22:13:20+2", "1969-11-14T22:13:20Z",
                           "2023-11-14T22:13:20Z ", "+023-11-14T22:13:20Z"}) {
    EXPECT_FALSE(ParseIsoUtcNs(text)) << text;
  }
}

}  // namespace
}  // namespace edgewise
