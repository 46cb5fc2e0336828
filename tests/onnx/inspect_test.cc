#include "onnx/inspect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx/read_model.h"
#include "onnx_file.h"

namespace edgewise::onnx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using Ints = std::vector<int64_t>;

Inspection InspectFile(const OnnxFile& file) {
  const std::string bytes = file.Bytes();
  const auto model = ReadModel(bytes, "m.onnx");
  EXPECT_TRUE(model);
  const auto facts = InferShapes(*model, {});
  EXPECT_TRUE(facts) << (facts ? "" : facts.error().message);
  return Inspect(*model, *facts);
}

OnnxFile Picture() {
  OnnxFile file;
  file.Input("x", {int64_t{1}, int64_t{4}, int64_t{8}, int64_t{8}});
  return file;
}

TEST(InspectTest, ConvolutionsCostWhatTheirWindowsSay) {
  const Inspection said = InspectFile(Picture()
                                          .Weight("w", {6, 4, 3, 3})
                                          .Weight("b", {6})
                                          .Node("Conv", {"x", "w", "b"}, {"y"})
                                          .Output("y"));
  EXPECT_EQ(said.macs, 6 * 6 * 6 * 4 * 9);
  ASSERT_EQ(said.nodes.size(), 1U);
  EXPECT_EQ(said.nodes[0].cost.parameters, 6 * 4 * 9 + 6);
  EXPECT_EQ(said.nodes[0].cost.weight_bytes, 4 * (6 * 4 * 9 + 6));
  EXPECT_EQ(said.nodes[0].cost.in_bytes, 4 * 4 * 64);
  EXPECT_EQ(said.nodes[0].cost.out_bytes, 4 * 6 * 36);
  EXPECT_THAT(said.nodes[0].kernel, ElementsAre(3, 3));
  EXPECT_EQ(said.depthwise_share, 0);
  EXPECT_EQ(said.precision, "fp32");
}

TEST(InspectTest, DepthwiseConvolutionsAreToldApart) {
  const Inspection said =
      InspectFile(Picture()
                      .Weight("w", {4, 1, 3, 3})
                      .Weight("p", {4, 4, 1, 1})
                      .Node("Conv", {"x", "w"}, {"d"},
                            {{"group", int64_t{4}}, {"pads", Ints{1, 1, 1, 1}}})
                      .Node("Conv", {"d", "p"}, {"y"})
                      .Output("y"));
  EXPECT_EQ(said.macs, 64 * 4 * 9 + 64 * 4 * 4);
  EXPECT_DOUBLE_EQ(*said.depthwise_share, 9.0 / 13);
}

TEST(InspectTest, ProductsTransposedConvolutionsAndCellsHaveTheirMacs) {
  OnnxFile file;
  file.Input("x", {int64_t{5}, int64_t{1}, int64_t{3}})
      .Weight("w", {1, 16, 3})
      .Weight("r", {1, 16, 4})
      .Weight("g", {4, 7})
      .Node("LSTM", {"x", "w", "r"}, {"cells"})
      .Ints("flat", {5, 4})
      .Node("Reshape", {"cells", "flat"}, {"rows"})
      .Node("Gemm", {"rows", "g"}, {"y"})
      .Output("y");
  const Inspection said = InspectFile(file);
  EXPECT_EQ(said.macs, 5 * (16 * 3 + 16 * 4) + 5 * 4 * 7);
  EXPECT_EQ(InspectFile(Picture()
                            .Weight("w", {4, 2, 2, 2})
                            .Node("ConvTranspose", {"x", "w"}, {"y"}))
                .macs,
            4 * 64 * 2 * 4);
}

TEST(InspectTest, AttentionIsFoundAroundSoftmax) {
  OnnxFile file;
  file.Input("x", {int64_t{10}, int64_t{8}})
      .Weight("wq", {8, 8})
      .Floats("s", {0.5F})
      .Node("MatMul", {"x", "wq"}, {"q"})
      .Node("Transpose", {"q"}, {"k"})
      .Node("MatMul", {"q", "k"}, {"scores"})
      .Node("Mul", {"scores", "s"}, {"scaled"})
      .Node("Softmax", {"scaled"}, {"weights"})
      .Node("MatMul", {"weights", "q"}, {"y"})
      .Output("y");
  const Inspection said = InspectFile(file);
  EXPECT_EQ(said.macs, 10 * 8 * 8 + 2 * 10 * 10 * 8);
  EXPECT_DOUBLE_EQ(*said.attention_share, 1600.0 / 2240);
  EXPECT_FALSE(said.nodes[0].attention);
  EXPECT_TRUE(said.nodes[2].attention);
}

TEST(InspectTest, WhatCanBeWorkedOutBeforehandIsFree) {
  const Inspection said =
      InspectFile(Picture()
                      .Weight("w", {6, 4}, ElementType::kInt8)
                      .Floats("s", {0.1F})
                      .Node("DequantizeLinear", {"w", "s"}, {"wf"})
                      .Ints("shape", {6, 4, 1, 1})
                      .Node("Reshape", {"wf", "shape"}, {"w4"})
                      .Node("Conv", {"x", "w4"}, {"y"})
                      .Output("y"));
  EXPECT_EQ(said.folded_nodes, 2);
  EXPECT_EQ(said.macs, 64 * 6 * 4);
  EXPECT_EQ(said.int8_share, 1);
  EXPECT_EQ(said.precision, "int8");
  // The weights, their scale, and the shape that they were given.
  EXPECT_EQ(said.nodes[2].cost.weight_bytes, 24 + 4 + 32);
}

TEST(InspectTest, ThePeakIsWhatLivesAtOnce) {
  // x (1024 bytes) is needed by the last node: at the Add all three live.
  const Inspection said = InspectFile(Picture()
                                          .Node("Relu", {"x"}, {"a"})
                                          .Node("Identity", {"a"}, {"v"})
                                          .Node("Sigmoid", {"v"}, {"b"})
                                          .Node("Add", {"b", "x"}, {"y"})
                                          .Output("y"));
  EXPECT_EQ(said.peak_activation_bytes, 3 * 1024);
  EXPECT_EQ(said.activation_bytes, 1024 * (2 + 2 + 3));
}

TEST(InspectTest, ReuseMakesThePeakSmallerThanTheSum) {
  const Inspection said = InspectFile(Picture()
                                          .Node("Relu", {"x"}, {"a"})
                                          .Node("Relu", {"a"}, {"b"})
                                          .Node("Relu", {"b"}, {"y"})
                                          .Output("y"));
  EXPECT_EQ(said.peak_activation_bytes, 2 * 1024);
}

TEST(InspectTest, LayersAreCountedAsTheExtractorDoes) {
  const Inspection said = InspectFile(
      Picture()
          .Weight("w", {6, 4, 1, 1})
          .Weight("c", {5, 6, 1, 1})
          .Weight("m", {5, 3})
          .Node("Conv", {"x", "w"}, {"a"})
          .Node("Identity", {"w"}, {"made"})
          .Node("Conv", {"x", "made"}, {"not_counted"})
          .Node("MaxPool", {"a"}, {"p"}, {{"kernel_shape", Ints{2, 2}}})
          .Node("GlobalAveragePool", {"p"}, {"g"})
          .Node("GlobalMaxPool", {"p"}, {"not_a_pool"})
          .Node("Conv", {"g", "c"}, {"h"})
          .Node("Flatten", {"h"}, {"f"})
          .Node("MatMul", {"f", "m"}, {"y"})
          .Output("y"));
  const LayerCounts& counts = said.counts;
  EXPECT_EQ(counts.conv_layers, 2);
  EXPECT_EQ(counts.filter_details, 6 + 5);
  EXPECT_EQ(counts.pool_layers, 2);
  EXPECT_EQ(counts.fc_layers, 2);
  EXPECT_EQ(counts.total_parameters, 24 + 30 + 15);
  EXPECT_EQ(counts.model_input_bytes, 4 * 4 * 64);
  EXPECT_EQ(counts.model_output_bytes, 4 * 3);
}

TEST(InspectTest, UnknownOperatorsMakeTotalsLowerBounds) {
  const Inspection said = InspectFile(Picture()
                                          .Node("Frobnicate", {"x"}, {"a"})
                                          .Node("Relu", {"a"}, {"y"})
                                          .Output("y"));
  EXPECT_EQ(said.unknown_nodes, 2);
  EXPECT_THAT(said.unknown_operators, ElementsAre(Pair("Frobnicate", 1)));
  EXPECT_THAT(said.notes,
              ElementsAre(HasSubstr("Frobnicate"), HasSubstr("lower bounds")));
  EXPECT_EQ(said.counts.model_output_bytes, std::nullopt);
}

}  // namespace
}  // namespace edgewise::onnx
