#include "experiments/sweep_plan.h"

#include <algorithm>
#include <random>

#include "base/text.h"
#include "base/units.h"

namespace edgewise {
namespace {

constexpr size_t kMostPoints = 10000;

Error Invalid(std::string message) {
  return {ErrorCode::kInvalid, std::move(message)};
}

// FNV-1a, 64 bits.
class Digest {
 public:
  void Add(std::string_view text) {
    for (const unsigned char c : text) {
      Byte(c);
    }
    Byte(0xff);  // in no UTF-8 text
  }
  void Add(int64_t value) { Add(std::to_string(value)); }
  uint64_t value() const { return hash_; }

 private:
  void Byte(unsigned char c) { hash_ = (hash_ ^ c) * 0x100000001b3; }
  uint64_t hash_ = 0xcbf29ce484222325;
};

bool Mentions(const SessionSettings& base, const std::string& name) {
  const std::string mark = "{" + name + "}";
  const auto has = [&mark](const std::string& text) {
    return text.find(mark) != std::string::npos;
  };
  const auto& env = base.conditions.env;
  return std::any_of(base.command.begin(), base.command.end(), has) ||
         std::any_of(env.begin(), env.end(),
                     [&](const auto& entry) { return has(entry.second); }) ||
         has(base.conditions.prepare) || has(base.conditions.cleanup);
}

// The command of a point. A load that the command does not place itself goes
// to its end.
Result<std::vector<std::string>> CommandAt(const SessionSettings& base,
                                           const KnobSetting& setting) {
  const std::string_view load = ValueOf(setting, kLoadKnob);
  std::vector<std::string> flags;
  if (!load.empty()) {
    auto made = LoadFlags(load);
    if (!made) {
      return made;
    }
    flags = std::move(*made);
  }
  const KnobSetting rest = Without(setting, kLoadKnob);
  std::vector<std::string> command;
  bool placed = false;
  for (const std::string& word : base.command) {
    if (!load.empty() && word == "{load}") {
      command.insert(command.end(), flags.begin(), flags.end());
      placed = true;
    } else {
      command.push_back(Substitute(word, rest));
    }
  }
  if (!placed) {
    command.insert(command.end(), flags.begin(), flags.end());
  }
  return command;
}

Result<void> ApplyOwnKnobs(const KnobSetting& setting, Conditions* conditions) {
  if (const auto cpus = ValueOf(setting, kCpusKnob); !cpus.empty()) {
    auto list = ParseCpuList(cpus);
    if (!list) {
      return Invalid("--cpus: " + list.error().message);
    }
    conditions->cpus = std::move(*list);
  }
  if (const auto threads = ValueOf(setting, kThreadsKnob); !threads.empty()) {
    const auto count = ParseInt(threads);
    if (!count || *count < 1 || *count > 4096) {
      return Invalid("--threads: \"" + std::string(threads) +
                     "\" is not a number from 1 to 4096");
    }
    conditions->threads = static_cast<int>(*count);
  }
  if (const auto quota = ValueOf(setting, kQuotaKnob); !quota.empty()) {
    const auto cores = ParseCpuQuota(quota);
    if (!cores) {
      return Invalid("--quota: " + cores.error().message);
    }
    conditions->cpu_quota_cores = *cores;
  }
  if (const auto memory = ValueOf(setting, kMemoryKnob); !memory.empty()) {
    const auto bytes = ParseBytes(memory);
    if (!bytes) {
      return Invalid("--memory: " + bytes.error().message);
    }
    conditions->memory_limit_bytes = *bytes;
  }
  if (const auto clock = ValueOf(setting, kFrequencyKnob); !clock.empty()) {
    const auto khz = ParseFrequencyKhz(clock);
    if (!khz) {
      return Invalid("--frequency: " + khz.error().message);
    }
    conditions->frequency_khz = *khz;
  }
  return {};
}

Result<SweepPoint> PointAt(const SweepRequest& request,
                           const KnobSetting& setting) {
  SweepPoint point;
  point.setting = setting;
  point.name = FormatSetting(setting);
  point.settings = request.base;
  SessionSettings& settings = point.settings;
  settings.group_role = point.name;
  settings.pass_output = false;
  settings.experiment = FormatSweep(request);
  auto command = CommandAt(request.base, setting);
  if (!command) {
    return command.error();
  }
  settings.command = std::move(*command);
  for (auto& [name, value] : settings.conditions.env) {
    value = Substitute(value, setting);
  }
  settings.conditions.prepare =
      Substitute(settings.conditions.prepare, setting);
  settings.conditions.cleanup =
      Substitute(settings.conditions.cleanup, setting);
  if (const auto applied = ApplyOwnKnobs(setting, &settings.conditions);
      !applied) {
    return applied.error();
  }
  if (const auto checked = CheckSettings(settings); !checked) {
    return Error{checked.error().code,
                 (point.name.empty() ? "" : "at " + point.name + ": ") +
                     checked.error().message};
  }
  return point;
}

uint64_t DigestOf(const SweepRequest& request) {
  Digest digest;
  const SessionSettings& base = request.base;
  const Conditions& c = base.conditions;
  for (const std::string& word : base.command) {
    digest.Add(word);
  }
  for (const Knob& knob : request.knobs) {
    digest.Add(knob.name);
    for (const std::string& value : knob.values) {
      digest.Add(value);
    }
  }
  for (const auto& [name, value] : c.env) {
    digest.Add(name);
    digest.Add(value);
  }
  for (const std::string& text :
       {c.cwd, c.policy, c.prepare, c.cleanup, base.label, base.note}) {
    digest.Add(text);
  }
  digest.Add(c.nice.value_or(0));
  for (const auto& time : {c.warmup_ns, c.duration_ns, c.timeout_ns}) {
    digest.Add(time.value_or(-1));
  }
  digest.Add(std::to_string(c.sample_hz));
  digest.Add(std::to_string(c.stack_hz.value_or(0)));
  for (const std::string& event : base.events) {
    digest.Add(event);
  }
  digest.Add(request.repeat);
  digest.Add(static_cast<int64_t>(request.seed));
  return digest.value();
}

}  // namespace

std::string FormatSweep(const SweepRequest& request) {
  std::vector<std::string> words{"sweep",
                                 "seed=" + std::to_string(request.seed)};
  for (const Knob& knob : request.knobs) {
    for (const std::string& value : knob.values) {
      words.push_back(knob.name + "=" + value);
    }
  }
  return ShellQuote(words);
}

std::vector<Knob> KnobsOfSweep(std::string_view experiment) {
  constexpr std::string_view kStart = "sweep seed=";
  std::vector<Knob> knobs;
  const size_t blank = experiment.find(' ', kStart.size());
  if (!experiment.starts_with(kStart) || blank == std::string_view::npos) {
    return knobs;
  }
  const auto values = ParseSetting(experiment.substr(blank));
  if (!values) {
    return knobs;
  }
  for (const KnobValue& value : *values) {
    if (knobs.empty() || knobs.back().name != value.name) {
      knobs.push_back({value.name, {}});
    }
    knobs.back().values.push_back(value.value);
  }
  return knobs;
}

Result<std::vector<std::string>> LoadFlags(std::string_view load) {
  if (load == "single") {
    return std::vector<std::string>{"--max"};
  }
  if (load == "at-once") {
    return std::vector<std::string>{"--arrivals", "at-once"};
  }
  constexpr std::string_view kPoisson = "poisson:";
  if (load.starts_with(kPoisson)) {
    const std::string_view rate = load.substr(kPoisson.size());
    if (const auto hz = ParseDouble(rate); hz && *hz > 0) {
      return std::vector<std::string>{"--rate", std::string(rate), "--arrivals",
                                      "poisson"};
    }
  }
  return Invalid("--load: \"" + std::string(load) +
                 "\" is not a way to load an app: write single, at-once or "
                 "poisson:RATE, e.g. poisson:20");
}

Result<SweepPlan> PlanSweep(const SweepRequest& request) {
  size_t count = 1;
  for (const Knob& knob : request.knobs) {
    if (knob.values.empty()) {
      return Invalid("--" + knob.name +
                     " has no values: there is nothing to "
                     "sweep");
    }
    count *= knob.values.size();
    if (count > kMostPoints) {
      return Invalid("the knobs have more than " +
                     FormatCount(static_cast<int64_t>(kMostPoints)) +
                     " combinations: give fewer values");
    }
    static constexpr std::string_view kApplied[] = {
        kCpusKnob,   kThreadsKnob,   kQuotaKnob,
        kMemoryKnob, kFrequencyKnob, kLoadKnob};
    if (std::find(std::begin(kApplied), std::end(kApplied), knob.name) ==
            std::end(kApplied) &&
        !Mentions(request.base, knob.name)) {
      return Invalid("--vary " + knob.name + ": {" + knob.name +
                     "} appears nowhere in the command: write it where the "
                     "value belongs");
    }
  }
  SweepPlan plan;
  for (const KnobSetting& setting : AllSettings(request.knobs)) {
    auto point = PointAt(request, setting);
    if (!point) {
      return point.error();
    }
    plan.points.push_back(std::move(*point));
  }
  std::mt19937_64 random(request.seed);
  for (int repeat = 0; repeat < request.repeat; ++repeat) {
    std::vector<size_t> order(plan.points.size());
    for (size_t i = 0; i < order.size(); ++i) {
      // Fisher and Yates: the same on every standard library.
      const size_t j = random() % (i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    for (const size_t point : order) {
      plan.steps.push_back({point, repeat});
    }
  }
  plan.digest = DigestOf(request);
  return plan;
}

}  // namespace edgewise
