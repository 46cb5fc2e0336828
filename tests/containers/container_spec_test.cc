#include "containers/container_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"

namespace edgewise {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ContainerSpec Spec() {
  ContainerSpec spec;
  spec.name = "edgewise-abc";
  spec.image = "localhost/app:1";
  spec.args = {"-object", "car"};
  return spec;
}

TEST(ContainerSpecTest, OptionsComeBeforeTheImageAndArgumentsAfterIt) {
  ContainerSpec spec = Spec();
  spec.engine_args = {"-v", "./a:/b:ro"};
  const auto words = CreateWords({}, spec);
  EXPECT_EQ(words.front(), "create");
  EXPECT_THAT(Join(words, " "),
              testing::EndsWith("-v ./a:/b:ro localhost/app:1 -object car"));
}

TEST(ContainerSpecTest, TheImagesOwnEntrypointIsKeptAndNothingIsPulled) {
  const std::string line = Join(CreateWords({}, Spec()), " ");
  EXPECT_THAT(line, Not(HasSubstr("--entrypoint")));
  EXPECT_THAT(line, HasSubstr("--pull never"));
}

TEST(ContainerSpecTest, LimitsMountsAndLabelsAreTheEnginesWords) {
  ContainerSpec spec = Spec();
  spec.limits.cpu_cores = 1.5;
  spec.limits.memory_bytes = 512 << 20;
  spec.limits.cores = {0, 1, 3};
  spec.limits.devices = {"/dev/video0"};
  spec.mounts = {{"/data folder", "/data", true}, {"/s", "/run/edgewise"}};
  spec.labels = {{"edgewise.run", "abc"}};
  spec.env = {{"A", "b c"}};
  spec.cgroup_parent = "/edgewise-abc";
  const std::string line = ShellQuote(CreateWords({}, spec));
  for (const char* part :
       {"--cpus 1.5", "--memory 536870912", "--cpuset-cpus 0-1,3",
        "--device /dev/video0",
        "--mount 'type=bind,source=/data folder,target=/data,readonly'",
        "--mount type=bind,source=/s,target=/run/edgewise ",
        "--label edgewise.run=abc", "--env 'A=b c'",
        "--cgroup-parent /edgewise-abc"}) {
    EXPECT_THAT(line, HasSubstr(part));
  }
}

TEST(ContainerSpecTest, TheUsersOwnNetworkWins) {
  ContainerSpec spec = Spec();
  spec.network = "container:edgewise-def";
  EXPECT_THAT(Join(CreateWords({}, spec), " "),
              HasSubstr("--network container:edgewise-def"));
  spec.engine_args = {"--network=none"};
  EXPECT_THAT(Join(CreateWords({}, spec), " "), Not(HasSubstr("container:")));
}

}  // namespace
}  // namespace edgewise
