// Reading ONNX files.
#ifndef EDGEWISE_ONNX_READ_MODEL_H_
#define EDGEWISE_ONNX_READ_MODEL_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_bytes.h"
#include "base/result.h"
#include "onnx/model.h"

namespace edgewise::onnx {

// `bytes` must outlive the model. `name` is for the error, which says what is
// wrong with the file. Every bound is checked.
Result<Model> ReadModel(std::string_view bytes, const std::string& name);

// A file with its bytes mapped.
struct ModelFile {
  FileBytes bytes;
  Model model;
};
Result<ModelFile> ReadModelFile(const std::filesystem::path& path);

// Looks for the files that a model keeps weights in, beside the model in
// `folder`: sentences on those that are missing or too short. The weights
// themselves are not read.
std::vector<std::string> MissingWeights(const Model& model,
                                        const std::filesystem::path& folder);

// The numbers of a small tensor, from wherever in the file they are; nullopt
// for large ones, such in other files, and kinds that are no numbers.
std::optional<std::vector<double>> ValuesOf(const Tensor& tensor);

// Tensors of more elements are weights and not looked at.
inline constexpr int64_t kMostValues = 4096;

}  // namespace edgewise::onnx

#endif  // EDGEWISE_ONNX_READ_MODEL_H_
