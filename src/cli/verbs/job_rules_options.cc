#include "cli/verbs/job_rules_options.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "base/text.h"
#include "cli/option_values.h"

namespace edgewise::cli {

void AddJobRulesOptions(CLI::App& verb, JobRulesOptions& options) {
  verb.add_option("--jobs", options.file,
                  "What jobs may use, as YAML (docs/jobs.md)")
      ->type_name("FILE");
  AddRepeated(verb, "--allow-image", options.images, "PATTERN",
              "Images that jobs may run, such as 'localhost/*' (default: none; "
              "repeatable)");
  AddRepeated(
      verb, "--allow-mount", options.mounts, "DIR[:rw]",
      "A folder that jobs may mount, read-only unless :rw (repeatable)");
  verb.add_flag("--allow-commands", options.commands,
                "Jobs may run programs of this machine, without a container");
}

Result<JobRules> JobRulesFrom(const JobRulesOptions& options) {
  JobRules rules;
  if (!options.file.empty()) {
    const auto text = ReadFile(options.file);
    if (!text) {
      return Error{text.error().code, "--jobs: " + text.error().message};
    }
    auto read = ReadJobRules(*text, options.file);
    if (!read) {
      return read.error();
    }
    rules = std::move(*read);
  }
  rules.images.insert(rules.images.end(), options.images.begin(),
                      options.images.end());
  for (const std::string& text : options.mounts) {
    auto mount = ParseAllowedMount(text);
    if (!mount) {
      return Error{mount.error().code,
                   "--allow-mount: " + mount.error().message};
    }
    rules.mounts.push_back(std::move(*mount));
  }
  rules.commands |= options.commands;
  return rules;
}

}  // namespace edgewise::cli
