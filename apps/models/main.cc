// models: writes ONNX files of named architectures with seeded weights.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "base/nearest.h"
#include "load/program.h"
#include "models/architectures.h"

namespace edgewise::apps {
namespace {

struct Settings {
  std::vector<std::string> names;
  std::string folder = ".";
  uint64_t seed = 1;
};

Result<void> Write(const Settings& settings) {
  for (const std::string& name : settings.names) {
    const Architecture* architecture = FindArchitecture(name);
    if (architecture == nullptr) {
      const auto near = Nearest(name, ArchitectureNames());
      return Error{ErrorCode::kInvalid,
                   "there is no architecture \"" + name + "\"" +
                       (near ? ": did you mean " + *near + "?"
                             : ": without arguments all are listed")};
    }
    const auto path =
        MakeModelFile(*architecture, settings.seed, settings.folder);
    if (!path) {
      return path.error();
    }
    std::printf("%s\n", path->c_str());
  }
  return {};
}

}  // namespace
}  // namespace edgewise::apps

int main(int argc, char** argv) {
  using namespace edgewise::apps;
  CLI::App app(
      "Writes ONNX files of named architectures with seeded weights; without "
      "names, lists them.",
      "models");
  Settings settings;
  app.add_option("NAME", settings.names, "Which to write");
  app.add_option("--output", settings.folder, "Folder (default: this one)")
      ->type_name("DIR");
  app.add_option("--seed", settings.seed, "Of the weights (default 1)")
      ->type_name("N");
  if (const auto code = ParseCommandLine(argc, argv, app)) {
    return *code;
  }
  if (settings.names.empty()) {
    for (const Architecture& one : Architectures()) {
      std::printf("%-12s %s%s\n", one.name, one.description,
                  one.can_be_int8 ? "" : "; fp32 only");
    }
    return 0;
  }
  const auto written = Write(settings);
  return written ? 0 : Fail(app, written.error());
}
