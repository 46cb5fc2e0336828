#include "cli/app.h"

#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <string_view>

#include "base/nearest.h"
#include "base/text.h"
#include "cli/verbs.h"
#include "execution/calibrate_timers.h"
#include "execution/job_starter.h"
#include "jobs/job_process.h"

namespace edgewise::cli {
namespace {

// Help as we speak of it: verbs, and the command that `run` takes.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() {
    label("SUBCOMMAND", "VERB");
    label("SUBCOMMANDS", "VERB");
  }
  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string usage = CLI::Formatter::make_usage(app, std::move(name));
    if (app->get_prefix_command()) {
      usage.insert(usage.find_last_not_of('\n') + 1,
                   " [--] COMMAND [ARGUMENT...]");
    }
    return usage;
  }
};

// What `run` answers when edgewise itself fails, as env(1) and timeout(1).
constexpr int kExitRunFailed = 125;

bool TakesCommand(std::string_view verb) {
  return verb == "run" || verb == "sweep" || verb == "fit" || verb == "mqtt";
}

// Everything after the first "--" of `run` and its kin belongs to the measured
// command; CLI11 would look for our own options there.
std::vector<std::string> CutCommand(std::vector<std::string>& arguments) {
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  if (dashes == arguments.end()) {
    return {};
  }
  std::vector<std::string> command(dashes + 1, arguments.end());
  arguments.erase(dashes, arguments.end());
  return command;
}

// The verb's name on the command line; empty if there is none.
std::string VerbOf(const std::vector<std::string>& arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--home") {
      ++i;  // its value
    } else if (!arguments[i].starts_with("-")) {
      return arguments[i];
    }
  }
  return "";
}

std::vector<std::string> VerbNames(const CLI::App& root) {
  std::vector<std::string> names;
  for (const CLI::App* verb : root.get_subcommands({})) {
    names.push_back(verb->get_name());
  }
  return names;
}

// CLI11's complaint as one sentence that ends with what to do.
std::string Explain(const CLI::App& root, const CLI::ParseError& error,
                    const std::string& verb) {
  const std::vector<std::string> verbs = VerbNames(root);
  if (verb.empty()) {
    return "no verb given: try edgewise --help";
  }
  if (std::find(verbs.begin(), verbs.end(), verb) == verbs.end()) {
    const auto near = Nearest(verb, verbs);
    return "there is no verb \"" + verb + "\"" +
           (near ? ": did you mean " + *near + "?"
                 : ": edgewise --help lists them");
  }
  std::string text = error.what();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text + " (see edgewise " + verb + " --help)";
}

// A standard stream that is closed would be the number of the next file that
// is opened, and what is meant for the stream would go there.
void FillStandardStreams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (::fcntl(fd, F_GETFD) < 0) {
      ::open("/dev/null", O_RDWR);
    }
  }
}

}  // namespace

std::unique_ptr<CLI::App> DefineCommandLine(Context& context) {
  auto root = std::make_unique<CLI::App>(
      "edgewise measures edge applications and turns the measurements into "
      "decisions that hold.",
      "edgewise");
  root->formatter(std::make_shared<HelpFormatter>());
  root->require_subcommand(1);
  root->set_version_flag("--version,-V", "edgewise " EDGEWISE_VERSION,
                         "Print the version and exit");
  root->set_help_flag("--help,-h", "Print this help and exit");
  const auto add_home = [&context](CLI::App& app) {
    app.add_option("--home", context.home,
                   "Folder of the store (default $EDGEWISE_HOME, else the XDG "
                   "data folder)")
        ->type_name("DIR");
  };
  add_home(*root);
  root->footer(
      "Start with `edgewise doctor`, then `edgewise run -- ./your-app`.\n"
      "Every verb has --help. Exit codes: 0 done, 1 the answer is no, 2 bad "
      "input,\n3 this machine cannot do it; `run` answers with the program's "
      "own code.");
  AddDoctor(*root, context);
  AddInit(*root, context);
  AddRun(*root, context);
  AddAb(*root, context);
  AddSweep(*root, context);
  AddFit(*root, context);
  AddContend(*root, context);
  AddStress(*root, context);
  AddCalibrate(*root, context);
  AddImpair(*root, context);
  AddPlan(*root, context);
  AddApply(*root, context);
  AddExec(*root, context);
  AddInspect(*root, context);
  AddMeasureModel(*root, context);
  AddPredict(*root, context);
  AddPlace(*root, context);
  AddTrain(*root, context);
  AddEvaluate(*root, context);
  AddBundle(*root, context);
  AddServe(*root, context);
  AddSubmit(*root, context);
  AddJobs(*root, context);
  AddAgent(*root, context);
  AddTop(*root, context);
  AddData(*root, context);
  AddMqtt(*root, context);
  AddShow(*root, context);
  AddList(*root, context);
  AddCompare(*root, context);
  AddHistory(*root, context);
  AddCard(*root, context);
  AddExport(*root, context);
  AddImport(*root, context);
  AddGc(*root, context);
  AddManual(*root, context);
  AddCompletion(*root, context);
  for (CLI::App* verb : root->get_subcommands({})) {
    // Falling through would look for the words of a measured command here.
    if (verb->get_prefix_command()) {
      add_home(*verb);
    } else {
      verb->fallthrough();
      verb->group("Verbs");
    }
  }
  return root;
}

int Main(int argc, char** argv) {
  // A reader that goes away (`edgewise list | head`) must not kill us halfway
  // through a run; writes fail instead.
  std::signal(SIGPIPE, SIG_IGN);
  FillStandardStreams();
  Context context;
  context.home = DefaultHome();
  const std::unique_ptr<CLI::App> root = DefineCommandLine(context);

  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && arguments.front() == kJobStarterWord) {
    arguments.erase(arguments.begin());
    return RunJobStarter(arguments);
  }
  if (!arguments.empty() && arguments.front() == kEmptyJobsWord) {
    return RunEmptyJobs();
  }
  if (arguments.size() > 2 && arguments.front() == kJobWord) {
    const auto server = ParseInt(arguments[1]);
    if (!server || !BecomeJobProcess(static_cast<int>(*server))) {
      return kExitRunFailed;
    }
    arguments.erase(arguments.begin(), arguments.begin() + 2);
  }
  context.arguments = arguments;
  const std::string verb = VerbOf(arguments);
  if (TakesCommand(verb)) {
    context.command = CutCommand(arguments);
  }
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants it
  try {
    root->parse(arguments);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = root->get_subcommands();
    Print(chosen.empty() ? root->help() : chosen.front()->help("edgewise"));
    return kExitDone;
  } catch (const CLI::CallForVersion&) {
    Print("edgewise " EDGEWISE_VERSION "\n");
    return kExitDone;
  } catch (const CLI::ParseError& error) {
    PrintError(Explain(*root, error, verb));
    return verb == "run" ? kExitRunFailed : kExitUsage;
  }
  if (const auto error = StdoutError()) {
    const int code = Fail(*error);
    return verb == "run" ? kExitRunFailed : code;
  }
  return context.exit_code;
}

}  // namespace edgewise::cli
