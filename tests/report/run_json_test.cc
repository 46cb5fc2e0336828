#include "report/run_json.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "golden.h"
#include "sample_analysis.h"
#include "sample_run.h"

namespace edgewise {
namespace {

using Json = nlohmann::json;

std::string ReadFormat(const std::string& name) {
  const auto text =
      ReadFile(std::filesystem::path(EDGEWISE_FORMATS_DIR) / name);
  EXPECT_TRUE(text.ok()) << text.error().message;
  return text.ok() ? *text : "";
}

Json Parse(const std::string& text) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  EXPECT_FALSE(json.is_discarded()) << text;
  return json;
}

const Json& Schema() {
  static const Json schema = Parse(ReadFormat("run.schema.json"));
  return schema;
}

bool HasType(const Json& value, const std::string& type) {
  return (type == "null" && value.is_null()) ||
         (type == "boolean" && value.is_boolean()) ||
         (type == "string" && value.is_string()) ||
         (type == "integer" && value.is_number_integer()) ||
         (type == "number" && value.is_number()) ||
         (type == "array" && value.is_array()) ||
         (type == "object" && value.is_object());
}

// What is wrong with `value` by the part of JSON Schema that our schema uses;
// beyond that, every key must be documented.
std::vector<std::string> Complaints(const Json& value, const Json& schema,
                                    const std::string& at) {
  if (schema.contains("$ref")) {
    const std::string name =
        schema["$ref"].get<std::string>().substr(sizeof("#/$defs/") - 1);
    return Complaints(value, Schema()["$defs"].at(name), at);
  }
  std::vector<std::string> complaints;
  if (schema.contains("oneOf")) {
    for (const Json& choice : schema["oneOf"]) {
      complaints = Complaints(value, choice, at);
      if (complaints.empty()) {
        break;
      }
      // The complaint of the choice that was meant is the useful one.
      if (!value.is_null()) {
        break;
      }
    }
    return complaints;
  }
  if (schema.contains("const") && schema["const"] != value) {
    complaints.push_back(at + ": is " + value.dump());
  }
  if (schema.contains("enum") &&
      std::find(schema["enum"].begin(), schema["enum"].end(), value) ==
          schema["enum"].end()) {
    complaints.push_back(at + ": not allowed: " + value.dump());
  }
  if (schema.contains("type")) {
    const Json types = schema["type"].is_array()
                           ? schema["type"]
                           : Json::array({schema["type"]});
    if (std::none_of(types.begin(), types.end(), [&](const Json& type) {
          return HasType(value, type.get<std::string>());
        })) {
      complaints.push_back(at + ": wrong type: " + value.dump());
      return complaints;
    }
  }
  if (schema.contains("minimum") && value.is_number() &&
      value < schema["minimum"]) {
    complaints.push_back(at + ": too small: " + value.dump());
  }
  const auto add = [&complaints](std::vector<std::string> more) {
    complaints.insert(complaints.end(), more.begin(), more.end());
  };
  if (value.is_array() && schema.contains("items")) {
    for (const Json& element : value) {
      add(Complaints(element, schema["items"], at + "[]"));
    }
  }
  if (value.is_object() && schema.contains("properties")) {
    for (const Json& name : schema["required"]) {
      if (!value.contains(name.get<std::string>())) {
        complaints.push_back(at + ": lacks " + name.dump());
      }
    }
    for (const auto& [name, member] : value.items()) {
      const std::string path = at + "." + name;
      if (!schema["properties"].contains(name)) {
        complaints.push_back(path + ": is not documented");
      } else {
        add(Complaints(member, schema["properties"][name], path));
      }
    }
  }
  return complaints;
}

void ExpectFitsSchema(const Json& run) {
  const auto complaints = Complaints(run, Schema(), "run");
  EXPECT_TRUE(complaints.empty()) << ::testing::PrintToString(complaints);
}

// Every name under any "properties" of the schema.
void CollectKeys(const Json& schema, std::vector<std::string>* keys) {
  if (schema.is_object() && schema.contains("properties")) {
    for (const auto& [name, property] : schema["properties"].items()) {
      keys->push_back(name);
    }
  }
  if (schema.is_structured()) {
    for (const Json& part : schema) {
      CollectKeys(part, keys);
    }
  }
}

TEST(RunJsonTest, LooksAsReviewed) {
  ExpectGolden("run.json", RunJson(SampleRun(), SampleAnalysis()));
  ExpectGolden("compare.json", CompareJson(SampleComparison()));
}

TEST(RunJsonTest, HasTheKeysThatScriptsRelyOn) {
  const Json json = Parse(RunJson(SampleRun(), SampleAnalysis()));
  for (const char* key :
       {"id", "command", "exit_code", "signal", "interrupted", "wall_s",
        "cpu_user_s", "cpu_system_s", "max_rss_bytes", "tree_peak_bytes",
        "voluntary_switches", "involuntary_switches", "spans", "profiler",
        "unavailable"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  const Json& span = json["spans"][0];
  for (const char* key :
       {"name", "count", "dropped", "mean_ms", "max_ms", "stddev_ms",
        "jitter_ms", "p50_ms", "p90_ms", "p95_ms", "p99_ms", "p999_ms"}) {
    EXPECT_TRUE(span.contains(key)) << key;
  }
  EXPECT_EQ(span["p99_ms"],
            Json({{"value", 44.1}, {"low", 38.2}, {"high", 57.7}}));
  EXPECT_TRUE(json["profiler"]["cpu_s"].is_number());
  EXPECT_EQ(json["unavailable"][0]["what"], "power");
}

TEST(RunJsonTest, FitsTheSchema) {
  ExpectFitsSchema(Parse(RunJson(SampleRun(), SampleAnalysis())));
  ExpectFitsSchema(Parse(RunJson(BareRun(), {})));
  edgewise::Run on_gpu = BareRun();
  on_gpu.gpu.emplace().devices.emplace_back();
  ExpectFitsSchema(Parse(RunJson(on_gpu, {})));
  GpuSummary& summary = on_gpu.gpu->summary.emplace();
  summary.kernels.emplace_back();
  summary.copies.emplace_back();
  summary.calls.emplace_back();
  ExpectFitsSchema(Parse(RunJson(on_gpu, {})));
}

TEST(RunJsonTest, TheSchemaCheckCanFail) {
  Json json = Parse(RunJson(SampleRun(), SampleAnalysis()));
  json["surprise"] = 1;
  json["wall_s"] = "long";
  json["spans"][0].erase("p99_ms");
  json["spans"][0]["p50_ms"]["low"] = "?";
  json["state"] = "asleep";
  json["spans"][1]["count"] = -1;
  EXPECT_EQ(Complaints(json, Schema(), "run").size(), 6U);
}

TEST(RunJsonTest, EveryKeyIsInTheDocument) {
  const std::string document = ReadFormat("run.md");
  std::vector<std::string> keys;
  CollectKeys(Schema(), &keys);
  EXPECT_GT(keys.size(), 100U);
  for (const std::string& key : keys) {
    EXPECT_TRUE(document.find("`" + key + "`") != std::string::npos ||
                document.find("\"" + key + "\"") != std::string::npos)
        << key;
  }
}

TEST(RunJsonTest, TheDocumentShowsWhatIsPrinted) {
  const auto text =
      ReadFile(std::filesystem::path(EDGEWISE_GOLDEN_DIR) / "run_80.txt");
  ASSERT_TRUE(text.ok()) << text.error().message;
  EXPECT_NE(ReadFormat("run.md").find("```text\n" + *text + "```\n"),
            std::string::npos)
      << "copy golden/run_80.txt into docs/formats/run.md";
}

TEST(RunJsonTest, UnknownIsNull) {
  const Json json = Parse(RunJson(BareRun(), {}));
  for (const char* key : {"wall_s", "max_rss_bytes", "energy_j", "signal",
                          "cpu_percent", "voluntary_switches"}) {
    EXPECT_TRUE(json[key].is_null()) << key;
  }
  EXPECT_EQ(json["exit_code"], 1);
  EXPECT_EQ(json["spans"], Json::array());
}

TEST(RunJsonTest, WhatIsNotFiniteIsNull) {
  RunAnalysis analysis = SampleAnalysis();
  analysis.cpu_percent = std::numeric_limits<double>::quiet_NaN();
  analysis.spans[0].wall_ns.mean = std::numeric_limits<double>::infinity();
  const Json json = Parse(RunJson(SampleRun(), analysis));
  EXPECT_TRUE(json["cpu_percent"].is_null());
  EXPECT_TRUE(json["spans"][0]["mean_ms"].is_null());
}

TEST(RunJsonTest, AnyBytesGiveValidJson) {
  edgewise::Run run = SampleRun();
  RunAnalysis analysis = SampleAnalysis();
  const std::string bytes("\xff\xfe\x00\x1b\"\\\xe6", 7);
  run.command = {bytes};
  run.output_tail = run.label = run.note = bytes;
  run.threads[0].name = bytes;
  run.warnings = {bytes};
  analysis.spans[0].name = bytes;
  analysis.series[0].name = bytes;
  const Json json = Parse(RunJson(run, analysis));
  ExpectFitsSchema(json);
  EXPECT_NE(json["output_tail"].get<std::string>().find("\uFFFD"),
            std::string::npos);
}

TEST(RunJsonTest, InterruptedRunsAreMarked) {
  edgewise::Run run = SampleRun();
  EXPECT_EQ(Parse(RunJson(run, {}))["interrupted"], false);
  run.state = RunState::kInterrupted;
  EXPECT_EQ(Parse(RunJson(run, {}))["interrupted"], true);
}

TEST(RunJsonTest, AGroupHoldsWholeRunsAndASummary) {
  const std::vector<edgewise::Run> runs(2, SampleRun());
  GroupAnalysis group = SampleGroup();
  group.each = {SampleAnalysis(), SampleAnalysis()};
  const Json json = Parse(GroupJson(runs, group));
  ASSERT_EQ(json["runs"].size(), 2U);
  ExpectFitsSchema(json["runs"][1]);
  EXPECT_EQ(json["summary"]["figures"]["wall_s"]["mean"], 30.02);
  EXPECT_TRUE(json["summary"]["figures"]["energy_j"]["low"].is_null());
  EXPECT_EQ(json["summary"]["spans"][0]["name"], "frame");
}

TEST(RunJsonTest, AListHoldsTheDocuments) {
  const std::vector<edgewise::Run> runs{SampleRun(), BareRun()};
  const Json json = Parse(ListJson(runs));
  ASSERT_EQ(json["runs"].size(), 2U);
  EXPECT_EQ(json["runs"][0]["wall_s"], 30.02);
  EXPECT_FALSE(json["runs"][0].contains("spans"));
  EXPECT_EQ(Parse(ListJson({}))["runs"], Json::array());
}

TEST(RunJsonTest, AComparisonHasRatiosAndVerdicts) {
  const Json json = Parse(CompareJson(SampleComparison()));
  EXPECT_EQ(json["totals"][0]["verdict"], "faster");
  EXPECT_EQ(json["totals"][0]["high"], 0.915);
  EXPECT_EQ(json["totals"][3]["verdict"], "insufficient samples");
  EXPECT_TRUE(json["totals"][3]["ratio"].is_null());
  EXPECT_EQ(json["spans"][0]["p99"]["verdict"], "no difference shown");
  EXPECT_EQ(json["a"]["runs"].size(), 5U);
}

}  // namespace
}  // namespace edgewise
