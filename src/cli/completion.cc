// `edgewise completion SHELL`: completion scripts made from the command line's
// own definition.
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/app.h"
#include "cli/verbs.h"

namespace edgewise::cli {
namespace {

std::vector<const CLI::App*> Verbs(const CLI::App& root) {
  return root.get_subcommands({});
}

std::vector<std::string> LongNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

std::string Words(const std::vector<std::string>& names) {
  std::string line;
  for (const std::string& name : names) {
    line += line.empty() ? name : " " + name;
  }
  return line;
}

std::string VerbWords(const CLI::App& root) {
  std::vector<std::string> names;
  for (const CLI::App* verb : Verbs(root)) {
    names.push_back(verb->get_name());
  }
  return Words(names);
}

std::string Bash(const CLI::App& root) {
  std::string script =
      "_edgewise() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} verb= i\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    [[ ${COMP_WORDS[i]} == -- ]] && { compopt -o default; return; }\n"
      "    [[ -z $verb && ${COMP_WORDS[i]} != -* ]] && verb=${COMP_WORDS[i]}\n"
      "  done\n"
      "  local words\n"
      "  case $verb in\n"
      "    \"\") words=\"" +
      VerbWords(root) + " " + Words(LongNames(root)) + "\" ;;\n";
  for (const CLI::App* verb : Verbs(root)) {
    std::vector<std::string> words = LongNames(*verb);
    for (const CLI::App* inner : verb->get_subcommands({})) {
      words.push_back(inner->get_name());
    }
    script +=
        "    " + verb->get_name() + ") words=\"" + Words(words) + "\" ;;\n";
  }
  script +=
      "  esac\n"
      "  case $verb in\n"
      "    show | compare | card | export)\n"
      "      [[ $word == -* ]] || words+=\" last $(edgewise list --ids "
      "2>/dev/null)\" ;;\n"
      "  esac\n"
      "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
      "  [[ ${#COMPREPLY[@]} -gt 0 ]] || compopt -o default\n"
      "}\n"
      "complete -F _edgewise edgewise\n";
  return script;
}

std::string QuoteZsh(std::string text) {
  for (const char c : {'\\', '\'', ':', '[', ']'}) {
    for (size_t at = 0; (at = text.find(c, at)) != std::string::npos; at += 2) {
      if (c == '\'') {
        text[at] = '"';
      } else {
        text.insert(at, 1, '\\');
      }
    }
  }
  return text;
}

std::string Zsh(const CLI::App& root) {
  std::string script = "#compdef edgewise\n_edgewise() {\n  local -a verbs\n";
  script += "  verbs=(\n";
  for (const CLI::App* verb : Verbs(root)) {
    script += "    '" + verb->get_name() + ":" +
              QuoteZsh(verb->get_description()) + "'\n";
  }
  script +=
      "  )\n"
      "  if (( CURRENT == 2 )); then _describe verb verbs; return; fi\n"
      "  case $words[2] in\n";
  for (const CLI::App* verb : Verbs(root)) {
    script += "    " + verb->get_name() + ") _values option " +
              Words(LongNames(*verb)) + "; _files ;;\n";
  }
  script += "  esac\n}\n_edgewise \"$@\"\n";
  return script;
}

std::string Fish(const CLI::App& root) {
  std::string script = "complete -c edgewise -f -n __fish_use_subcommand\n";
  for (const CLI::App* verb : Verbs(root)) {
    script += "complete -c edgewise -n __fish_use_subcommand -a " +
              verb->get_name() + "\n";
    for (const CLI::Option* option : verb->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        script += "complete -c edgewise -n '__fish_seen_subcommand_from " +
                  verb->get_name() + "' -l " + name + "\n";
      }
    }
  }
  return script;
}

}  // namespace

void AddCompletion(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand("completion",
                                       "Print a completion script for a shell");
  auto shell = std::make_shared<std::string>("bash");
  verb->add_option("SHELL", *shell, "bash, zsh or fish")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}).description(""));
  verb->footer("Example: source <(edgewise completion bash)");
  verb->callback([&root, &context, shell] {
    Print(*shell == "zsh"    ? Zsh(root)
          : *shell == "fish" ? Fish(root)
                             : Bash(root));
    context.exit_code = kExitDone;
  });
}

}  // namespace edgewise::cli
