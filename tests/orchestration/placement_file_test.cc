#include "orchestration/placement_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/yaml_tree.h"
#include "orchestration/baselines.h"
#include "orchestration/generate.h"
#include "orchestration/pressure_model.h"

namespace edgewise::orchestration {
namespace {

using testing::HasSubstr;

class PlacementFileTest : public testing::Test {
 protected:
  const PressureModel model_{AssumedPressures()};
  Instance instance_ = Generate({}, model_);
};

TEST_F(PlacementFileTest, WhatIsWrittenIsReadBack) {
  const auto problem = Problem::Make(instance_, model_, 0.9);
  OptimiseAnswer answer;
  answer.assignment =
      AssignmentOf(*problem, PlaceBy(Baseline::kBestFit, *problem));
  const auto read =
      ReadPlacement(WritePlacement(*problem, answer), "p.yaml", instance_);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, answer.assignment);
}

TEST_F(PlacementFileTest, LargePlacementsAreReadBack) {
  GenerateSettings settings;
  settings.requests = 15'000;
  const Instance large = Generate(settings, model_);
  std::string yaml = "placed:\n";
  for (const Request& request : large.requests) {
    yaml += "  - {request: " + request.name + ", server: server1}\n";
  }
  const auto read = ReadPlacement(yaml, "p.yaml", large);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->back(), size_t{0});
}

TEST_F(PlacementFileTest, ServersThatAreGoneLeaveRequestsNowhere) {
  const auto read = ReadPlacement(
      "placed:\n  - {request: request1, server: gone}\n"
      "  - {request: request2, server: server2}\n",
      "p.yaml", instance_);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ((*read)[0], std::nullopt);
  EXPECT_EQ((*read)[1], size_t{1});
}

TEST_F(PlacementFileTest, ManifestsBindReplicasAndMemoryToTheServer) {
  Request& request = instance_.requests[0];
  request.image = "registry.local/app:1";
  request.replicas = 3;
  request.memory_bytes = (int64_t{100} << 20) + 1;
  const auto problem = Problem::Make(instance_, model_, 0.9);
  Assignment assignment(instance_.requests.size());
  assignment[0] = 4;
  const auto yaml = Manifests(*problem, assignment, {});
  ASSERT_TRUE(yaml.ok()) << yaml.error().message;
  EXPECT_TRUE(ReadYaml(*yaml, "m.yaml", "manifest").ok());
  EXPECT_THAT(*yaml, HasSubstr("replicas: 3\n"));
  EXPECT_THAT(*yaml, HasSubstr("- server5\n"));
  EXPECT_THAT(*yaml, HasSubstr("memory: 101Mi\n"));
  EXPECT_THAT(*yaml, HasSubstr("nodeAffinity"));
}

TEST_F(PlacementFileTest, ManifestsTakeWhatCardsSay) {
  Request& request = instance_.requests[0];
  request.image = "registry.local/app:1";
  const auto problem = Problem::Make(instance_, model_, 0.9);
  Assignment assignment(instance_.requests.size());
  assignment[0] = 4;
  AppNeeds needs;
  needs.cpu_cores = 0.35;
  needs.memory_bytes = int64_t{210} << 20;
  needs.most_cpu_cores = 0.5;
  needs.most_memory_bytes = int64_t{256} << 20;
  const auto yaml = Manifests(*problem, assignment, {{request.app, needs}});
  ASSERT_TRUE(yaml.ok()) << yaml.error().message;
  EXPECT_THAT(*yaml, HasSubstr("            requests:\n"
                               "              cpu: 350m\n"
                               "              memory: 210Mi\n"
                               "            limits:\n"
                               "              cpu: 500m\n"
                               "              memory: 256Mi\n"));
}

TEST_F(PlacementFileTest, PodsSayWhatASchedulerAsksFor) {
  Request& request = instance_.requests[0];
  request.image = "registry.local/app:1";
  request.rate_per_s = 2.5;
  request.sla = {0.95, 80'000'000};
  const auto problem = Problem::Make(instance_, model_, 0.9);
  Assignment assignment(instance_.requests.size());
  assignment[0] = 4;
  const auto yaml = Manifests(*problem, assignment, {});
  ASSERT_TRUE(yaml.ok()) << yaml.error().message;
  EXPECT_THAT(*yaml, HasSubstr("      annotations:\n        edgewise/app: "));
  EXPECT_THAT(*yaml, HasSubstr("        edgewise/rate: \"2.5\"\n"
                               "        edgewise/promise: \"p95 within 80 "
                               "ms\"\n"));
}

TEST_F(PlacementFileTest, ARequestWithoutAnImageHasNoManifest) {
  const auto problem = Problem::Make(instance_, model_, 0.9);
  Assignment assignment(instance_.requests.size());
  assignment[0] = 4;
  const auto yaml = Manifests(*problem, assignment, {});
  ASSERT_FALSE(yaml.ok());
  EXPECT_THAT(yaml.error().message, HasSubstr("request1"));
}

}  // namespace
}  // namespace edgewise::orchestration
