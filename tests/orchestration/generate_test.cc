#include "orchestration/generate.h"

#include <gtest/gtest.h>

#include "orchestration/explain.h"
#include "orchestration/instance_files.h"
#include "orchestration/pressure_model.h"

namespace edgewise::orchestration {
namespace {

TEST(GenerateTest, FifteenRequestsAServerUnlessToldOtherwise) {
  EXPECT_EQ(ParseGenerate("servers=7")->requests, 105);
  const auto all =
      ParseGenerate("servers=3,requests=9,memory=8GiB,low_rank=0.25,seed=5");
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->servers, 3);
  EXPECT_EQ(all->requests, 9);
  EXPECT_EQ(all->memory_bytes, int64_t{8} << 30);
  EXPECT_EQ(all->seed, 5U);
}

TEST(GenerateTest, WhatIsWrongIsQuoted) {
  for (const char* text :
       {"servers=0", "servers=x", "low_rank=2", "low_rank=nan", "memory=-1",
        "seed=-1", "memory=64TiB", "colour=red", "servers",
        "servers=10000,requests=1000000"}) {
    const auto parsed = ParseGenerate(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_NE(parsed.error().message.find("--generate"), std::string::npos);
  }
}

TEST(GenerateTest, TheSameSeedMakesTheSameInstance) {
  const PressureModel model(AssumedPressures());
  GenerateSettings settings;
  const std::string once = WriteRequests(Generate(settings, model).requests);
  EXPECT_EQ(WriteRequests(Generate(settings, model).requests), once);
  settings.seed = 2;
  EXPECT_NE(WriteRequests(Generate(settings, model).requests), once);
}

TEST(GenerateTest, SomeServerCouldHoldEveryRequest) {
  const PressureModel model(AssumedPressures());
  for (const char* text :
       {"servers=10,seed=3", "servers=4,low_rank=1,seed=3",
        "servers=4,memory=600MiB,seed=4", "servers=20,seed=5"}) {
    const Instance instance = Generate(*ParseGenerate(text), model);
    const auto problem = Problem::Make(instance, model, 0.9);
    ASSERT_TRUE(problem.ok());
    const auto fits = CheckEachFits(*problem);
    EXPECT_TRUE(fits.ok()) << text << ": " << fits.error().message;
  }
}

}  // namespace
}  // namespace edgewise::orchestration
