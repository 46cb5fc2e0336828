#include "report/outcome.h"

#include <fmt/format.h>

#include <vector>

#include "base/text.h"
#include "base/units.h"
#include "report/figures.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

std::string Limit(std::optional<int64_t> ns) {
  return ns ? " of " + FormatDuration(static_cast<double>(*ns)) : "";
}

Outcome SignalOutcome(const Run& run) {
  if (!run.signal) {
    return {"killed by a signal", "killed", Tone::kBad};
  }
  const std::string name = SignalName(*run.signal);
  return {fmt::format("killed by {} (signal {})", name, *run.signal), name,
          Tone::kBad};
}

Outcome ExitOutcome(const Run& run) {
  if (!run.exit_code) {
    return {"exited; its code is not known", "exited", Tone::kWarning};
  }
  if (*run.exit_code == 0) {
    return {"exited with code 0", "ok", Tone::kGood};
  }
  return {fmt::format("exited with code {}", *run.exit_code),
          fmt::format("exit {}", *run.exit_code), Tone::kBad};
}

}  // namespace

Outcome OutcomeOf(const Run& run) {
  if (run.state == RunState::kRunning) {
    return {"still running", "running", Tone::kPlain};
  }
  if (!run.end_reason) {
    if (run.kind == "import") {
      return {"imported from a file", "imported", Tone::kPlain};
    }
    if (run.state == RunState::kDone) {
      return {"ended; how is not known", std::string(kUnknown), Tone::kWarning};
    }
    return {"interrupted: edgewise ended first; what came before is kept",
            "interrupted", Tone::kWarning};
  }
  const Conditions& asked = run.conditions;
  switch (*run.end_reason) {
    case EndReason::kExited:
      return ExitOutcome(run);
    case EndReason::kSignal:
      return SignalOutcome(run);
    case EndReason::kDuration:
      return {
          "stopped as planned, at the --duration" + Limit(asked.duration_ns),
          "ok", Tone::kGood};
    case EndReason::kTimeout:
      return {"stopped: it ran past the --timeout" + Limit(asked.timeout_ns),
              "timed out", Tone::kBad};
    case EndReason::kCancelled:
      return {"cancelled by the user", "cancelled", Tone::kWarning};
    case EndReason::kOutOfMemory:
      return {asked.memory_limit_bytes
                  ? "killed: it ran over its memory limit of " +
                        BytesText(asked.memory_limit_bytes)
                  : "killed: out of memory",
              "no memory", Tone::kBad};
    case EndReason::kDetached:
      return {"detached; the program runs on", "detached", Tone::kGood};
    case EndReason::kFailed:
      return {"could not be started", "failed", Tone::kBad};
  }
  return {std::string(kUnknown), std::string(kUnknown), Tone::kPlain};
}

std::string CommandText(const Run& run) {
  if (run.command.empty()) {
    return run.kind == "import" ? "(imported)" : "(no command)";
  }
  constexpr size_t kMostBytes = 1000;
  std::string line = ShellQuote(run.command);
  if (line.size() > kMostBytes) {
    line = line.substr(0, kMostBytes) + " ... (" +
           FormatCount(static_cast<int64_t>(line.size())) + " characters)";
  }
  return Printable(line);
}

std::string ConditionsText(const Conditions& conditions) {
  std::vector<std::string> parts;
  if (!conditions.cpus.empty()) {
    parts.push_back((conditions.cpus.size() == 1 ? "CPU " : "CPUs ") +
                    FormatCpuList(conditions.cpus));
  }
  if (conditions.frequency_khz) {
    parts.push_back(
        FormatFrequency(static_cast<double>(*conditions.frequency_khz)));
  }
  if (conditions.threads) {
    parts.push_back(fmt::format("{} thread{}", *conditions.threads,
                                *conditions.threads == 1 ? "" : "s"));
  }
  if (conditions.cpu_quota_cores) {
    parts.push_back("quota " + Figure(*conditions.cpu_quota_cores) + " cores");
  }
  if (conditions.memory_limit_bytes) {
    parts.push_back("memory limit " + BytesText(conditions.memory_limit_bytes));
  }
  if (conditions.nice) {
    parts.push_back(fmt::format("nice {}", *conditions.nice));
  }
  if (!conditions.policy.empty()) {
    parts.push_back("policy " + Printable(conditions.policy));
  }
  if (conditions.warmup_ns) {
    parts.push_back("warm-up " +
                    FormatDuration(static_cast<double>(*conditions.warmup_ns)));
  }
  for (const auto& [name, value] : conditions.env) {
    parts.push_back(Printable(name + "=" + value));
  }
  return Join(parts, " · ");
}

std::string MachineText(const Machine& machine) {
  std::vector<std::string> parts;
  if (!machine.hostname.empty()) {
    parts.push_back(Printable(machine.hostname));
  }
  if (machine.cores > 0) {
    const std::string& model =
        machine.cpu_model.empty() ? machine.architecture : machine.cpu_model;
    parts.push_back(fmt::format("{} × {}", machine.cores, Printable(model)));
  }
  if (!machine.kernel.empty()) {
    parts.push_back("Linux " + Printable(machine.kernel));
  }
  if (!machine.governor.empty()) {
    parts.push_back("governor " + Printable(machine.governor));
  }
  if (!machine.virtualization.empty()) {
    parts.push_back("in " + Printable(machine.virtualization));
  }
  return Join(parts, " · ");
}

}  // namespace edgewise
