#include "appfile/app_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace edgewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kWhole[] = R"(
name: object-counter
image: localhost/object-counter:1.2
args: ["-stream", "{data}/top_live", "-object", "car"]
engine: podman
engine_args: ["-v", "./data-config.json:/run/waggle/data-config.json:ro"]
data: {source: "s3://bucket/prefix"}
env: {OMP_NUM_THREADS: "1"}
ready: {log: "model loaded"}
needs:
  - {name: playback, image: localhost/playback:1, ready: {port: 8554}}
network: {rate: 10mbit, delay: 20ms}
limits: {cpu: 1500m, memory: 512Mi, cores: "0", devices: [/dev/null]}
timeout: 120s
metrics: [system, stacks, gpu-summary]
targets:
  - {name: day, args: [-day, "{data}"], timeout: 60s, env: {LIGHT: on}}
  - {name: night}
)";

std::string ProblemOf(const std::string& yaml) {
  const auto app = ReadAppFile(yaml, "app.yaml");
  return app ? "" : app.error().message;
}

TEST(AppFileTest, AllKeysAreRead) {
  const auto app = ReadAppFile(kWhole, "app.yaml");
  ASSERT_TRUE(app) << app.error().message;
  EXPECT_EQ(app->name, "object-counter");
  EXPECT_EQ(app->image, "localhost/object-counter:1.2");
  EXPECT_EQ(app->Version(), "1.2");
  EXPECT_EQ(app->engine, EngineChoice::kPodman);
  EXPECT_EQ(app->engine_args.size(), 2);
  ASSERT_TRUE(app->ready);
  EXPECT_EQ(app->ready->log, "model loaded");
  ASSERT_EQ(app->needs.size(), 1);
  EXPECT_EQ(app->needs[0].ready->port, 8554);
  EXPECT_EQ(app->network.delay_ns, 20'000'000);
  EXPECT_EQ(app->network.rate_bits_per_s, 10'000'000);
  EXPECT_EQ(app->limits.cpu_cores, 1.5);
  EXPECT_EQ(app->limits.memory_bytes, 512 << 20);
  EXPECT_THAT(app->limits.cores, ElementsAre(0));
  EXPECT_THAT(app->limits.devices, ElementsAre("/dev/null"));
  EXPECT_TRUE(app->stacks);
  EXPECT_TRUE(app->gpu_summary);
}

TEST(AppFileTest, TargetsHaveWhatTheFileSaysForAllUnlessTheySayOtherwise) {
  const auto app = ReadAppFile(kWhole, "app.yaml");
  ASSERT_TRUE(app) << app.error().message;
  ASSERT_EQ(app->targets.size(), 2);
  const AppTarget& day = app->targets[0];
  EXPECT_THAT(day.args, ElementsAre("-day", "{data}"));
  EXPECT_EQ(day.timeout_ns, 60 * kNsPerSecond);
  EXPECT_EQ(day.env.at("LIGHT"), "on");
  EXPECT_EQ(day.env.at("OMP_NUM_THREADS"), "1");
  const AppTarget& night = app->targets[1];
  EXPECT_EQ(night.args.size(), 4);
  EXPECT_EQ(night.timeout_ns, 120 * kNsPerSecond);
  EXPECT_EQ(night.env.count("LIGHT"), 0);
  EXPECT_EQ(night.data->source, "s3://bucket/prefix");
  EXPECT_THAT(WithData(night.args, "/data"),
              ElementsAre("-stream", "/data/top_live", "-object", "car"));
}

TEST(AppFileTest, ACommandNeedsNoTargets) {
  const auto app =
      ReadAppFile("name: a\ncommand: ./app --flag 'two words'\n", "app.yaml");
  ASSERT_TRUE(app) << app.error().message;
  EXPECT_THAT(app->command, ElementsAre("./app", "--flag", "two words"));
  ASSERT_EQ(app->targets.size(), 1);
  EXPECT_EQ(app->targets[0].name, "");
  EXPECT_FALSE(app->targets[0].timeout_ns);
  EXPECT_EQ(app->Version(), "");
}

TEST(AppFileTest, TheRepositorysFormIsReadAmidOtherKeys) {
  const auto app = ReadAppFile(R"(
name: plugin-objectcounter
version: 0.3.0
description: counts
source: {architectures: [linux/arm64], url: "https://example.org"}
profiling:
  targets:
    - {args: "-stream top_live -object car", timeout: 20}
    - {args: [-object, person], timeout: 0}
  metrics: ['system', 'gpu-summary']
  dataset: s3://bucket/prefix
)",
                               "sage.yaml");
  ASSERT_TRUE(app) << app.error().message;
  EXPECT_EQ(app->Version(), "0.3.0");
  ASSERT_EQ(app->targets.size(), 2);
  EXPECT_EQ(app->targets[0].name, "1");
  EXPECT_EQ(app->targets[0].args.size(), 4);
  EXPECT_EQ(app->targets[0].timeout_ns, 20 * kNsPerSecond);
  EXPECT_EQ(app->targets[0].data->source, "s3://bucket/prefix");
  EXPECT_FALSE(app->targets[1].timeout_ns);
  EXPECT_TRUE(app->gpu_summary);
  EXPECT_THAT(CheckRunnable(*app, "sage.yaml").error().message,
              HasSubstr("--image"));
}

TEST(AppFileTest, UnknownKeysAreNamedWithTheNearest) {
  EXPECT_EQ(ProblemOf("name: a\nimage: b\ntimeuot: 5s\n"),
            "app.yaml:3: there is no key `timeuot` in an app file; did you "
            "mean `timeout`?");
  EXPECT_THAT(ProblemOf("name: a\nimage: b\nready: {prot: 5}\n"),
              HasSubstr("did you mean `port`?"));
  EXPECT_THAT(ProblemOf("name: a\nprofiling: {target: []}\n"),
              HasSubstr("did you mean `targets`?"));
  EXPECT_THAT(ProblemOf("name: a\nimage: b\nmetrics: [stakcs]\n"),
              HasSubstr("did you mean `stacks`?"));
}

TEST(AppFileTest, WhatCannotWorkIsRefused) {
  EXPECT_THAT(ProblemOf("name: a\n"), HasSubstr("either `image` or `command`"));
  EXPECT_THAT(ProblemOf("image: a\n"), HasSubstr("needs a `name`"));
  EXPECT_THAT(ProblemOf("name: a\nimage: b\ncommand: c\n"),
              HasSubstr("either `image` or `command`"));
  EXPECT_THAT(ProblemOf("name: a\nimage: --privileged\n"),
              HasSubstr("must be a container image"));
  EXPECT_THAT(ProblemOf("name: a\nimage: b\ntimeout: 0\n"),
              HasSubstr("leave it out for none"));
  EXPECT_THAT(ProblemOf("name: a\nimage: b\nready: {log: x, port: 1}\n"),
              HasSubstr("one of"));
  EXPECT_THAT(ProblemOf("name: a\nimage: b\nengine: lxc\n"),
              HasSubstr("auto, podman or docker"));
  EXPECT_THAT(ProblemOf("name: a\nimage: b\nargs: ['{data}']\n"),
              HasSubstr("no `data`"));
  EXPECT_THAT(ProblemOf("name: a\nimage: b\ndata: {source: x, sha256: 12}\n"),
              HasSubstr("64 hexadecimal digits"));
  EXPECT_THAT(
      ProblemOf("name: a\nimage: b\nneeds: [{name: c, image: d, command: e}]"),
      HasSubstr("either `image` or `command`"));
  EXPECT_THAT(ProblemOf("name: a\nimage: b\ntargets: [{name: c}, {name: c}]"),
              HasSubstr("there twice"));
  EXPECT_THAT(ProblemOf("name: a\nimage: b\nnetwork: {rate: fast}\n"),
              HasSubstr("network"));
}

TEST(AppFileTest, TheVersionIsTheTagAndNotThePortOfARegistry) {
  AppFile app;
  app.image = "registry.local:5000/counter";
  EXPECT_EQ(app.Version(), "");
  app.image = "registry.local:5000/counter:2@sha256:abc";
  EXPECT_EQ(app.Version(), "2");
}

}  // namespace
}  // namespace edgewise
