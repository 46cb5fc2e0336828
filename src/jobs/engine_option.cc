#include "jobs/engine_option.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace edgewise {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kShort{
    {{"-v", "--volume"},
     {"-e", "--env"},
     {"-m", "--memory"},
     {"-w", "--workdir"},
     {"-h", "--hostname"},
     {"-u", "--user"},
     {"--net", "--network"}}};
constexpr std::array<std::string_view, 7> kWithoutValue{
    "--rm", "-i", "-t", "-it", "-ti", "--interactive", "--tty"};
// Flags that would take the next word for their value.
constexpr std::array<std::string_view, 3> kFlags{"--privileged", "--init",
                                                 "--read-only"};

Error Refuse(const std::string& what) { return {ErrorCode::kInvalid, what}; }

std::string LongName(std::string_view name) {
  for (const auto& [short_name, long_name] : kShort) {
    if (name == short_name) {
      return std::string(long_name);
    }
  }
  return std::string(name);
}

// "SOURCE:TARGET[:OPTIONS]".
Result<EngineMount> ReadVolume(const std::string& text) {
  const auto parts = Split(text, ':');
  if (parts.size() < 2 || parts.size() > 3 || parts[0].empty() ||
      parts[1].empty()) {
    return Refuse("\"" + text + "\" is no mount: write SOURCE:TARGET:ro");
  }
  EngineMount mount{std::string(parts[0]), std::string(parts[1])};
  if (parts.size() == 3) {
    for (const std::string_view mode : Split(parts[2], ',')) {
      if (mode != "ro" && mode != "rw" && mode != "z" && mode != "Z") {
        return Refuse("jobs may not mount with \"" + std::string(mode) + "\"");
      }
      mount.read_only |= mode == "ro";
      mount.mode_given |= mode == "ro" || mode == "rw";
    }
  }
  return mount;
}

// "type=bind,source=A,target=B,ro".
Result<EngineMount> ReadMount(const std::string& text) {
  EngineMount mount;
  std::string type;
  for (const std::string_view part : Split(text, ',')) {
    const size_t equals = part.find('=');
    const std::string_view key = part.substr(0, equals);
    const std::string value(
        equals == std::string_view::npos ? "" : part.substr(equals + 1));
    if (key == "type") {
      type = value;
    } else if (key == "source" || key == "src") {
      mount.source = value;
    } else if (key == "target" || key == "destination" || key == "dst") {
      mount.target = value;
    } else if (key == "ro" || key == "readonly") {
      mount.read_only = value.empty() || value == "true";
      mount.mode_given = true;
    } else {
      return Refuse("jobs may not mount with \"" + std::string(key) + "\"");
    }
  }
  if (type != "bind" || mount.source.empty() || mount.target.empty()) {
    return Refuse("\"" + text +
                  "\" is no mount that jobs may have: write "
                  "type=bind,source=…,target=…,ro");
  }
  return mount;
}

template <typename List>
bool Has(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

Result<std::vector<EngineOption>> ReadEngineArgs(
    const std::vector<std::string>& args) {
  std::vector<EngineOption> options;
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string& word = args[i];
    if (!word.starts_with('-') || word == "-" || word == "--") {
      return Refuse("\"" + word + "\" is no option of the engine");
    }
    if (Has(kWithoutValue, word)) {
      continue;
    }
    EngineOption option;
    const size_t equals = word.find('=');
    if (word.starts_with("--") && equals != std::string::npos) {
      option.name = LongName(word.substr(0, equals));
      option.value = word.substr(equals + 1);
    } else if (Has(kFlags, word)) {
      option.name = word;
    } else if (!word.starts_with("--") && word.size() > 2) {
      option.name = LongName(word.substr(0, 2));
      option.value = word.substr(word[2] == '=' ? 3 : 2);
    } else if (i + 1 < args.size()) {
      option.name = LongName(word);
      option.value = args[++i];
    } else {
      return Refuse("the engine's option \"" + word + "\" needs a value");
    }
    if (option.name == "--volume" || option.name == "--mount") {
      auto mount = option.name == "--mount" ? ReadMount(option.value)
                                            : ReadVolume(option.value);
      if (!mount) {
        return mount.error();
      }
      option.mount = std::move(*mount);
    }
    options.push_back(std::move(option));
  }
  return options;
}

}  // namespace edgewise
