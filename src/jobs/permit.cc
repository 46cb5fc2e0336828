// What of an app file the rules permit.
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/text.h"
#include "jobs/engine_option.h"
#include "jobs/job_rules.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;
using Refusal = std::optional<std::string>;

std::string Quoted(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

Refusal CheckImage(const std::string& image, const JobRules& rules) {
  if (image.starts_with('-')) {
    return Quoted(image) + " is no name of an image";
  }
  for (const std::string& pattern : rules.images) {
    if (::fnmatch(pattern.c_str(), image.c_str(), FNM_NOESCAPE) == 0) {
      return std::nullopt;
    }
  }
  return "the image " + Quoted(image) +
         " is not among those that this server runs" +
         (rules.images.empty()
              ? ", which are none: whoever runs it allows images with "
                "--allow-image"
              : ": " + Join(rules.images, ", "));
}

bool IsWithin(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

// Links are followed, so that none leads out of what is allowed.
const AllowedMount* FindMount(const fs::path& path, const JobRules& rules) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  if (error) {
    return nullptr;
  }
  const AllowedMount* found = nullptr;
  for (const AllowedMount& mount : rules.mounts) {
    const fs::path allowed = fs::weakly_canonical(mount.path, error);
    if (!error && IsWithin(real, allowed) &&
        (found == nullptr || mount.writable)) {
      found = &mount;
    }
  }
  return found;
}

Refusal CheckMount(const EngineMount& mount, const JobRules& rules) {
  if (!fs::path(mount.source).is_absolute()) {
    return "the mount " + Quoted(mount.source) +
           " must be an absolute path of the server's machine";
  }
  const AllowedMount* const allowed = FindMount(mount.source, rules);
  if (allowed == nullptr) {
    return Quoted(mount.source) +
           " may not be mounted: the server's configuration does not allow it";
  }
  if (!mount.read_only && !allowed->writable) {
    return Quoted(mount.source) +
           " may be mounted read-only: add :ro to the mount";
  }
  return std::nullopt;
}

Refusal CheckOption(const EngineOption& option, const JobRules& rules) {
  // What only the container itself feels.
  constexpr std::array<std::string_view, 10> kHarmless{
      "--shm-size", "--memory",     "--cpus",   "--workdir", "--entrypoint",
      "--hostname", "--pids-limit", "--ulimit", "--tmpfs",   "--user"};
  if (option.mount) {
    return CheckMount(*option.mount, rules);
  }
  if (option.name == "--env") {
    return option.value.find('=') != std::string::npos
               ? std::nullopt
               : Refusal("the variable " + Quoted(option.value) +
                         " needs its value: the server's own environment is "
                         "not given to jobs");
  }
  const auto among = [&option](const std::vector<std::string>& allowed) {
    return std::find(allowed.begin(), allowed.end(), option.value) !=
           allowed.end();
  };
  if (option.name == "--network") {
    return option.value == "none" || among(rules.networks)
               ? std::nullopt
               : Refusal("the network " + Quoted(option.value) +
                         " is not allowed by this server");
  }
  if (option.name == "--device" || option.name == "--gpus") {
    return among(rules.devices) ||
                   (option.name == "--gpus" &&
                    std::find(rules.devices.begin(), rules.devices.end(),
                              "gpu") != rules.devices.end())
               ? std::nullopt
               : Refusal(option.name + " " + Quoted(option.value) +
                         " is not allowed by this server");
  }
  if (std::find(kHarmless.begin(), kHarmless.end(), option.name) !=
      kHarmless.end()) {
    return std::nullopt;
  }
  return "jobs may not use the engine's option " + Quoted(option.name);
}

// What an app and its companions have in common.
Refusal CheckProgram(const std::string& image,
                     const std::vector<std::string>& command,
                     const std::vector<std::string>& engine_args,
                     const Limits& limits, const JobRules& rules) {
  if (image.empty() && command.empty()) {
    return "there is neither an image nor a command to run";
  }
  if (!command.empty() && !rules.commands) {
    return "this server runs images only, not programs of its own machine (" +
           Quoted(command.front()) + "): give an image";
  }
  if (!image.empty()) {
    if (auto refused = CheckImage(image, rules)) {
      return refused;
    }
  }
  const auto options = ReadEngineArgs(engine_args);
  if (!options) {
    return options.error().message;
  }
  for (const EngineOption& option : *options) {
    if (auto refused = CheckOption(option, rules)) {
      return refused;
    }
  }
  for (const std::string& device : limits.devices) {
    const std::string host = device.substr(0, device.find(':'));
    if (std::find(rules.devices.begin(), rules.devices.end(), host) ==
        rules.devices.end()) {
      return "the device " + Quoted(host) + " is not allowed by this server";
    }
  }
  if (!rules.slots.empty() && !limits.cores.empty()) {
    return "this server gives each job its cores: leave `cores` out of the "
           "limits";
  }
  return std::nullopt;
}

Refusal CheckData(const std::optional<AppData>& data, const JobRules& rules) {
  if (!data) {
    return std::nullopt;
  }
  const bool address = data->source.find("://") != std::string::npos;
  if (!address) {
    return CheckMount({data->source, data->mount, true}, rules);
  }
  const bool allowed = std::any_of(rules.data.begin(), rules.data.end(),
                                   [&](const std::string& begin) {
                                     return data->source.starts_with(begin);
                                   });
  return allowed ? std::nullopt
                 : Refusal("datasets from " + Quoted(data->source) +
                           " are not allowed by this server");
}

}  // namespace

std::optional<std::string> WhyNotPermitted(const AppFile& app,
                                           const JobRules& rules) {
  if (auto refused = CheckProgram(app.image, app.command, app.engine_args,
                                  app.limits, rules)) {
    return refused;
  }
  for (const Companion& companion : app.needs) {
    if (auto refused =
            CheckProgram(companion.image, companion.command,
                         companion.engine_args, companion.limits, rules)) {
      return companion.name + ": " + *refused;
    }
  }
  for (const AppTarget& target : app.targets) {
    if (auto refused = CheckData(target.data, rules)) {
      return refused;
    }
  }
  return std::nullopt;
}

std::vector<std::string> AdaptEngineArgs(const std::vector<std::string>& args,
                                         const JobRules& rules) {
  const auto options = ReadEngineArgs(args);
  if (!options) {
    return args;  // refused as they are
  }
  std::vector<std::string> adapted;
  for (EngineOption option : *options) {
    if (!option.mount) {
      adapted.insert(adapted.end(), {option.name, option.value});
      continue;
    }
    EngineMount& mount = *option.mount;
    if (!rules.folder.empty() && fs::path(mount.source).is_relative()) {
      mount.source = (rules.folder / mount.source).lexically_normal().string();
    }
    const AllowedMount* const allowed = FindMount(mount.source, rules);
    const bool read_only =
        mount.read_only ||
        (!mount.mode_given && (allowed == nullptr || !allowed->writable));
    adapted.insert(adapted.end(), {"-v", mount.source + ":" + mount.target +
                                             (read_only ? ":ro" : "")});
  }
  return adapted;
}

}  // namespace edgewise
