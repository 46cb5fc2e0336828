#include <gtest/gtest.h>

#include <set>

#include "load/checksum.h"
#include "models/architectures.h"
#include "onnx/read_model.h"

namespace edgewise::apps {
namespace {

TEST(ArchitecturesTest, EveryOneIsAnOnnxFileWithOneInput) {
  for (const Architecture& one : Architectures()) {
    const std::string bytes = one.build(1);
    const auto model = onnx::ReadModel(bytes, one.name);
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ(model->inputs.size(), 1U) << one.name;
    EXPECT_EQ(model->opset, 10) << one.name;
  }
}

TEST(ArchitecturesTest, AModelSaysWhatItIsMadeOf) {
  const std::string bytes = BuildMlp(1);
  const auto model = onnx::ReadModel(bytes, "mlp");
  ASSERT_TRUE(model);
  std::set<std::string_view> operators;
  for (const onnx::Node& node : model->nodes) {
    operators.insert(node.op);
  }
  EXPECT_EQ(operators, (std::set<std::string_view>{"Gemm", "Relu"}));
  EXPECT_EQ(model->inputs[0].name, "input");
  EXPECT_EQ(model->inputs[0].dims,
            (std::vector<std::optional<int64_t>>{1, 784}));
}

TEST(ArchitecturesTest, WeightsAreTheSameOnEveryMachine) {
  const std::string bytes = BuildMlp(1);
  Checksum checksum;
  checksum.AddBytes(bytes.data(), bytes.size());
  EXPECT_EQ(FormatChecksum(checksum.value()), "a75c52b4");
  EXPECT_NE(BuildMlp(2), bytes);
}

}  // namespace
}  // namespace edgewise::apps
