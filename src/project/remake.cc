#include "project/remake.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "experiments/sweep_plan.h"

namespace edgewise {
namespace {

using Words = std::vector<std::string>;

void Add(Words* words, const char* flag, std::string value) {
  words->emplace_back(flag);
  words->push_back(std::move(value));
}

// What a sweep varies is not repeated here.
void AddConditions(const Conditions& conditions, const std::vector<Knob>& knobs,
                   Words* words) {
  const auto varied = [&](std::string_view name) {
    return std::any_of(knobs.begin(), knobs.end(),
                       [&](const Knob& knob) { return knob.name == name; });
  };
  if (!conditions.cpus.empty() && !varied(kCpusKnob)) {
    Add(words, "--cpus", FormatCpuList(conditions.cpus));
  }
  if (conditions.threads && !varied(kThreadsKnob)) {
    Add(words, "--threads", std::to_string(*conditions.threads));
  }
  if (conditions.frequency_khz && !varied(kFrequencyKnob)) {
    Add(words, "--frequency", fmt::format("{}kHz", *conditions.frequency_khz));
  }
  if (conditions.cpu_quota_cores && !varied(kQuotaKnob)) {
    Add(words, "--cpu-quota", fmt::format("{}", *conditions.cpu_quota_cores));
  }
  if (conditions.memory_limit_bytes && !varied(kMemoryKnob)) {
    Add(words, "--memory-limit",
        std::to_string(*conditions.memory_limit_bytes));
  }
  for (const auto& [name, value] : conditions.env) {
    Add(words, "--env", name + "=" + value);
  }
  const std::pair<const char*, const std::string&> texts[] = {
      {"--cwd", conditions.cwd},
      {"--policy", conditions.policy},
      {"--prepare", conditions.prepare},
      {"--cleanup", conditions.cleanup}};
  for (const auto& [flag, value] : texts) {
    if (!value.empty()) {
      Add(words, flag, value);
    }
  }
  if (conditions.nice) {
    Add(words, "--nice", std::to_string(*conditions.nice));
  }
  const std::pair<const char*, const std::optional<int64_t>&> times[] = {
      {"--warmup", conditions.warmup_ns},
      {"--duration", conditions.duration_ns},
      {"--timeout", conditions.timeout_ns}};
  for (const auto& [flag, ns] : times) {
    if (ns) {
      Add(words, flag, TimeFlag(*ns));
    }
  }
  if (conditions.sample_hz != Conditions().sample_hz) {
    Add(words, "--sample-hz", fmt::format("{}", conditions.sample_hz));
  }
  if (conditions.stack_hz) {
    Add(words, "--stacks", fmt::format("{}", *conditions.stack_hz));
  }
}

// {load} where the flags of this way of loading stand.
void PutLoadBack(std::string_view load, Words* command) {
  const auto flags = LoadFlags(load);
  if (!flags) {
    return;
  }
  const auto place = std::search(command->begin(), command->end(),
                                 flags->begin(), flags->end());
  if (place != command->end()) {
    const auto after = command->erase(place, place + std::ssize(*flags));
    command->insert(after, "{load}");
  }
}

// The command with {NAME} for the values of knobs that edgewise has no flag
// for.
Words CommandOf(const Run& run, const std::vector<Knob>& knobs) {
  Words command = run.command;
  const auto setting = ParseSetting(run.group_role);
  if (!setting) {
    return command;
  }
  for (const Knob& knob : knobs) {
    const std::string value(ValueOf(*setting, knob.name));
    if (knob.name == kLoadKnob) {
      PutLoadBack(value, &command);
      continue;
    }
    const bool own_flag = knob.name == kCpusKnob || knob.name == kThreadsKnob ||
                          knob.name == kQuotaKnob || knob.name == kMemoryKnob ||
                          knob.name == kFrequencyKnob;
    for (std::string& word : command) {
      if (own_flag || value.empty()) {
        break;
      }
      if (word == value) {
        word = "{" + knob.name + "}";
      } else if (word.ends_with("=" + value)) {
        word.replace(word.size() - value.size(), value.size(),
                     "{" + knob.name + "}");
      }
    }
  }
  return command;
}

void AddKnob(const Knob& knob, Words* words) {
  if (knob.name == kCpusKnob) {
    for (const std::string& value : knob.values) {
      Add(words, "--cpus", value);
    }
    return;
  }
  const bool own_flag = knob.name == kThreadsKnob || knob.name == kQuotaKnob ||
                        knob.name == kMemoryKnob ||
                        knob.name == kFrequencyKnob || knob.name == kLoadKnob;
  const std::string values = Join(knob.values, ",");
  if (own_flag) {
    Add(words, ("--" + knob.name).c_str(), values);
  } else {
    Add(words, "--vary", knob.name + "=" + values);
  }
}

}  // namespace

std::string TimeFlag(int64_t ns) {
  constexpr std::pair<int64_t, const char*> kUnits[] = {
      {kNsPerSecond, "s"}, {kNsPerMs, "ms"}, {1000, "us"}};
  for (const auto& [unit_ns, name] : kUnits) {
    if (ns % unit_ns == 0) {
      return std::to_string(ns / unit_ns) + name;
    }
  }
  return std::to_string(ns) + "ns";
}

std::string RunAgain(const Run& run) {
  if (run.kind != "run" || run.command.empty()) {
    return "";
  }
  Words words{"edgewise", "run"};
  if (!run.label.empty()) {
    Add(&words, "--label", run.label);
  }
  AddConditions(run.conditions, {}, &words);
  words.emplace_back("--");
  words.insert(words.end(), run.command.begin(), run.command.end());
  return ShellQuote(words);
}

std::string CardAgain(const Card& card, const std::string& file) {
  if (!card.evidence || card.evidence->runs.empty()) {
    return "";
  }
  Words words{"edgewise", "card"};
  words.insert(words.end(), card.evidence->runs.begin(),
               card.evidence->runs.end());
  Add(&words, "--name", card.name);
  if (!card.evidence->span.empty()) {
    Add(&words, "--span", card.evidence->span);
  }
  if (card.period_ms) {
    Add(&words, "--period", fmt::format("{}ms", *card.period_ms));
  }
  if (card.deadline_ms) {
    Add(&words, "--deadline", fmt::format("{}ms", *card.deadline_ms));
  }
  if (card.wcet_time == "cpu") {
    words.emplace_back("--cpu-time");
  }
  if (card.wcet_kind == WcetKind::kPwcet) {
    Add(&words, "--wcet", std::string(WcetKindName(card.wcet_kind)));
  }
  return ShellQuote(words) + " > " + ShellQuote({file});
}

std::string SweepAgain(const Curve& curve, const Run& first) {
  Words words{"edgewise", "sweep"};
  for (const Knob& knob : curve.knobs) {
    AddKnob(knob, &words);
  }
  size_t repeat = 1;
  for (const MeasuredPoint& point : curve.points) {
    repeat = std::max(repeat,
                      point.repeats.size() + static_cast<size_t>(point.failed));
  }
  Add(&words, "--repeat", std::to_string(repeat));
  if (!curve.span.empty()) {
    Add(&words, "--span", curve.span);
  }
  AddConditions(first.conditions, curve.knobs, &words);
  words.emplace_back("--");
  const Words command = CommandOf(first, curve.knobs);
  words.insert(words.end(), command.begin(), command.end());
  return ShellQuote(words);
}

}  // namespace edgewise
