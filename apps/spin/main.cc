// spin: a calibrated amount of CPU per item, for tests and experiments.
#include <CLI/CLI.hpp>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "load/drive.h"
#include "load/program.h"
#include "spin/spin_work.h"

namespace edgewise::apps {
namespace {

constexpr int64_t kDefaultItems = 200;
constexpr int64_t kMostWorkNs = 3600 * kNsPerSecond;

struct Settings {
  std::string work = "5ms";
  std::optional<int64_t> steps;
  std::string surge;
};

// "30s:1.5": after 30 s an item takes one and a half times the work.
Result<Surge> ParseSurge(const std::string& text) {
  if (text.empty()) {
    return Surge{};
  }
  const size_t colon = text.find(':');
  const auto after_ns = ParseDurationNs(text.substr(0, colon));
  const auto factor = colon == std::string::npos
                          ? std::nullopt
                          : ParseDouble(text.substr(colon + 1));
  if (!after_ns || !factor || *factor <= 0 || *factor > 1000) {
    return Error{ErrorCode::kInvalid,
                 "--surge: write a time and a factor, such as 30s:1.5"};
  }
  return Surge{*after_ns, *factor};
}

Result<Outcome> Run(const Settings& settings, const LoadOptions& options) {
  int64_t steps = 0;
  if (settings.steps) {
    steps = *settings.steps;
  } else {
    const auto work_ns = ParseDurationNs(settings.work);
    if (!work_ns) {
      return Error{work_ns.error().code, "--work: " + work_ns.error().message};
    }
    if (*work_ns > kMostWorkNs) {
      return Error{ErrorCode::kInvalid, "--work: more than an hour per item"};
    }
    steps = CalibrateSteps(*work_ns);
  }
  const auto surge = ParseSurge(settings.surge);
  if (!surge) {
    return surge.error();
  }
  SpinWork work(steps, options.threads, options.seed, *surge);
  auto outcome = Drive(options, work);
  if (outcome) {
    outcome->facts.emplace_back("steps", steps);
  }
  return outcome;
}

}  // namespace
}  // namespace edgewise::apps

int main(int argc, char** argv) {
  using namespace edgewise::apps;
  CLI::App app("Uses a calibrated amount of CPU time per item.", "spin");
  LoadFlags flags(kDefaultItems);
  Settings settings;
  auto* work = app.add_option("--work", settings.work,
                              "CPU time per item when nothing disturbs "
                              "(default 5ms); measured once, at the start")
                   ->type_name("TIME");
  app.add_option("--steps", settings.steps,
                 "The work of an item as a number of steps, as --json shows "
                 "it: without measuring, the same in every run")
      ->type_name("N")
      ->excludes(work)
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 53).description(""));
  app.add_option("--surge", settings.surge,
                 "After that time items take so many times the work, e.g. "
                 "30s:1.5")
      ->type_name("TIME:FACTOR");
  flags.AddTo(app);
  app.footer("Example: edgewise run -- spin --work 2ms --rate 100 --items 500");
  return RunProgram(argc, argv, app, flags, [&](const LoadOptions& options) {
    return Run(settings, options);
  });
}
