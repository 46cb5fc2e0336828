#include "models/architectures.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "base/result.h"

namespace edgewise::apps {
namespace {

// Part of file names; goes up when a builder changes what it writes.
constexpr int kVersion = 1;

Result<void> WriteWhole(const std::filesystem::path& path,
                        const std::string& bytes) {
  // Several programs may make the same file at a time.
  const std::filesystem::path draft =
      path.string() + "." + std::to_string(::getpid());
  std::ofstream out(draft, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  std::error_code failed;
  if (out) {
    std::filesystem::rename(draft, path, failed);
  }
  if (!out || failed) {
    std::error_code ignored;
    std::filesystem::remove(draft, ignored);
    return Error{ErrorCode::kIo,
                 "the model file " + path.string() +
                     " cannot be written: choose another folder "
                     "($EDGEWISE_MODELS)"};
  }
  return {};
}

}  // namespace

const std::vector<Architecture>& Architectures() {
  static const std::vector<Architecture> all = {
      {"mobilenetv2", "MobileNetV2 1.0, 224x224, 1000 classes", true,
       BuildMobileNetV2},
      {"resnet18", "ResNet-18, 224x224, 1000 classes", true, BuildResNet18},
      {"squeezenet", "SqueezeNet 1.1, 224x224, 1000 classes", true,
       BuildSqueezeNet},
      {"tiny-yolo", "detector on a 16x16 grid, 256x256, 20 classes", true,
       BuildTinyYolo},
      {"mlp", "three dense layers on 28x28 grey pixels, 10 classes", true,
       BuildMlp},
      {"lstm", "LSTM over 28 rows of 28 grey pixels, 10 classes", false,
       BuildLstm},
      {"transformer", "encoder of 2 layers on 49 patches, 10 classes", false,
       BuildTransformer},
      {"mobilenetv3", "MobileNetV3 large, 96x96, 1000 classes", false,
       BuildMobileNetV3},
      {"efficientnet", "EfficientNet B0, 96x96, 1000 classes", false,
       BuildEfficientNet},
      {"mobilevit", "convolutions and encoders, 96x96, 1000 classes", false,
       BuildMobileVit},
      {"bert-small", "encoder of 4 layers on 32 tokens of 256 values", false,
       BuildBertSmall},
      {"bert-tiny", "encoder of 2 layers on 48 tokens of 128 values", false,
       BuildBertTiny},
  };
  return all;
}

std::vector<std::string> ArchitectureNames() {
  std::vector<std::string> names;
  for (const Architecture& architecture : Architectures()) {
    names.emplace_back(architecture.name);
  }
  return names;
}

const Architecture* FindArchitecture(std::string_view name) {
  const auto& all = Architectures();
  const auto found =
      std::find_if(all.begin(), all.end(),
                   [&](const Architecture& one) { return name == one.name; });
  return found == all.end() ? nullptr : &*found;
}

Result<std::filesystem::path> MakeModelFile(
    const Architecture& architecture, uint64_t seed,
    const std::filesystem::path& folder) {
  const std::filesystem::path path =
      folder / (std::string(architecture.name) + "-" + std::to_string(seed) +
                "-v" + std::to_string(kVersion) + ".onnx");
  std::error_code failed;
  if (std::filesystem::exists(path, failed)) {
    return path;
  }
  std::filesystem::create_directories(folder, failed);
  if (failed) {
    return Error{ErrorCode::kIo, "the folder " + folder.string() +
                                     " cannot be made (" + failed.message() +
                                     "): set $EDGEWISE_MODELS to another one"};
  }
  if (const auto written = WriteWhole(path, architecture.build(seed));
      !written) {
    return written.error();
  }
  return path;
}

std::filesystem::path DefaultModelFolder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::filesystem::path(value == nullptr ? "" : value);
  };
  if (const auto folder = variable("EDGEWISE_MODELS"); !folder.empty()) {
    return folder;
  }
  auto cache = variable("XDG_CACHE_HOME");
  if (cache.empty()) {
    const auto home = variable("HOME");
    cache =
        home.empty() ? std::filesystem::temp_directory_path() : home / ".cache";
  }
  return cache / "edgewise" / "models";
}

}  // namespace edgewise::apps
