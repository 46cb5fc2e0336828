#include "placement/manifest.h"

#include <gmock/gmock.h>

#include "base/yaml_tree.h"

namespace edgewise {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ManifestTest, ItBindsTheImageToTheNode) {
  Prediction prediction;
  prediction.ms = 41.25;
  prediction.low_ms = 30;
  prediction.high_ms = 60.5;
  const auto manifest = PlacementManifest("mobilenet_v2", "lab/detect:1.2",
                                          "kitchen", prediction);
  ASSERT_TRUE(manifest);
  EXPECT_TRUE(ReadYaml(*manifest, "m.yaml", "manifest"));
  EXPECT_THAT(*manifest, HasSubstr("                      - kitchen\n"));
  EXPECT_THAT(*manifest, HasSubstr("image: \"lab/detect:1.2\"\n"));
  EXPECT_THAT(*manifest, HasSubstr("name: mobilenet-v2\n"));
  EXPECT_THAT(*manifest, HasSubstr("interval-90-ms: \"30 60.5\"\n"));
}

TEST(ManifestTest, WithoutAnIntervalNoneIsClaimed) {
  const auto manifest = PlacementManifest("m", "i", "n", {});
  ASSERT_TRUE(manifest);
  EXPECT_THAT(*manifest, Not(HasSubstr("interval")));
}

TEST(ManifestTest, NamesOfNodesStayTexts) {
  const auto manifest = PlacementManifest("m", "i", "10", {});
  ASSERT_TRUE(manifest);
  EXPECT_THAT(*manifest, HasSubstr("- \"10\"\n"));
}

TEST(ManifestTest, AnImageThatIsNoneIsRefused) {
  for (const char* image : {"", "a b", "x\ny: z", "{a}", "-rf"}) {
    EXPECT_FALSE(PlacementManifest("m", image, "n", {})) << image;
  }
}

TEST(ManifestTest, WorkloadsHaveNamesThatKubernetesTakes) {
  EXPECT_EQ(WorkloadName("YOLO v5.onnx"), "yolo-v5-onnx");
  EXPECT_EQ(WorkloadName("__"), "network");
  EXPECT_EQ(WorkloadName(std::string(100, 'a')), std::string(63, 'a'));
}

}  // namespace
}  // namespace edgewise
