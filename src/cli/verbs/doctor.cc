// `edgewise doctor`: what this machine can measure and control, and how to get
// the rest.
#include "probes/doctor.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/units.h"
#include "cli/verbs.h"
#include "probes/machine.h"
#include "report/paragraphs.h"
#include "report/table.h"

namespace edgewise::cli {
namespace {

using Json = nlohmann::ordered_json;

const char* Mark(AbilityState state, const TextStyle& style) {
  switch (state) {
    case AbilityState::kAvailable:
      return style.unicode ? "✔" : "yes ";
    case AbilityState::kLimited:
      return style.unicode ? "◐" : "part";
    case AbilityState::kMissing:
      break;
  }
  return style.unicode ? "✘" : "no  ";
}

std::string MachineLine(const Machine& machine) {
  std::string line = machine.hostname;
  for (const std::string& part :
       {machine.board,
        std::to_string(machine.cores) + " × " + machine.cpu_model,
        FormatBytes(static_cast<double>(machine.memory_bytes)),
        "Linux " + machine.kernel, machine.os, machine.virtualization}) {
    if (!part.empty()) {
      line += " · " + part;
    }
  }
  return line;
}

std::string DoctorText(const Machine& machine, const Diagnosis& diagnosis,
                       const TextStyle& style) {
  std::string text = MachineLine(machine) + "\n";
  size_t widest = 0;
  for (const Ability& ability : diagnosis.abilities) {
    widest = std::max(widest, ability.what.size());
  }
  for (const char* group : {"measure", "control"}) {
    text +=
        "\n" + Tint(std::string("can ") + group, Tone::kStrong, style) + "\n";
    for (const Ability& ability : diagnosis.abilities) {
      if (ability.group == group) {
        const std::string first =
            std::string("  ") + Mark(ability.state, style) + " " +
            ability.what + std::string(widest - ability.what.size() + 2, ' ');
        text += WrappedText(first, ability.detail, style);
      }
    }
  }
  std::vector<std::string> remedies;
  for (const Ability& ability : diagnosis.abilities) {
    if (!ability.remedy.empty()) {
      remedies.push_back(ability.what + ": " + ability.remedy);
    }
  }
  AppendBlock(&text,
              ItemLines("how to get the rest", remedies, Tone::kPlain, style));
  std::vector<std::string> warnings;
  for (const MachineWarning& warning : diagnosis.warnings) {
    warnings.push_back(warning.what +
                       (warning.remedy.empty() ? "" : ": " + warning.remedy));
  }
  AppendBlock(&text, ItemLines("what would spoil measurements now", warnings,
                               Tone::kWarning, style));
  return text;
}

Json OrNull(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

std::string DoctorJson(const Machine& machine, const Diagnosis& diagnosis) {
  Json abilities = Json::array();
  for (const Ability& ability : diagnosis.abilities) {
    abilities.push_back({{"group", ability.group},
                         {"what", ability.what},
                         {"state", ToString(ability.state)},
                         {"detail", ability.detail},
                         {"remedy", OrNull(ability.remedy)}});
  }
  Json warnings = Json::array();
  for (const MachineWarning& warning : diagnosis.warnings) {
    warnings.push_back(
        {{"what", warning.what}, {"remedy", OrNull(warning.remedy)}});
  }
  const Json all = {{"schema", 1},
                    {"machine",
                     {{"hostname", machine.hostname},
                      {"architecture", machine.architecture},
                      {"cpu_model", OrNull(machine.cpu_model)},
                      {"board", OrNull(machine.board)},
                      {"kernel", machine.kernel},
                      {"os", OrNull(machine.os)},
                      {"cores", machine.cores},
                      {"memory_bytes", machine.memory_bytes},
                      {"governor", OrNull(machine.governor)},
                      {"virtualization", OrNull(machine.virtualization)},
                      {"fingerprint", machine.fingerprint}}},
                    {"abilities", abilities},
                    {"warnings", warnings}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

int Execute(bool json, const Context& context) {
  DoctorInput input;
  input.store_folder = context.home;
  const char* path = std::getenv("PATH");
  input.search_path = path != nullptr ? path : "";
  input.kernel = AskKernel(context.home);
  input.ask_nvidia = true;
  const Machine machine = ReadMachine();
  const Diagnosis diagnosis = Diagnose(input);
  Print(json ? DoctorJson(machine, diagnosis)
             : DoctorText(machine, diagnosis, StyleFor(STDOUT_FILENO)));
  return kExitDone;
}

}  // namespace

void AddDoctor(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "doctor",
      "What can be measured and controlled here, and how to get the rest");
  auto json = std::make_shared<bool>(false);
  verb->add_flag("--json", *json, "Print JSON alone on stdout");
  verb->callback(
      [json, &context] { context.exit_code = Execute(*json, context); });
}

}  // namespace edgewise::cli
