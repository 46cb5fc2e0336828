#include "scheduling/machine_timers.h"

#include <fmt/format.h>

#include "base/units.h"
#include "base/yaml_reader.h"
#include "base/yaml_scalar.h"

namespace edgewise {
namespace {

constexpr double kMostSamples = 1e15;

std::string DelayYaml(std::string_view key, const MeasuredDelay& delay) {
  return fmt::format(
      "{}:\n  samples: {}\n  p50_ms: {}\n  p99_ms: {}\n  bound_ms: {}\n  "
      "max_ms: {}\n",
      key, delay.samples, FormatMs(delay.p50_ns), FormatMs(delay.p99_ns),
      FormatMs(delay.bound_ns), FormatMs(delay.max_ns));
}

class TimersReader : private YamlReader {
 public:
  explicit TimersReader(std::string_view origin) : YamlReader(origin) {}

  Result<MachineTimers> Read(const YamlNode& root) {
    MachineTimers timers;
    ReadMap(root, "a file of timers",
            {{"machine", Text(timers.machine)},
             {"created", Text(timers.created)},
             {"realtime", Flag(timers.realtime)},
             {"latency", Delay(timers.latency)},
             {"hand_over", Delay(timers.hand_over)}});
    if (timers.machine.empty()) {
      Refuse(root, "the file needs `machine`");
    }
    if (problem()) {
      return *problem();
    }
    return timers;
  }

 private:
  Take Delay(MeasuredDelay& delay) {
    return [this, &delay](std::string_view key, const YamlNode& value) {
      ReadMap(value, key,
              {{"samples", WithNumber(0, kMostSamples,
                                      [&delay](double number) {
                                        delay.samples =
                                            static_cast<int64_t>(number);
                                      })},
               {"p50_ms", Ms(delay.p50_ns, 0)},
               {"p99_ms", Ms(delay.p99_ns, 0)},
               {"bound_ms", Ms(delay.bound_ns, 0)},
               {"max_ms", Ms(delay.max_ns, 0)}});
    };
  }
};

}  // namespace

std::string WriteTimers(const MachineTimers& timers) {
  return fmt::format(
             "# How late this machine starts jobs (edgewise calibrate "
             "--timers).\n"
             "# *_ms: milliseconds. bound_ms: what plans count with.\n"
             "machine: {}\ncreated: {}\nrealtime: {}\n",
             YamlScalar(timers.machine), YamlScalar(timers.created),
             timers.realtime ? "true" : "false") +
         DelayYaml("latency", timers.latency) +
         DelayYaml("hand_over", timers.hand_over);
}

Result<MachineTimers> ReadTimers(std::string_view yaml,
                                 std::string_view origin) {
  const auto root = ReadYaml(yaml, origin, "file of timers");
  if (!root) {
    return root.error();
  }
  return TimersReader(origin).Read(*root);
}

scheduling::Overheads OverheadsOf(const MachineTimers& timers) {
  return {timers.hand_over.bound_ns, timers.latency.bound_ns};
}

}  // namespace edgewise
