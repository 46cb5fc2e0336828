#include "prediction/onnx_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx/onnx_file.h"
#include "prediction/cost_terms.h"

namespace edgewise {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Ints = std::vector<int64_t>;

OnnxModel Read(const onnx::OnnxFile& file) {
  auto model = ReadOnnxModel(file.Bytes(), "folder/net.onnx", {});
  EXPECT_TRUE(model) << (model ? "" : model.error().message);
  return model ? std::move(*model) : OnnxModel{};
}

std::vector<std::string> TypesOf(const OnnxModel& model) {
  std::vector<std::string> types;
  for (const Layer& layer : model.network.layers) {
    types.push_back(layer.type);
  }
  return types;
}

onnx::OnnxFile Picture() {
  onnx::OnnxFile file;
  file.Input("x", {int64_t{1}, int64_t{8}, int64_t{16}, int64_t{16}});
  return file;
}

TEST(OnnxNetworkTest, AConvolutionTakesWhatFollowsWithIt) {
  const OnnxModel model =
      Read(Picture()
               .Weight("w", {8, 8, 3, 3})
               .Weight("n", {8})
               .Node("Conv", {"x", "w"}, {"a"}, {{"strides", Ints{2, 2}}})
               .Node("BatchNormalization", {"a", "n", "n", "n", "n"}, {"b"})
               .Node("Relu", {"b"}, {"c"})
               .Node("Sigmoid", {"c"}, {"y"})
               .Output("y"));
  EXPECT_EQ(model.name, "net");
  EXPECT_THAT(TypesOf(model), ElementsAre("Convolution", "Sigmoid"));
  const Layer& layer = model.network.layers[0];
  EXPECT_EQ(layer.kernel, 3);
  EXPECT_EQ(layer.stride, 2);
  EXPECT_THAT(layer.in_shape, ElementsAre(8, 16, 16));
  EXPECT_THAT(layer.out_shape, ElementsAre(8, 7, 7));
  EXPECT_EQ(layer.macs, 8 * 49 * 8 * 9);
}

TEST(OnnxNetworkTest, ASharedResultIsNotTakenWith) {
  const OnnxModel model = Read(Picture()
                                   .Weight("w", {8, 8, 1, 1})
                                   .Node("Conv", {"x", "w"}, {"a"})
                                   .Node("Relu", {"a"}, {"b"})
                                   .Node("Add", {"a", "b"}, {"y"})
                                   .Output("y"));
  EXPECT_THAT(TypesOf(model), ElementsAre("Convolution", "ReLU", "BinaryOp"));
}

TEST(OnnxNetworkTest, DepthwiseConvolutionsKeepTheirGroups) {
  const OnnxModel model =
      Read(Picture()
               .Weight("w", {8, 1, 5, 5})
               .Node("Conv", {"x", "w"}, {"y"}, {{"group", int64_t{8}}})
               .Output("y"));
  ASSERT_THAT(TypesOf(model), ElementsAre("ConvolutionDepthWise"));
  const CostVector costs = CostsOf(model.network);
  EXPECT_GT(costs[static_cast<size_t>(CostTerm::kDepthwise5Macs)], 0);
}

TEST(OnnxNetworkTest, SwishAndGeluAndLayerNormAreOneLayerEach) {
  EXPECT_THAT(TypesOf(Read(Picture()
                               .Node("Sigmoid", {"x"}, {"s"})
                               .Node("Mul", {"x", "s"}, {"y"})
                               .Output("y"))),
              ElementsAre("Swish"));
  EXPECT_THAT(TypesOf(Read(Picture()
                               .Floats("root", {1.41F})
                               .Floats("one", {1})
                               .Floats("half", {0.5F})
                               .Node("Div", {"x", "root"}, {"a"})
                               .Node("Erf", {"a"}, {"b"})
                               .Node("Add", {"b", "one"}, {"c"})
                               .Node("Mul", {"x", "c"}, {"d"})
                               .Node("Mul", {"d", "half"}, {"y"})
                               .Output("y"))),
              ElementsAre("GELU"));
  const OnnxModel norm =
      Read(Picture()
               .Floats("two", {2})
               .Floats("eps", {1e-5F})
               .Weight("g", {16})
               .Node("ReduceMean", {"x"}, {"m"}, {{"axes", Ints{-1}}})
               .Node("Sub", {"x", "m"}, {"c"})
               .Node("Pow", {"c", "two"}, {"q"})
               .Node("ReduceMean", {"q"}, {"v"}, {{"axes", Ints{-1}}})
               .Node("Add", {"v", "eps"}, {"e"})
               .Node("Sqrt", {"e"}, {"r"})
               .Node("Div", {"c", "r"}, {"n"})
               .Node("Mul", {"n", "g"}, {"s"})
               .Node("Add", {"s", "g"}, {"y"})
               .Output("y"));
  ASSERT_THAT(TypesOf(norm), ElementsAre("LayerNorm"));
  EXPECT_THAT(norm.network.layers[0].out_shape, ElementsAre(8, 16, 16));
}

TEST(OnnxNetworkTest, ProductsAreRowsOfAFullyConnectedLayer) {
  onnx::OnnxFile file;
  file.Input("x", {int64_t{1}, int64_t{49}, int64_t{64}})
      .Weight("w", {64, 32})
      .Weight("b", {32})
      .Node("MatMul", {"x", "w"}, {"a"})
      .Node("Add", {"a", "b"}, {"y"})
      .Output("y");
  const OnnxModel model = Read(file);
  ASSERT_THAT(TypesOf(model), ElementsAre("InnerProduct"));
  EXPECT_THAT(model.network.layers[0].in_shape, ElementsAre(49, 64));
  EXPECT_THAT(model.network.layers[0].out_shape, ElementsAre(49, 32));
  EXPECT_EQ(model.network.layers[0].parameters, 64 * 32);
}

TEST(OnnxNetworkTest, QuantisedWeightsMakeIntegerLayers) {
  const OnnxModel model =
      Read(Picture()
               .Floats("s", {0.1F})
               .Weight("z", {1}, onnx::ElementType::kInt8)
               .Weight("w", {8, 8, 1, 1}, onnx::ElementType::kInt8)
               .Node("QuantizeLinear", {"x", "s", "z"}, {"q"})
               .Node("DequantizeLinear", {"q", "s", "z"}, {"f"})
               .Node("DequantizeLinear", {"w", "s", "z"}, {"v"})
               .Node("Conv", {"f", "v"}, {"y"})
               .Output("y"));
  ASSERT_THAT(TypesOf(model), ElementsAre("Convolution"));
  EXPECT_TRUE(model.network.layers[0].int8);
}

TEST(OnnxNetworkTest, RecurrentCellsHaveARowAStep) {
  onnx::OnnxFile file;
  file.Input("x", {int64_t{28}, int64_t{1}, int64_t{16}})
      .Weight("w", {1, 256, 16})
      .Weight("r", {1, 256, 64})
      .Node("LSTM", {"x", "w", "r"}, {"y"})
      .Output("y");
  const OnnxModel model = Read(file);
  ASSERT_THAT(TypesOf(model), ElementsAre("InnerProduct"));
  EXPECT_THAT(model.network.layers[0].in_shape, ElementsAre(28, 80));
  EXPECT_THAT(model.network.layers[0].out_shape, ElementsAre(28, 256));
}

TEST(OnnxNetworkTest, WhatOnlyChangesAShapeIsNoLayer) {
  EXPECT_THAT(TypesOf(Read(Picture()
                               .Node("Flatten", {"x"}, {"f"})
                               .Node("Identity", {"f"}, {"y"})
                               .Output("y"))),
              IsEmpty());
}

TEST(OnnxNetworkTest, TheEightFieldsAreThoseOfTheFile) {
  const OnnxModel model = Read(Picture()
                                   .Weight("w", {4, 8, 1, 1})
                                   .Node("Conv", {"x", "w"}, {"y"})
                                   .Output("y"));
  const Characteristics& fields = model.characteristics;
  EXPECT_EQ(fields.model, "net");
  EXPECT_EQ(fields.conv_layers, 1);
  EXPECT_EQ(fields.filter_details, 4);
  EXPECT_EQ(fields.total_parameters, 32);
  EXPECT_EQ(fields.model_input_bytes, 4 * 8 * 256);
  EXPECT_EQ(fields.model_output_bytes, 4 * 4 * 256);
}

}  // namespace
}  // namespace edgewise
