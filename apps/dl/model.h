// A model file and the network that OpenCV makes of it.
#ifndef EDGEWISE_APPS_DL_MODEL_H_
#define EDGEWISE_APPS_DL_MODEL_H_

#include <cstdint>
#include <filesystem>
#include <opencv2/dnn.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "models/architectures.h"

namespace edgewise::apps {

struct Model {
  std::string name;  // as the user gave it
  std::filesystem::path path;
  // Null for the user's own files.
  const Architecture* architecture = nullptr;
  // Of its one input; open dimensions are 1.
  std::vector<int> input_shape;
  cv::dnn::Net net;

  // Batch, channels, rows, columns.
  bool takes_pictures() const {
    return input_shape.size() == 4 &&
           (input_shape[1] == 3 || input_shape[1] == 1);
  }
  // Its first dimension counts inputs that have nothing to do with each other.
  bool takes_batches() const {
    return input_shape[0] == 1 &&
           (input_shape.size() == 4 || input_shape.size() == 2);
  }
};

// `name` is an architecture, made if its file is not there yet, or a path.
// The error names what is wrong: no such model, no ONNX file, an operator that
// OpenCV does not know.
Result<Model> LoadModel(const std::string& name);

// Bytes of all weights as the network holds them.
int64_t WeightsBytes(const cv::dnn::Net& net);

// What OpenCV complains about, as a sentence about this model.
Error ModelError(const Model& model, const cv::Exception& exception);

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_DL_MODEL_H_
