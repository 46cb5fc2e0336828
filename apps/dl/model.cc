#include "dl/model.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/nearest.h"
#include "base/text.h"
#include "onnx/read_model.h"

namespace edgewise::apps {
namespace {

constexpr int64_t kMostInputValues = int64_t{1} << 28;

Result<std::filesystem::path> PathOf(const std::string& name,
                                     const Architecture* architecture) {
  if (architecture != nullptr) {
    return MakeModelFile(*architecture, /*seed=*/1, DefaultModelFolder());
  }
  std::error_code ignored;
  if (std::filesystem::is_regular_file(name, ignored)) {
    return std::filesystem::path(name);
  }
  const auto near = Nearest(name, ArchitectureNames());
  return Error{ErrorCode::kNotFound,
               "--model: there is no file and no architecture \"" + name +
                   "\"; " +
                   (near ? "did you mean " + *near + "?"
                         : "known: " + Join(ArchitectureNames(), ", "))};
}

Result<std::vector<int>> InputShape(const std::string& name,
                                    const onnx::Model& file) {
  const auto invalid = [&name](const std::string& why) {
    return Error{ErrorCode::kInvalid, "--model: \"" + name + "\" " + why};
  };
  if (file.inputs.size() != 1) {
    return invalid("has " + std::to_string(file.inputs.size()) +
                   " inputs: only models with one can be fed with pictures");
  }
  const onnx::ValueInfo& input = file.inputs.front();
  if (input.type != onnx::ElementType::kFloat || input.dims.empty()) {
    return invalid("takes \"" + std::string(input.name) +
                   "\", which is not a tensor of 32-bit floats: export it "
                   "with such an input");
  }
  std::vector<int> shape;
  int64_t values = 1;
  for (const auto& dim : input.dims) {
    // Checked step by step: the product must not overflow.
    if (dim.value_or(1) > kMostInputValues / values) {
      return invalid("takes an input that is too large");
    }
    values *= dim.value_or(1);
    shape.push_back(static_cast<int>(dim.value_or(1)));
  }
  if (shape.size() == 4 && (!input.dims[2] || !input.dims[3])) {
    return invalid(
        "leaves the size of its pictures open: export it with a "
        "fixed height and width");
  }
  return shape;
}

// The operator that OpenCV's message names; empty if it names none.
std::string OperatorIn(std::string_view message) {
  for (const std::string_view before : {"of type \"", "ode ["}) {
    const size_t found = message.find(before);
    if (found == std::string_view::npos) {
      continue;
    }
    const std::string_view rest = message.substr(found + before.size());
    const auto end = std::find_if(
        rest.begin(), rest.end(),
        [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; });
    return {rest.begin(), end};
  }
  return "";
}

}  // namespace

Error ModelError(const Model& model, const cv::Exception& exception) {
  const std::string op = OperatorIn(exception.err);
  std::string message =
      "--model: OpenCV " CV_VERSION " cannot run \"" + model.name + "\"";
  if (!op.empty()) {
    message += ": it does not support the operator " + op +
               " as it is used there; export the model without it";
  } else {
    message += " (" + std::string(Trim(exception.err)) +
               "); export it with opset 11 or older and fixed shapes";
  }
  return Error{ErrorCode::kInvalid, message};
}

Result<Model> LoadModel(const std::string& name) {
  Model model;
  model.name = name;
  model.architecture = FindArchitecture(name);
  const auto path = PathOf(name, model.architecture);
  if (!path) {
    return path.error();
  }
  model.path = *path;
  const auto bytes = ReadFile(model.path);
  if (!bytes) {
    return bytes.error();
  }
  const auto file = onnx::ReadModel(*bytes, "\"" + name + "\"");
  if (!file) {
    return Error{file.error().code, "--model: " + file.error().message};
  }
  const auto shape = InputShape(name, *file);
  if (!shape) {
    return shape.error();
  }
  model.input_shape = *shape;
  try {
    model.net = cv::dnn::readNetFromONNX(bytes->data(), bytes->size());
    model.net.setPreferableBackend(cv::dnn::DNN_BACKEND_OPENCV);
    // Some faults show only when it runs; and the first run, which allocates,
    // is no item's.
    model.net.setInput(cv::Mat(model.input_shape, CV_32F, cv::Scalar(0)));
    model.net.forward();
  } catch (const cv::Exception& exception) {
    return ModelError(model, exception);
  }
  return model;
}

int64_t WeightsBytes(const cv::dnn::Net& net) {
  int64_t bytes = 0;
  for (const std::string& name : net.getLayerNames()) {
    const auto layer = net.getLayer(net.getLayerId(name));
    for (const cv::Mat& blob : layer->blobs) {
      bytes += static_cast<int64_t>(blob.total() * blob.elemSize());
    }
  }
  return bytes;
}

}  // namespace edgewise::apps
