#include "tenants/deployment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "sessions/settings.h"
#include "tenants/scratch_folder.h"

namespace edgewise::tenants {
namespace {

using testing::HasSubstr;

Tenant Gcn() { return NineTenants().front(); }

Placed OnFirstCore() {
  Placed placed;
  placed.server.name = "left";
  placed.server.cpus = {UsableCpus().front()};
  placed.deployment.id = "r0001";
  placed.deployment.shares.push_back({Gcn(), 1, 10, std::nullopt});
  return placed;
}

std::string Refusal(const std::vector<Placed>& placed) {
  DeployConditions conditions;
  conditions.tenant_program = "/proc/self/exe";
  const Result<void> checked = CheckDeployments(placed, conditions);
  return checked ? "" : checked.error().message;
}

TEST(CheckDeploymentsTest, WhatCanWorkIsTaken) {
  EXPECT_EQ(Refusal({OnFirstCore()}), "");
}

TEST(CheckDeploymentsTest, RatesThatAreNoneAreRefused) {
  for (const double rate : {0.0, -1.0, 1e-12, std::nan(""), 1e9}) {
    Placed placed = OnFirstCore();
    placed.deployment.shares.front().rate_per_s = rate;
    EXPECT_THAT(Refusal({placed}), HasSubstr("gcn: a rate of")) << rate;
  }
}

TEST(CheckDeploymentsTest, CommandsThatAreNotThereAreRefused) {
  Placed placed = OnFirstCore();
  Tenant& tenant = placed.deployment.shares.front().tenant;
  tenant.name = "mine";
  tenant.service.clear();
  tenant.asking = Asking::kLines;
  tenant.command = {"/no/such", "--fast"};
  EXPECT_THAT(Refusal({placed}), HasSubstr("mine: \"/no/such\" was not found"));
  tenant.command = {"sh"};
  EXPECT_EQ(Refusal({placed}), "");
  tenant.env["PATH"] = "/nowhere";
  EXPECT_THAT(Refusal({placed}), HasSubstr("mine: \"sh\" was not found"));
}

TEST(CheckDeploymentsTest, MemoryThatIsNotThereIsRefused) {
  Placed placed = OnFirstCore();
  placed.server.memory_bytes = Gcn().memory_bytes - 1;
  EXPECT_THAT(Refusal({placed}), HasSubstr("gcn needs"));
  placed.server.memory_bytes = Gcn().memory_bytes;
  EXPECT_EQ(Refusal({placed}), "");
  placed.deployment.shares.front().replicas = 2;
  EXPECT_THAT(Refusal({placed}), HasSubstr("deployment r0001 needs"));
}

TEST(CheckDeploymentsTest, ServersMustNotShareCores) {
  Placed other = OnFirstCore();
  other.server.name = "right";
  EXPECT_THAT(Refusal({OnFirstCore(), other}),
              HasSubstr("belongs to another server already"));
}

TEST(CheckDeploymentsTest, CoresThatAreNotThereAreRefused) {
  Placed placed = OnFirstCore();
  placed.server.cpus = {4000};
  EXPECT_THAT(Refusal({placed}), HasSubstr("core 4000 is not there"));
}

TEST(CheckDeploymentsTest, TenantsStandThereOnce) {
  Placed placed = OnFirstCore();
  placed.deployment.shares.push_back(placed.deployment.shares.front());
  EXPECT_THAT(Refusal({placed}), HasSubstr("gcn is twice in deployment"));
  placed.deployment.shares.clear();
  EXPECT_THAT(Refusal({placed}), HasSubstr("has no tenants"));
  EXPECT_THAT(Refusal({}), HasSubstr("nothing to deploy"));
}

TEST(CheckDeploymentsTest, TheProgramMustBeThere) {
  DeployConditions conditions;
  conditions.tenant_program = "/nowhere/tenant";
  EXPECT_THAT(CheckDeployments({OnFirstCore()}, conditions).error().message,
              HasSubstr("is not there"));
}

TEST(ScratchFolderTest, GoesWithItsOwnerAndTakesThoseOfTheDeadAlong) {
  std::string root =
      (std::filesystem::temp_directory_path() / "scratch-XXXXXX").string();
  ASSERT_NE(::mkdtemp(root.data()), nullptr);
  // No process has this number: it is beyond what kernels give.
  const auto stale =
      std::filesystem::path(root) / "edgewise-tenants-1073741824-abcdef";
  std::filesystem::create_directory(stale);
  std::filesystem::path path;
  {
    const auto folder = ScratchFolder::Make(root);
    ASSERT_TRUE(folder);
    path = folder->path();
    std::ofstream(path / "0.csv") << "x";
    EXPECT_TRUE(std::filesystem::exists(path));
    EXPECT_FALSE(std::filesystem::exists(stale));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace edgewise::tenants
