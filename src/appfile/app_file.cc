#include "appfile/app_file.h"

#include <array>
#include <utility>

#include "base/text.h"
#include "base/units.h"

namespace edgewise {
namespace {

constexpr std::array<std::pair<EngineChoice, const char*>, 3> kEngines = {
    {{EngineChoice::kAuto, "auto"},
     {EngineChoice::kPodman, "podman"},
     {EngineChoice::kDocker, "docker"}}};
constexpr std::string_view kDataPlace = "{data}";

}  // namespace

std::optional<EngineChoice> ParseEngineChoice(std::string_view word) {
  for (const auto& [engine, name] : kEngines) {
    if (word == name) {
      return engine;
    }
  }
  return std::nullopt;
}

const char* EngineChoiceName(EngineChoice engine) {
  for (const auto& [each, name] : kEngines) {
    if (each == engine) {
      return name;
    }
  }
  return "auto";
}

std::string Readiness::Text() const {
  if (!log.empty()) {
    return "log \"" + log + "\"";
  }
  if (port) {
    return "port " + std::to_string(*port);
  }
  if (!file.empty()) {
    return "file " + file;
  }
  return FormatDuration(static_cast<double>(after_ns.value_or(0)));
}

std::string AppFile::Version() const {
  if (!version.empty()) {
    return version;
  }
  const std::string name_and_tag = image.substr(0, image.find('@'));
  const size_t colon = name_and_tag.rfind(':');
  // Else it is the port of a registry.
  const bool tagged = colon != std::string::npos &&
                      name_and_tag.find('/', colon) == std::string::npos;
  return tagged ? name_and_tag.substr(colon + 1) : "";
}

Result<AppFile> LoadAppFile(const std::filesystem::path& path) {
  const auto text = ReadFile(path);
  if (!text) {
    return text.error();
  }
  auto app = ReadAppFile(*text, path.string());
  if (app) {
    app->folder = path.parent_path();
  }
  return app;
}

Result<void> CheckRunnable(const AppFile& app, const std::string& origin) {
  if (app.image.empty() && app.command.empty()) {
    return Error{ErrorCode::kInvalid,
                 origin +
                     " names neither an image nor a command: add `image:` or "
                     "`command:`, or give --image"};
  }
  return {};
}

std::vector<std::string> WithData(const std::vector<std::string>& args,
                                  const std::string& folder) {
  std::vector<std::string> replaced;
  replaced.reserve(args.size());
  for (std::string arg : args) {
    for (size_t at = arg.find(kDataPlace); at != std::string::npos;
         at = arg.find(kDataPlace, at + folder.size())) {
      arg.replace(at, kDataPlace.size(), folder);
    }
    replaced.push_back(std::move(arg));
  }
  return replaced;
}

}  // namespace edgewise
