// `edgewise impair`: a link made worse, until Ctrl-C.
#include <signal.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <memory>
#include <optional>

#include "base/clock.h"
#include "base/host_port.h"
#include "base/units.h"
#include "cli/option_values.h"
#include "cli/verbs.h"
#include "controls/guardian.h"
#include "impair/netem.h"
#include "impair/path.h"
#include "report/impair_text.h"
#include "report/json_writer.h"
#include "store/store.h"

namespace edgewise::cli {
namespace {

struct Options {
  std::string impairment;
  std::string listen = "0";
  std::string to;
  std::string means;
  std::string interface;
  std::string duration;
  uint64_t seed = 1;
  bool json = false;
};

// The signals that end it, blocked from the start so that none is missed.
class StopSignals {
 public:
  StopSignals() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGINT);
    sigaddset(&set_, SIGTERM);
    struct sigaction hang_up {};
    sigaction(SIGHUP, nullptr, &hang_up);
    if (hang_up.sa_handler != SIG_IGN) {  // as nohup(1) wants it
      sigaddset(&set_, SIGHUP);
    }
    pthread_sigmask(SIG_BLOCK, &set_, nullptr);
  }
  void Wait(std::optional<int64_t> limit_ns) const {
    if (!limit_ns) {
      int number = 0;
      sigwait(&set_, &number);
      return;
    }
    const int64_t end_ns = MonotonicNs() + *limit_ns;
    for (int64_t left_ns = *limit_ns; left_ns > 0;
         left_ns = end_ns - MonotonicNs()) {
      const timespec left{left_ns / kNsPerSecond, left_ns % kNsPerSecond};
      if (sigtimedwait(&set_, nullptr, &left) > 0) {
        return;
      }
    }
  }

 private:
  sigset_t set_;
};

// What an option said is named by the error.
Error Of(const char* option, const Error& error) {
  return {error.code, std::string(option) + ": " + error.message};
}

Result<PathSettings> PathFrom(const Options& options,
                              const Impairment& impairment) {
  PathSettings settings;
  settings.proxy.impairment = impairment;
  settings.proxy.seed = options.seed;
  const auto to = ParseHostPort(options.to);
  if (!to) {
    return Of("--to", to.error());
  }
  settings.proxy.upstream_host = to->host;
  settings.proxy.upstream_port = to->port;
  const auto listen = ParseHostPort(options.listen, "127.0.0.1", 0);
  if (!listen) {
    return Of("--listen", listen.error());
  }
  settings.proxy.listen_host = listen->host;
  settings.proxy.listen_port = listen->port;
  if (!options.means.empty()) {
    const auto means = ParseImpairMeans(options.means);
    if (!means) {
      return Of("--means", means.error());
    }
    settings.means = *means;
  }
  return settings;
}

int ImpairPath(const Options& options, const Impairment& impairment,
               std::optional<int64_t> limit_ns) {
  const auto settings = PathFrom(options, impairment);
  if (!settings) {
    return Fail(settings.error());
  }
  const StopSignals signals;
  auto path = ImpairedPath::Open(*settings);
  if (!path) {
    return Fail(path.error());
  }
  const std::string text = FormatImpairment(impairment);
  if (options.json) {
    Print(JsonObject()
              .AddString("event", "listening")
              .AddString("host", path->host())
              .AddInt("port", path->port())
              .AddString("to", options.to)
              .AddString("impairment", text)
              .AddString("means", ImpairMeansName(path->means()))
              .AddString("description", path->description())
              .text() +
          "\n");
  } else {
    Print("listening on " + FormatHostPort(path->host(), path->port()) +
          ", which leads to " + options.to + " with " + text + "\nby " +
          path->description() + "\n");
  }
  signals.Wait(limit_ns);
  const ProxyCounts counts = path->Counts();
  path->Stop();
  Print(options.json
            ? JsonObject()
                      .AddString("event", "ended")
                      .Add("counts", ImpairJson(counts, path->means()))
                      .text() +
                  "\n"
            : ImpairText(counts, path->means(), StyleFor(STDOUT_FILENO)));
  return kExitDone;
}

int ImpairInterface(const Options& options, const Impairment& impairment,
                    std::optional<int64_t> limit_ns, const Context& context) {
  if (impairment.disconnect_every_ns) {
    return Fail({ErrorCode::kInvalid,
                 "an interface cannot disconnect: leave disconnect out, or use "
                 "--to"});
  }
  const StopSignals signals;
  auto guardian = Guardian::Start(context.home, NewRunId());
  if (!guardian) {
    return Fail(guardian.error());
  }
  if (const auto held =
          guardian->HoldNetem(options.interface, NetemValuesFrom(impairment));
      !held) {
    return Fail(held.error());
  }
  const std::string text = FormatImpairment(impairment);
  Print(options.json
            ? JsonObject()
                      .AddString("event", "impaired")
                      .AddString("interface", options.interface)
                      .AddString("impairment", text)
                      .AddString("means", "netem")
                      .text() +
                  "\n"
            : "what leaves through " + options.interface + " meets " + text +
                  ", by netem of the kernel; what arrives does not\n");
  signals.Wait(limit_ns);
  const auto ended = guardian->End();
  return ended ? kExitDone : Fail(ended.error());
}

int Execute(const Options& options, const Context& context) {
  const auto impairment = ParseImpairment(options.impairment);
  if (!impairment) {
    return Fail(Of("--impair", impairment.error()));
  }
  const auto limit_ns = DurationOption("--duration", options.duration);
  if (!limit_ns) {
    return Fail(limit_ns.error());
  }
  if (options.to.empty() == options.interface.empty()) {
    return Fail({ErrorCode::kInvalid,
                 "say what to impair: the way to a server with --to HOST:PORT, "
                 "or a network interface with --interface NAME"});
  }
  // What an earlier one that was killed may have left on an interface.
  (void)SweepStale(context.home);
  return options.interface.empty()
             ? ImpairPath(options, *impairment, *limit_ns)
             : ImpairInterface(options, *impairment, *limit_ns, context);
}

}  // namespace

void AddImpair(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "impair", "Put delay, jitter, loss and outages between two programs");
  auto options = std::make_shared<Options>();
  verb->add_option("--impair", options->impairment,
                   "delay=TIME, jitter=TIME, loss=PERCENT, rate=BITS, "
                   "disconnect=every:TIME[:for:TIME]; several with commas")
      ->type_name("WHAT")
      ->required();
  verb->add_option("--to", options->to, "The server to lead to")
      ->type_name("HOST:PORT");
  verb->add_option("--listen", options->listen,
                   "Where clients connect instead (default: a free port of "
                   "127.0.0.1, which is printed)")
      ->type_name("[HOST:]PORT");
  verb->add_option("--means", options->means,
                   "netem (of the kernel) or proxy (in user space); default: "
                   "netem where there is one")
      ->type_name("MEANS");
  verb->add_option("--interface", options->interface,
                   "Impair all that leaves through a network interface "
                   "instead, with netem (needs root)")
      ->type_name("NAME")
      ->excludes("--to")
      ->excludes("--listen")
      ->excludes("--means");
  verb->add_option("--duration", options->duration,
                   "How long (default: until Ctrl-C or SIGTERM)")
      ->type_name("TIME");
  verb->add_option("--seed", options->seed,
                   "Of the proxy's randomness (default 1)")
      ->type_name("N");
  verb->add_flag("--json", options->json,
                 "Print one JSON object a line on stdout: at the start, and "
                 "counts at the end");
  verb->footer(
      "Each direction meets all of it: a round trip has twice the delay.\n"
      "Example: edgewise impair --to localhost:1883 --listen 2883 --impair "
      "delay=40ms,jitter=5ms,loss=1%");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options, context); });
}

}  // namespace edgewise::cli
