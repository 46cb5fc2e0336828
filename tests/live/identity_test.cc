#include "live/identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise::live {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

const std::string kId(64, 'a');

TEST(ParseIdentityTest, ReadsWhatAProcessSays) {
  const ClaimedIdentity claimed = ParseIdentity(
      "detached_ns=123\napp=car-tracker\ninstance=north\nlabels=site=7,team=a");
  EXPECT_EQ(claimed.app, "car-tracker");
  EXPECT_EQ(claimed.instance, "north");
  EXPECT_EQ(claimed.detached_ns, 123);
  EXPECT_THAT(claimed.labels,
              ElementsAre(Pair("site", "7"), Pair("team", "a")));
}

TEST(ParseIdentityTest, LeavesOutWhatMakesNoSense) {
  const ClaimedIdentity claimed =
      ParseIdentity("nonsense\n=\napp\ndetached_ns=soon\n\n");
  EXPECT_EQ(claimed.app, "");
  EXPECT_FALSE(claimed.detached_ns.has_value());
}

TEST(ParseIdentityTest, CutsLongNamesBetweenCharacters) {
  const ClaimedIdentity claimed =
      ParseIdentity("app=" + std::string(62, 'x') + "\xC3\xA4\xC3\xA4");
  EXPECT_EQ(claimed.app, std::string(62, 'x'));
}

TEST(ParseLabelsTest, RefusesKeysThatPrometheusOrWeUse) {
  EXPECT_THAT(ParseLabels("1a=x,app=evil,le=1,__x=2,a-b=3,=4,good=yes,good=no"),
              ElementsAre(Pair("good", "yes")));
}

TEST(ParseLabelsTest, TakesNoMoreThanSixteen) {
  std::string text;
  for (int i = 0; i < 40; ++i) {
    text += "k" + std::to_string(i) + "=v,";
  }
  EXPECT_EQ(ParseLabels(text).size(), 16u);
}

TEST(ParseContainerIdsTest, KnowsTheEngines) {
  const struct {
    std::string path;
    std::string pod;
  } cases[] = {
      {"/docker/" + kId, ""},
      {"/system.slice/docker-" + kId + ".scope", ""},
      {"/machine.slice/libpod-" + kId + ".scope/container", ""},
      {"/libpod_parent/libpod-" + kId, ""},
      {"/kubepods/burstable/pod01234567-89ab-cdef-0123-456789abcdef/" + kId,
       "01234567-89ab-cdef-0123-456789abcdef"},
      {"/kubepods.slice/kubepods-burstable.slice/"
       "kubepods-burstable-pod01234567_89ab_cdef_0123_456789abcdef.slice/"
       "cri-containerd-" +
           kId + ".scope",
       "01234567-89ab-cdef-0123-456789abcdef"},
      {"/kubepods.slice/kubepods-pod01234567_89ab_cdef_0123_456789abcdef.slice/"
       "crio-" +
           kId + ".scope",
       "01234567-89ab-cdef-0123-456789abcdef"}};
  for (const auto& each : cases) {
    const ContainerIds ids = ParseContainerIds("0::" + each.path + "\n");
    EXPECT_EQ(ids.container, kId) << each.path;
    EXPECT_EQ(ids.pod, each.pod) << each.path;
  }
}

TEST(ParseContainerIdsTest, LooksAtHybridTreesToo) {
  const ContainerIds ids = ParseContainerIds("12:cpu,cpuacct:/docker/" + kId +
                                             "\n1:name=systemd:/\n0::/\n");
  EXPECT_EQ(ids.container, kId);
}

TEST(ParseContainerIdsTest, OthersHaveNone) {
  for (const std::string path :
       {"0::/user.slice/user-1000.slice/session-3.scope", "0::/", "", "rubbish",
        "0::/x/deadbeef"}) {
    EXPECT_EQ(ParseContainerIds(path).container, "") << path;
  }
  EXPECT_EQ(
      ParseContainerIds("0::/libpod_parent/libpod-conmon-" + kId).container,
      "");
}

TEST(NameFromCommandTest, TakesTheScriptOfAnInterpreter) {
  using namespace std::string_literals;
  EXPECT_EQ(NameFromCommand("/usr/bin/python3.11\0-u\0/app/car_tracker.py\0x"s),
            "car_tracker");
  EXPECT_EQ(NameFromCommand("python3\0-m\0waggle.app\0"s), "waggle.app");
  EXPECT_EQ(NameFromCommand("python3\0-c\0print(1)\0"s), "python3");
  EXPECT_EQ(NameFromCommand("/opt/app/detector\0--fast\0"s), "detector");
  EXPECT_EQ(NameFromCommand(""), "");
}

}  // namespace
}  // namespace edgewise::live
