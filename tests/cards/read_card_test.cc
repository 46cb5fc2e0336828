#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cards/card.h"

namespace edgewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The lab's example, as it stands there.
constexpr std::string_view kLabCard = R"(name: mobilenet_v2_infer
period_ms: 100
deadline_ms: 100
wcet_ms: 18
avg_ms: 12.5
rss_mb: 210
cpu_share_percent: 130
notes: "int8 quantized; torch threads=1; pinned to core 2"
)";

std::string Problem(std::string_view yaml) {
  const auto card = ReadCard(yaml, "app.yaml");
  EXPECT_FALSE(card) << yaml;
  return card ? "" : card.error().message;
}

TEST(ReadCardTest, TheLabsEightKeysAreACard) {
  std::vector<std::string> warnings;
  const auto card = ReadCard(kLabCard, "mobilenet.yaml", &warnings);
  ASSERT_TRUE(card) << card.error().message;
  EXPECT_EQ(card->name, "mobilenet_v2_infer");
  EXPECT_DOUBLE_EQ(*card->period_ms, 100);
  EXPECT_DOUBLE_EQ(*card->deadline_ms, 100);
  EXPECT_DOUBLE_EQ(*card->wcet_ms, 18);
  EXPECT_DOUBLE_EQ(*card->avg_ms, 12.5);
  EXPECT_DOUBLE_EQ(*card->rss_mb, 210);
  EXPECT_DOUBLE_EQ(*card->cpu_share_percent, 130);
  EXPECT_EQ(card->notes, "int8 quantized; torch threads=1; pinned to core 2");
  EXPECT_EQ(card->wcet_kind, WcetKind::kUnstated);
  EXPECT_FALSE(card->evidence);
  EXPECT_THAT(warnings, IsEmpty());
}

TEST(ReadCardTest, ANameAloneIsEnough) {
  const auto card = ReadCard("name: x\nwcet_ms:\nperiod_ms: ~\n", "a");
  ASSERT_TRUE(card);
  EXPECT_FALSE(card->wcet_ms);
  EXPECT_FALSE(card->period_ms);
}

TEST(ReadCardTest, ASlipIsToldWithItsLineAndTheRightKey) {
  EXPECT_EQ(Problem("name: x\nperiod_ms: 10\nwect_ms: 5\n"),
            "app.yaml:3: there is no key `wect_ms`; did you mean `wcet_ms`?");
}

TEST(ReadCardTest, ForeignKeysAreKeptWithAWarning) {
  std::vector<std::string> warnings;
  const auto card = ReadCard("name: x\nlabels: {cpu: 1000m, gpu: [1, 2]}\n",
                             "a.yaml", &warnings);
  ASSERT_TRUE(card) << card.error().message;
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("a.yaml:2: the key `labels`")));
  const auto again = ReadCard(WriteCard(*card), "b.yaml");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->others, card->others);
  EXPECT_THAT(again->others.at("labels"), HasSubstr("1000m"));
}

TEST(ReadCardTest, NumbersMustBeNumbersAboveZero) {
  for (const char* value : {"0", "-1", "-0.0", ".nan", ".inf", "-.inf", "nan",
                            "18ms", "1e999", "[1]", "{a: 1}", "''", "abc"}) {
    EXPECT_THAT(Problem(std::string("name: x\nwcet_ms: ") + value + "\n"),
                HasSubstr("app.yaml:2: `wcet_ms` must be"))
        << value;
  }
  EXPECT_THAT(Problem("name: x\nwcet_confidence: 1.5\n"),
              HasSubstr("at most 1"));
}

TEST(ReadCardTest, AMissingNameIsToldAndSoIsAnEmptyFile) {
  EXPECT_THAT(Problem("period_ms: 10\n"), HasSubstr("`name` is missing"));
  EXPECT_THAT(Problem("name:\n"), HasSubstr("`name` is missing"));
  EXPECT_THAT(Problem(""), HasSubstr("empty"));
  EXPECT_THAT(Problem("# only a comment\n"), HasSubstr("empty"));
  EXPECT_THAT(Problem("- a\n- b\n"), HasSubstr("key: value"));
  EXPECT_THAT(Problem("just text"), HasSubstr("key: value"));
}

TEST(ReadCardTest, AKeyTwiceIsRefused) {
  EXPECT_EQ(Problem("name: x\nwcet_ms: 5\nwcet_ms: 6\n"),
            "app.yaml:3: the key `wcet_ms` is there twice");
}

TEST(ReadCardTest, BrokenYamlIsToldWithItsLine) {
  EXPECT_THAT(Problem("name: x\nnotes: {a: 1\nwcet_ms: 5\n"),
              HasSubstr("this is no YAML"));
  EXPECT_THAT(Problem("name: [\n"), HasSubstr("app.yaml:"));
}

TEST(ReadCardTest, ASecondDocumentIsRefused) {
  EXPECT_THAT(Problem("name: x\n---\nname: y\n"),
              HasSubstr("one file holds one card"));
}

TEST(ReadCardTest, BombsAreRefused) {
  std::string laughs = "name: x\na: &a [1, 1]\n";
  for (char c = 'b'; c < 'z'; ++c) {
    const char before = static_cast<char>(c - 1);
    laughs +=
        std::string(1, c) + ": &" + c + " [*" + before + ", *" + before + "]\n";
  }
  EXPECT_THAT(Problem(laughs), HasSubstr("aliases"));
  EXPECT_THAT(Problem("name: x\na: " + std::string(400, '[') +
                      std::string(400, ']') + "\n"),
              HasSubstr("deep"));
  EXPECT_THAT(Problem("name: x\na: " + std::string(300'000, '[')),
              HasSubstr("app.yaml"));
  EXPECT_THAT(Problem("name: " + std::string(2 << 20, 'x')),
              HasSubstr("1 MiB"));
}

TEST(ReadCardTest, AnUnknownWcetKindIsRefused) {
  EXPECT_THAT(Problem("name: x\nwcet_kind: guess\n"),
              HasSubstr("observed_max, quantile_bound or pwcet"));
}

TEST(ReadCardTest, EvidenceIsChecked) {
  EXPECT_THAT(Problem("name: x\nevidence: 5\n"), HasSubstr("`evidence`"));
  EXPECT_THAT(Problem("name: x\nevidence:\n  runs: abc\n"),
              HasSubstr("app.yaml:3: `runs` must be a list"));
  EXPECT_THAT(Problem("name: x\nevidence:\n  quantiles: [{p: 0.5}]\n"),
              HasSubstr("needs p and value_ms"));
  EXPECT_THAT(
      Problem("name: x\nevidence:\n  quantiles: [{p: 2, value_ms: 1}]\n"),
      HasSubstr("`p` must be"));
  EXPECT_THAT(Problem("name: x\nevidence:\n  machine: [a]\n"),
              HasSubstr("`machine`"));
}

TEST(ReadCardTest, BytesThatAreNoTextAreRefusedWithTheirLine) {
  EXPECT_THAT(Problem("name: frames\nnotes: caf\xe9\n"),
              HasSubstr("app.yaml:2: there are bytes that are not UTF-8 text"));
  EXPECT_THAT(Problem(std::string_view("name: fra\0_mes\n", 15)),
              HasSubstr("app.yaml:1: there are bytes that are not UTF-8 text"));
}

}  // namespace
}  // namespace edgewise
