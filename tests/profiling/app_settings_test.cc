#include "profiling/app_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise {
namespace {

using ::testing::ElementsAre;

AppFile App() {
  AppFile app;
  app.name = "counter";
  app.image = "localhost/counter:2";
  app.limits.cpu_cores = 1.5;
  app.limits.devices = {"/dev/null"};
  app.stacks = true;
  AppTarget target;
  target.name = "day";
  target.args = {"{data}/in"};
  target.env = {{"A", "1"}, {"B", "2"}};
  target.timeout_ns = 60 * kNsPerSecond;
  target.data = AppData{"s3://b/p", "", "/inputs"};
  app.targets = {target};
  return app;
}

AppParticulars Particulars(const Engine& engine) {
  AppParticulars particulars;
  particulars.engine = &engine;
  particulars.image_digest = "sha256:1";
  particulars.dataset.emplace();
  particulars.dataset->folder = "/cache/x";
  particulars.dataset->digest = "abc";
  particulars.dataset->source = "s3://b/p";
  return particulars;
}

TEST(AppSettingsTest, AnImageGetsItsDatasetMountedReadOnly) {
  const AppFile app = App();
  const Engine engine;
  const auto settings =
      AppSettings(app, app.targets[0], Particulars(engine), {});
  ASSERT_TRUE(settings.container);
  const ContainerSpec& spec = settings.container->spec;
  EXPECT_THAT(spec.args, ElementsAre("/inputs/in"));
  ASSERT_EQ(spec.mounts.size(), 1);
  EXPECT_EQ(spec.mounts[0].host, "/cache/x");
  EXPECT_EQ(spec.mounts[0].inside, "/inputs");
  EXPECT_TRUE(spec.mounts[0].read_only);
  EXPECT_THAT(spec.limits.devices, ElementsAre("/dev/null"));
}

TEST(AppSettingsTest, TheRunRecordsWhatItWasMadeOf) {
  const AppFile app = App();
  const Engine engine;
  const auto settings =
      AppSettings(app, app.targets[0], Particulars(engine), {});
  EXPECT_EQ(settings.label, "counter/day");
  const std::map<std::string, std::string> expected = {
      {"app", "counter"},
      {"version", "2"},
      {"target", "day"},
      {"image", "localhost/counter:2"},
      {"image_digest", "sha256:1"},
      {"engine", "podman"},
      {"dataset", "s3://b/p"},
      {"dataset_digest", "abc"}};
  EXPECT_EQ(settings.details, expected);
}

TEST(AppSettingsTest, WhatTheCommandLineSaysWins) {
  const AppFile app = App();
  const Engine engine;
  SessionSettings asked;
  asked.conditions.cpu_quota_cores = 0.5;
  asked.conditions.env = {{"B", "3"}};
  asked.conditions.stack_hz = 10;
  asked.label = "mine";
  asked.conditions.timeout_ns = kNsPerSecond;
  const auto settings =
      AppSettings(app, app.targets[0], Particulars(engine), asked);
  EXPECT_EQ(settings.conditions.cpu_quota_cores, 0.5);
  EXPECT_EQ(settings.conditions.env.at("A"), "1");
  EXPECT_EQ(settings.conditions.env.at("B"), "3");
  EXPECT_EQ(settings.conditions.stack_hz, 10);
  EXPECT_EQ(settings.conditions.timeout_ns, kNsPerSecond);
  EXPECT_FALSE(settings.conditions.duration_ns);
  EXPECT_EQ(settings.label, "mine");
}

TEST(AppSettingsTest, ATimeoutOfTheFileIsAPlannedEnd) {
  const AppFile app = App();
  const Engine engine;
  const auto settings =
      AppSettings(app, app.targets[0], Particulars(engine), {});
  EXPECT_EQ(settings.conditions.duration_ns, 60 * kNsPerSecond);
  EXPECT_FALSE(settings.conditions.timeout_ns);
}

TEST(AppSettingsTest, ACommandReadsItsDatasetWhereItIs) {
  AppFile app = App();
  app.image.clear();
  app.command = {"./app", "--fast"};
  app.folder = "/home/me";
  const Engine engine;
  const auto settings =
      AppSettings(app, app.targets[0], Particulars(engine), {});
  EXPECT_FALSE(settings.container);
  EXPECT_THAT(settings.command, ElementsAre("./app", "--fast", "/cache/x/in"));
  EXPECT_EQ(settings.conditions.cwd, "/home/me");
}

}  // namespace
}  // namespace edgewise
