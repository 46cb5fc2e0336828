#include "live/engine.h"

#include <gtest/gtest.h>

#include "../probes/fake_tree.h"

namespace edgewise::live {
namespace {

const std::string kId(64, 'b');

class EngineTest : public testing::Test {
 protected:
  FakeTree machine_;
};

TEST_F(EngineTest, UnknownContainersHaveNoNames) {
  EXPECT_TRUE(FindEngineNames(kId, machine_.root()).empty());
}

TEST_F(EngineTest, ContainerdTellsPodAndContainer) {
  machine_.Write(
      "run/containerd/io.containerd.runtime.v2.task/k8s.io/" + kId +
          "/config.json",
      R"({"annotations": {"io.kubernetes.cri.container-name": "tracker",
            "io.kubernetes.cri.sandbox-name": "tracker-x7",
            "io.kubernetes.cri.sandbox-namespace": "cars"}})");
  const EngineNames names = FindEngineNames(kId, machine_.root());
  EXPECT_EQ(names.container, "tracker");
  EXPECT_EQ(names.pod, "cars/tracker-x7");
}

TEST_F(EngineTest, DockerTellsItsName) {
  machine_.Write("var/lib/docker/containers/" + kId + "/config.v2.json",
                 R"({"Name": "/tracker", "Config": {"Labels": {}}})");
  EXPECT_EQ(FindEngineNames(kId, machine_.root()).container, "tracker");
}

TEST_F(EngineTest, PodmanTellsItsName) {
  machine_.Write(
      "var/lib/containers/storage/overlay-containers/containers.json",
      R"([{"id": "other", "names": ["no"]}, {"id": ")" + kId +
          R"(", "names": ["tracker"]}])");
  EXPECT_EQ(FindEngineNames(kId, machine_.root()).container, "tracker");
}

TEST(EngineFilesTest, RubbishHasNoNames) {
  for (const char* text :
       {"", "{", "[]", "1", R"({"annotations": 3})", R"({"Name": 7})",
        R"([{"id": 1, "names": "x"}])", R"([[[[]]]])"}) {
    EXPECT_TRUE(ParseOciConfig(text).empty()) << text;
    EXPECT_TRUE(ParseDockerConfig(text).empty()) << text;
    EXPECT_TRUE(ParseContainerList(text, kId).empty()) << text;
  }
}

}  // namespace
}  // namespace edgewise::live
