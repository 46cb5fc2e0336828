#include "load/options.h"

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"

namespace edgewise::apps {
namespace {

constexpr int kMostThreads = 1024;

// A duration flag; nullopt if it was not given.
Result<std::optional<int64_t>> Duration(const char* flag,
                                        const std::string& text) {
  if (text.empty()) {
    return std::optional<int64_t>();
  }
  const auto parsed = ParseDurationNs(text);
  if (!parsed) {
    return Error{parsed.error().code,
                 std::string(flag) + ": " + parsed.error().message};
  }
  return std::optional<int64_t>(*parsed);
}

Error Invalid(const std::string& message) {
  return Error{ErrorCode::kInvalid, message};
}

// What `edgewise run --threads N` tells the programs it starts.
Result<int> ThreadsFromEnvironment() {
  const char* text = std::getenv("EDGEWISE_THREADS");
  if (text == nullptr || *text == '\0') {
    return 1;
  }
  const auto threads = ParseInt(text);
  if (!threads || *threads < 1 || *threads > kMostThreads) {
    return Invalid("EDGEWISE_THREADS is \"" + std::string(text) +
                   "\": it must be a number from 1 to " +
                   std::to_string(kMostThreads));
  }
  return static_cast<int>(*threads);
}

}  // namespace

void LoadFlags::AddTo(CLI::App& app) {
  auto* max = app.add_flag("--max", max_,
                           starts_ == Starts::kOwn
                               ? "Each item when the one before has ended "
                                 "(default)"
                               : "Messages as they come (default)");
  auto* rate =
      app.add_option("--rate", rate_,
                     "Items per second, on a fixed schedule: an item that "
                     "starts late counts from when it was meant to start")
          ->type_name("HZ")
          ->excludes(max);
  app.add_option("--period", period_,
                 "As a periodic task: one job each period, with a deadline")
      ->type_name("TIME")
      ->excludes(max)
      ->excludes(rate);
  app.add_option("--deadline", deadline_,
                 "After each intended start (default: the period)")
      ->type_name("TIME")
      ->excludes(max);
  app.add_option("--arrivals", arrivals_,
                 "even (default) or poisson with --rate; at-once: all items "
                 "are due at the start")
      ->type_name("KIND")
      ->excludes(max)
      ->check(CLI::IsMember({"even", "poisson", "at-once"}).description(""));
  app.add_option(
         "--items", items_,
         "How many" + (default_items_
                           ? " (default " + std::to_string(*default_items_) +
                                 ", or the whole file)"
                           : std::string(" (default: until stopped)")))
      ->type_name("N")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 53).description(""));
  app.add_option("--duration", duration_, "End after this time")
      ->type_name("TIME");
  app.add_option("--threads", threads_,
                 "Threads that share the work of an item (default "
                 "$EDGEWISE_THREADS, else 1)")
      ->type_name("N")
      ->check(CLI::Range(1, kMostThreads).description(""));
  app.add_option("--seed", plain_.seed, "Of synthetic input (default 1)")
      ->type_name("N");
  app.add_flag("--json", plain_.json, "Print the result as one line of JSON");
}

void LoadFlags::AddInputTo(CLI::App& app, const std::string& forms) {
  app.add_option("--input", plain_.input, forms)->type_name("INPUT");
}

Result<void> LoadFlags::CheckArrivals(LoadOptions& options) const {
  const auto period = Duration("--period", period_);
  if (!period) {
    return period.error();
  }
  const auto deadline = Duration("--deadline", deadline_);
  if (!deadline) {
    return deadline.error();
  }
  options.deadline_ns = *deadline;
  if (!rate_.empty()) {
    const auto rate = ParseDouble(rate_);
    if (!rate || !(*rate >= 1e-6) || !(*rate <= 1e6)) {
      return Invalid("--rate: \"" + rate_ +
                     "\" must be items per second, from 0.000001 to 1000000");
    }
    options.arrivals = Arrivals::kEven;
    options.gap_ns = static_cast<double>(kNsPerSecond) / *rate;
  } else if (*period) {
    options.arrivals = Arrivals::kEven;
    options.gap_ns = static_cast<double>(**period);
    options.deadline_ns = deadline->value_or(**period);
  }
  if (arrivals_ == "at-once") {
    if (options.arrivals != Arrivals::kBackToBack) {
      return Invalid(
          "--arrivals at-once has no rate: leave --rate and --period"
          " out");
    }
    options.arrivals = Arrivals::kAtOnce;
  } else if (!arrivals_.empty() && rate_.empty()) {
    return Invalid("--arrivals " + arrivals_ + " needs --rate");
  } else if (arrivals_ == "poisson") {
    options.arrivals = Arrivals::kPoisson;
  }
  if (*deadline && options.arrivals == Arrivals::kBackToBack &&
      starts_ == Starts::kOwn) {
    return Invalid(
        "--deadline needs --period, --rate or --arrivals at-once: "
        "without intended starts nothing can be late");
  }
  return {};
}

Result<LoadOptions> LoadFlags::Check() const {
  LoadOptions options = plain_;
  if (const auto arrivals = CheckArrivals(options); !arrivals) {
    return arrivals.error();
  }
  const auto duration = Duration("--duration", duration_);
  if (!duration) {
    return duration.error();
  }
  options.duration_ns = *duration;
  options.items = items_;
  if (!items_ && !*duration && options.input == "synthetic") {
    options.items = default_items_;
  }
  options.threads = threads_;
  if (threads_ == 0) {
    const auto threads = ThreadsFromEnvironment();
    if (!threads) {
      return threads.error();
    }
    options.threads = *threads;
  }
  return options;
}

}  // namespace edgewise::apps
