// Named architectures as ONNX files with seeded weights: nothing has to be
// downloaded to have a model to run. They compute what trained ones would, at
// the same cost; what they answer means nothing.
#ifndef EDGEWISE_APPS_MODELS_ARCHITECTURES_H_
#define EDGEWISE_APPS_MODELS_ARCHITECTURES_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace edgewise::apps {

struct Architecture {
  const char* name;
  const char* description;
  // OpenCV 4.6 can make 8-bit integers of it.
  bool can_be_int8;
  // The whole file; the same for the same seed on every machine.
  std::string (*build)(uint64_t seed);
};

const std::vector<Architecture>& Architectures();
std::vector<std::string> ArchitectureNames();
// Null if there is none of this name.
const Architecture* FindArchitecture(std::string_view name);

// Writes the file into `folder` unless it is there already, whole or not at
// all; its path.
Result<std::filesystem::path> MakeModelFile(
    const Architecture& architecture, uint64_t seed,
    const std::filesystem::path& folder);
// $EDGEWISE_MODELS, else edgewise/models in the user's cache folder.
std::filesystem::path DefaultModelFolder();

// How many values a detector's grid has for each of its anchors: box centre
// and size, whether there is something, and one for each class.
inline constexpr int kDetectorAnchors = 3;
inline constexpr int kDetectorClasses = 20;
inline constexpr int kDetectorValues = 5 + kDetectorClasses;

// The builders, in convolutional.cc, mobile.cc and sequential.cc.
std::string BuildMobileNetV2(uint64_t seed);
std::string BuildResNet18(uint64_t seed);
std::string BuildSqueezeNet(uint64_t seed);
std::string BuildTinyYolo(uint64_t seed);
std::string BuildMlp(uint64_t seed);
std::string BuildLstm(uint64_t seed);
std::string BuildTransformer(uint64_t seed);
std::string BuildMobileNetV3(uint64_t seed);
std::string BuildEfficientNet(uint64_t seed);
std::string BuildMobileVit(uint64_t seed);
std::string BuildBertSmall(uint64_t seed);
std::string BuildBertTiny(uint64_t seed);

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_MODELS_ARCHITECTURES_H_
