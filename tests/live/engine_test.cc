#include "live/engine.h"

#include <gtest/gtest.h>

#include <fstream>

namespace edgewise::live {
namespace {

const std::string kId(64, 'b');

class EngineTest : public testing::Test {
 protected:
  EngineTest() {
    char folder[] = "/tmp/edgewise-engine-XXXXXX";
    EXPECT_NE(mkdtemp(folder), nullptr);
    root_ = folder;
  }
  ~EngineTest() override { std::filesystem::remove_all(root_); }
  void Write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  std::filesystem::path root_;
};

TEST_F(EngineTest, UnknownContainersHaveNoNames) {
  EXPECT_TRUE(FindEngineNames(kId, root_).empty());
}

TEST_F(EngineTest, ContainerdTellsPodAndContainer) {
  Write("run/containerd/io.containerd.runtime.v2.task/k8s.io/" + kId +
            "/config.json",
        R"({"annotations": {"io.kubernetes.cri.container-name": "tracker",
            "io.kubernetes.cri.sandbox-name": "tracker-x7",
            "io.kubernetes.cri.sandbox-namespace": "cars"}})");
  const EngineNames names = FindEngineNames(kId, root_);
  EXPECT_EQ(names.container, "tracker");
  EXPECT_EQ(names.pod, "cars/tracker-x7");
}

TEST_F(EngineTest, DockerTellsItsName) {
  Write("var/lib/docker/containers/" + kId + "/config.v2.json",
        R"({"Name": "/tracker", "Config": {"Labels": {}}})");
  EXPECT_EQ(FindEngineNames(kId, root_).container, "tracker");
}

TEST_F(EngineTest, PodmanTellsItsName) {
  Write("var/lib/containers/storage/overlay-containers/containers.json",
        R"([{"id": "other", "names": ["no"]}, {"id": ")" + kId +
            R"(", "names": ["tracker"]}])");
  EXPECT_EQ(FindEngineNames(kId, root_).container, "tracker");
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
