#include "cli/verbs/contend_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "base/units.h"
#include "cli/option_values.h"
#include "store/store.h"

namespace edgewise::cli {
namespace {

Error Invalid(std::string message) {
  return {ErrorCode::kInvalid, std::move(message)};
}

// "NAME=REST"; the name has no blanks, so that a command is not taken for one.
std::optional<std::pair<std::string, std::string>> SplitName(
    const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos ||
      text.find_first_of(" \t/:") < equals) {
    return std::nullopt;
  }
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

Result<Actor> ParseApp(const std::string& flag, const std::string& text) {
  const auto named = SplitName(text);
  if (!named) {
    return Invalid(flag + ": \"" + text +
                   "\" is not NAME=COMMAND: write e.g. " + flag +
                   " 'cam=./camera --max'");
  }
  auto command = ShellSplit(named->second);
  if (!command) {
    return Invalid(flag + ": " + command.error().message);
  }
  if (command->empty()) {
    return Invalid(flag + ": \"" + text + "\" has no command after the name");
  }
  return Actor{named->first, std::move(*command), "", std::nullopt};
}

Result<void> ReadActors(const ContendOptions& options,
                        ContendRequest* request) {
  for (const std::string& text : options.apps) {
    auto app = ParseApp("--app", text);
    if (!app) {
      return app.error();
    }
    request->apps.push_back(std::move(*app));
  }
  for (const std::string& text : options.beside) {
    if (SplitName(text)) {
      auto app = ParseApp("--beside", text);
      if (!app) {
        return app.error();
      }
      request->beside.push_back(std::move(*app));
      continue;
    }
    const auto spec = ParseStressSpec(text);
    if (!spec) {
      return Invalid("--beside: " + spec.error().message +
                     " (a stressor is written KIND:DIAL, a program "
                     "NAME=COMMAND)");
    }
    request->beside.push_back(StressActor(request->program, *spec));
  }
  for (const std::string& text : options.spans) {
    const auto named = SplitName(text);
    const auto app = std::find_if(request->apps.begin(), request->apps.end(),
                                  [&named](const Actor& each) {
                                    return named && each.name == named->first;
                                  });
    if (named && app == request->apps.end()) {
      return Invalid("--span: there is no app \"" + named->first + "\"");
    }
    for (Actor& each : request->apps) {
      if (!named || each.name == named->first) {
        each.span = named ? named->second : text;
      }
    }
  }
  return {};
}

Result<void> ReadNumbers(const ContendOptions& options,
                         ContendRequest* request) {
  if (auto read = ReadStressors(options, &request->kinds, &request->dials);
      !read) {
    return read;
  }
  ContendConditions& conditions = request->conditions;
  if (!options.cpus.empty()) {
    const auto cpus = ParseCpuList(options.cpus);
    if (!cpus) {
      return Invalid("--cpus: " + cpus.error().message);
    }
    conditions.cpus = *cpus;
  }
  return ReadTimes({{"--duration", options.duration, conditions.duration_ns},
                    {"--warmup", options.warmup, conditions.warmup_ns},
                    {"--settle", options.settle, conditions.settle_ns}});
}

}  // namespace

Result<ContendRequest> RequestFrom(const ContendOptions& options,
                                   const std::filesystem::path& home) {
  ContendRequest request;
  request.mode = options.mode;
  request.repeat = options.repeat.value_or(request.repeat);
  request.deployments = options.deployments.value_or(request.deployments);
  request.seed = options.seed;
  request.conditions.home = home;
  request.conditions.group = NewRunId();
  std::error_code error;
  request.program =
      std::filesystem::read_symlink("/proc/self/exe", error).string();
  if (error) {
    return Error{ErrorCode::kUnsupported,
                 "cannot find edgewise itself, which stressors are: " +
                     error.message() + " (is /proc mounted?)"};
  }
  if (const Result<void> actors = ReadActors(options, &request); !actors) {
    return actors.error();
  }
  if (options.mode == ContendMode::kBaseline && !options.svg.empty()) {
    return Invalid("--svg: there is no matrix of apps that are alone");
  }
  if (const Result<void> numbers = ReadNumbers(options, &request); !numbers) {
    return numbers.error();
  }
  if (const Result<void> checked = CheckContend(request); !checked) {
    return checked.error();
  }
  return request;
}

Result<void> ReadStressors(const ContendOptions& options,
                           std::vector<StressKind>* kinds,
                           std::vector<double>* dials) {
  if (!options.kinds.empty()) {
    kinds->clear();
    for (const std::string_view name : Split(options.kinds, ',')) {
      const auto kind = ParseStressKind(Trim(name));
      if (!kind) {
        return Invalid("--stress: " + kind.error().message);
      }
      kinds->push_back(*kind);
    }
  }
  if (!options.dials.empty()) {
    dials->clear();
    for (const std::string_view text : Split(options.dials, ',')) {
      const auto dial = ParseDouble(Trim(text));
      if (!dial || !(*dial > 0) || *dial > 100) {
        return Invalid("--dials: \"" + std::string(text) +
                       "\" is not a dial: write numbers above 0 up to 100, "
                       "e.g. 25,50,100");
      }
      dials->push_back(*dial);
    }
  }
  return {};
}

Result<std::map<std::string, std::string>> CardFiles(
    const ContendOptions& options, const ContendRequest& request) {
  std::map<std::string, std::string> files;
  for (const std::string& text : options.cards) {
    const auto named = SplitName(text);
    if (!named && request.apps.size() > 1) {
      return Invalid("--card: write APP=FILE, because there are several apps");
    }
    const std::string app = named ? named->first : request.apps.front().name;
    if (std::none_of(request.apps.begin(), request.apps.end(),
                     [&app](const Actor& each) { return each.name == app; })) {
      return Invalid("--card: there is no app \"" + app + "\"");
    }
    files[app] = named ? named->second : text;
  }
  return files;
}

void AddContendOptions(CLI::App& verb, ContendOptions& options) {
  const auto text = [&verb](const char* flag, std::string& value,
                            const char* type, const char* description) {
    verb.add_option(flag, value, description)->type_name(type);
  };
  const auto several = [&verb](const char* flag,
                               std::vector<std::string>& values,
                               const char* type, const char* description) {
    AddRepeated(verb, flag, values, type, description);
  };
  const std::map<std::string, ContendMode> modes{
      {"baseline", ContendMode::kBaseline},
      {"pairwise", ContendMode::kPairwise},
      {"random", ContendMode::kRandom},
      {"sensitivity", ContendMode::kSensitivity},
      {"check", ContendMode::kCheck}};
  verb.add_option("MODE", options.mode,
                  "baseline: each app alone; pairwise: each pair; random: "
                  "neighbours drawn at random; sensitivity: each app against "
                  "stressors, and its own pressure; check: predict each pair "
                  "from sensitivity, then measure it")
      ->required()
      ->type_name("")
      ->transform(CLI::CheckedTransformer(modes).description(""));
  several("--app", options.apps, "NAME=COMMAND",
          "An app to look at, in quotes; may be repeated");
  several("--beside", options.beside, "KIND:DIAL|NAME=COMMAND",
          "A further neighbour of pairwise and random: a stressor, or any "
          "program, e.g. 'ng=stress-ng --cpu 1'; may be repeated");
  several("--span", options.spans, "[APP=]SPAN",
          "The span that is an item (default: the one with the most time)");
  text("--cpus", options.cpus, "LIST",
       "Cores that all of them share, e.g. 0 or 0-1 (default: all)");
  text("--duration", options.duration, "TIME",
       "Of each measurement (default 5s; of tenants 7s)");
  text("--warmup", options.warmup, "TIME",
       "Of each measurement, left out (default 500ms; of tenants 1s)");
  text("--settle", options.settle, "TIME",
       "Neighbours run so long before the measurement (default 500ms)");
  text("--stress", options.kinds, "KINDS",
       "Stressors of sensitivity, and of random --app (default "
       "cpu,cache,bandwidth; also memory, disk, network)");
  text("--dials", options.dials, "LIST",
       "Dials of sensitivity (default 25,50,100; of tenants 50,100)");
  verb.add_option("--repeat", options.repeat,
                  "Times each deployment is measured (default 1; 5 give "
                  "intervals over repeats); of random tenants every tenth "
                  "(default 2)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000).description(""));
  verb.add_option("--deployments", options.deployments,
                  "Deployments that random draws (default 10; of tenants as "
                  "many as the budget allows)")
      ->type_name("N")
      ->check(CLI::Range(1, 100000).description(""));
  verb.add_option("--seed", options.seed,
                  "Of the random order and of random (default 1)")
      ->type_name("N");
  several("--card", options.cards, "[APP=]FILE",
          "Write isolated and contended figures to the app's card, which is "
          "made if it is not there");
  text("--svg", options.svg, "FILE", "Write the matrix as a picture");
  text("--html", options.html, "FILE", "Write a report with matrix and curves");
  verb.add_flag("--json", options.json, "Print JSON alone on stdout");
  several("--tenants", options.tenants, "NAMES|FILE",
          "Instead of --app: services that answer requests. nine, names of "
          "these, or a tenant.yaml; may be repeated");
  text("--server", options.server, "NAME[=cpus:LIST,memory:SIZE]",
       "Of tenants: what they share (default: this machine)");
  text("--out", options.out, "DIR",
       "Of tenants: the campaign's folder; one that is there is gone on with");
  text("--budget", options.budget, "TIME",
       "Of tenants: for all deployments of this mode (default 45m)");
  text("--target", options.target, "PERCENT",
       "Of random tenants: end when predictions of p95 are off by no more at "
       "the median, but not before 30 deployments (default 15%)");
  text("--quotas", options.quotas, "PERCENT",
       "Of random tenants: how many get a CPU quota, drawn between 1.1 and 3 "
       "times what they need (default 0%)");
}

}  // namespace edgewise::cli
