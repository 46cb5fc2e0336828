// Exports of stored Runs, read back with another reader.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "../store/temporary_store.h"
#include "base/byte_code.h"
#include "report/export_chrome.h"
#include "report/export_pprof.h"
#include "report/export_speedscope.h"
#include "report/json_text.h"
#include "report/run_stacks.h"
#include "store/store.h"

namespace edgewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::json;

stacks::StackProfile SomeStacks() {
  stacks::ProfileBuilder builder;
  stacks::Frame frame;
  frame.function = "main";
  frame.module = "/usr/bin/camera";
  const int32_t main = builder.AddFrame(frame);
  frame.function = "read \"frame\"";
  frame.file = "camera.cc";
  frame.first_line = 40;
  frame.line = 42;
  const int32_t read = builder.AddFrame(frame);
  frame.line = 44;
  const int32_t read_later = builder.AddFrame(frame);
  frame.function = "copy";
  frame.inlined = true;
  const int32_t copy = builder.AddFrame(frame);
  const int32_t camera = builder.AddThread({10, 10, "camera", "camera"});
  const int32_t worker = builder.AddThread({10, 11, "camera", "worker"});
  builder.Add(camera, std::vector{main, read}, 3);
  builder.Add(camera, std::vector{main, read_later, copy}, 5);
  builder.Add(worker, std::vector{main}, 2);
  builder.Add(worker, {}, 1);
  builder.collection().rate_hz = 100;
  builder.collection().samples = 11;
  return builder.Take();
}

class ExportTest : public TemporaryStoreTest {
 protected:
  edgewise::Run Stored(const std::function<void(RunWriter&)>& fill) {
    edgewise::Run run;
    run.id = NewRunId();
    run.command = {"./camera"};
    run.threads = {{10, 10, "camera", 1, {}, ""},
                   {10, 11, "worker", 1, {}, ""}};
    auto writer = store_->Begin(run);
    fill(*writer);
    run.state = RunState::kDone;
    EXPECT_TRUE(writer->Finish(run));
    return run;
  }
  std::string Whole(Result<void> (*write)(const Store&, const edgewise::Run&,
                                          const TextSink&),
                    const edgewise::Run& run) {
    std::string text;
    const auto done =
        write(*store_, run, [&](std::string_view piece) { text += piece; });
    if (!done) {
      EXPECT_EQ(text, "") << "nothing is written before an error";
      return done.error().message;
    }
    return text;
  }
};

TEST_F(ExportTest, SpeedscopeHasAProfileForEachThread) {
  const auto run = Stored([](RunWriter& w) { w.SetStacks(SomeStacks()); });
  const Json json = Json::parse(Whole(ExportSpeedscope, run));
  ASSERT_EQ(json["profiles"].size(), 2U);
  const Json& first = json["profiles"][0];
  EXPECT_EQ(first["unit"], "seconds");
  EXPECT_DOUBLE_EQ(first["endValue"], 0.08);
  EXPECT_DOUBLE_EQ(first["weights"][0], 0.03);
  EXPECT_EQ(first["name"], "camera (10/10)");
  EXPECT_EQ(json["profiles"][1]["name"], "camera worker (10/11)");
  // Lines of one function are one frame.
  ASSERT_EQ(json["shared"]["frames"].size(), 3U);
  EXPECT_EQ(json["shared"]["frames"][1]["name"], "read \"frame\"");
  EXPECT_EQ(json["shared"]["frames"][1]["line"], 40);
  EXPECT_EQ(first["samples"], Json::parse("[[0,1],[0,1,2]]"));
}

// Fields of a protobuf message, numbers and bytes apart.
struct Fields {
  std::multimap<uint64_t, uint64_t> numbers;
  std::multimap<uint64_t, std::string> bytes;
};

Fields Parsed(std::string_view message) {
  Fields fields;
  ByteReader reader = ByteReader::Unsealed(message);
  while (reader.remaining() > 0) {
    const auto tag = reader.Varint();
    if (!tag) {
      ADD_FAILURE() << "a tag is cut off";
      break;
    }
    if ((*tag & 7) == 0) {
      fields.numbers.emplace(*tag >> 3, reader.Varint().value_or(0));
    } else {
      const auto length = reader.Varint();
      const auto bytes = reader.Bytes(length.value_or(0));
      EXPECT_EQ(*tag & 7, 2U);
      EXPECT_TRUE(bytes);
      fields.bytes.emplace(*tag >> 3, bytes.value_or(""));
    }
  }
  return fields;
}

TEST_F(ExportTest, PprofHasTheMessagesOfTheFormat) {
  const Fields profile = Parsed(PprofMessage(SomeStacks(), {}));
  EXPECT_EQ(profile.bytes.count(1), 2U) << "samples/count, cpu/nanoseconds";
  EXPECT_EQ(profile.bytes.count(2), 4U) << "a sample each of the counts";
  EXPECT_EQ(profile.bytes.count(5), 3U) << "functions";
  EXPECT_EQ(profile.bytes.find(6)->second, "") << "the first text is empty";
  EXPECT_EQ(profile.numbers.find(12)->second, 10'000'000U) << "period";
  // main, read, read with copy inlined into it.
  EXPECT_EQ(profile.bytes.count(4), 3U);
  std::vector<size_t> lines;
  for (auto [place, end] = profile.bytes.equal_range(4); place != end;
       ++place) {
    lines.push_back(Parsed(place->second).bytes.count(4));
  }
  EXPECT_THAT(lines, ElementsAre(1, 1, 2));
}

TEST_F(ExportTest, PprofIsGzip) {
  const auto run = Stored([](RunWriter& w) { w.SetStacks(SomeStacks()); });
  EXPECT_THAT(Whole(ExportPprof, run), ::testing::StartsWith("\x1f\x8b"));
}

TEST_F(ExportTest, ChromeHasSlicesCountersAndNames) {
  const auto run = Stored([](RunWriter& w) {
    const Span spans[] = {{1500, 2'000'000, 1'000'000, 11, w.MetaId("a=\"b\"")},
                          {9'000'000, 1, -1, 99, 0}};
    w.AddSpans(w.SeriesId(SeriesKind::kSpan, "frame", ""), spans);
    const Job job{0, 1000, 5000, 4000, -1, 10};
    w.AddJobs(w.SeriesId(SeriesKind::kJob, "control", ""), {&job, 1});
    w.AddPoint(w.SeriesId(SeriesKind::kSystem, "cpu_percent", "percent"),
               {1'000'000'000, 75.5});
  });
  const Json json = Json::parse(Whole(ExportChrome, run));
  std::map<std::string, std::vector<Json>> events;
  for (const Json& event : json["traceEvents"]) {
    events[event["ph"]].push_back(event);
  }
  EXPECT_EQ(events["M"].size(), 3U);
  ASSERT_EQ(events["X"].size(), 3U);
  const Json& frame = events["X"][0];
  EXPECT_EQ(frame["ts"], 1.5);
  EXPECT_EQ(frame["dur"], 2000);
  EXPECT_EQ(frame["pid"], 10);
  EXPECT_EQ(frame["tid"], 11);
  EXPECT_EQ(frame["args"]["meta"], "a=\"b\"");
  EXPECT_EQ(frame["args"]["cpu_us"], 1000);
  EXPECT_EQ(events["X"][1]["pid"], 10) << "of a thread that is not listed";
  EXPECT_EQ(events["X"][2]["args"]["missed"], true);
  ASSERT_EQ(events["C"].size(), 1U);
  EXPECT_EQ(events["C"][0]["args"]["percent"], 75.5);
}

TEST_F(ExportTest, ARunWithoutIsRefusedWithTheWayOut) {
  const auto run = Stored([](RunWriter&) {});
  EXPECT_THAT(Whole(ExportSpeedscope, run), HasSubstr("--stacks 99"));
  EXPECT_THAT(Whole(ExportPprof, run), HasSubstr("has no stacks"));
  EXPECT_THAT(Whole(ExportChrome, run), HasSubstr("has no spans"));
}

TEST(JsonTextTest, AnyBytesBecomeValidJson) {
  EXPECT_EQ(JsonString("a\"\\\n\x01"), R"("a\"\\\u000a\u0001")");
  EXPECT_EQ(Json::parse(JsonString("\xff ok")), "\xEF\xBF\xBD ok");
}

TEST(JsonTextTest, ThousandthsAreExact) {
  EXPECT_EQ(JsonThousandths(1500), "1.5");
  EXPECT_EQ(JsonThousandths(-1), "-0.001");
  EXPECT_EQ(JsonThousandths(0), "0");
  EXPECT_EQ(JsonThousandths(9'007'199'254'740'993), "9007199254740.993");
  EXPECT_EQ(JsonThousandths(std::numeric_limits<int64_t>::min()),
            "-9223372036854775.808");
}

}  // namespace
}  // namespace edgewise
