// Knob: something that an experiment varies, and the values it takes.
//
// The room `experiments` makes many Runs on purpose, in an order that drift
// cannot favour, and turns them into one answer: a curve, a matrix, the least
// resources. It knows sessions and statistics; how answers are shown is
// report's.
#ifndef EDGEWISE_EXPERIMENTS_KNOB_H_
#define EDGEWISE_EXPERIMENTS_KNOB_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace edgewise {

struct Knob {
  std::string name;
  std::vector<std::string> values;  // as typed; never empty
};

// One value of each knob, in the order of the knobs.
struct KnobValue {
  std::string name;
  std::string value;
  bool operator==(const KnobValue&) const = default;
};
using KnobSetting = std::vector<KnobValue>;

// Knobs that mean something to edgewise itself.
inline constexpr std::string_view kCpusKnob = "cpus";
inline constexpr std::string_view kThreadsKnob = "threads";
inline constexpr std::string_view kQuotaKnob = "quota";
inline constexpr std::string_view kMemoryKnob = "memory";
inline constexpr std::string_view kFrequencyKnob = "frequency";
inline constexpr std::string_view kLoadKnob = "load";

// "model=mobilenetv2,resnet18". Refused: no name, names that are not letters,
// digits, '_' and '-', names that edgewise has flags for, no or empty values,
// a value twice.
Result<Knob> ParseKnob(std::string_view text);
// "1,2,4" for a knob of this name.
Result<Knob> ParseKnobValues(std::string_view name, std::string_view values);

// Every combination; the last knob turns fastest. One empty setting without
// knobs.
std::vector<KnobSetting> AllSettings(const std::vector<Knob>& knobs);

// The value of a knob; empty if the setting has no such knob.
std::string_view ValueOf(const KnobSetting& setting, std::string_view name);
// The setting without that knob.
KnobSetting Without(const KnobSetting& setting, std::string_view name);

// "cpus=0-1 threads=2", quoted where a value has blanks; and back.
std::string FormatSetting(const KnobSetting& setting);
Result<KnobSetting> ParseSetting(std::string_view text);

// Puts the values where {NAME} stands; other braces stay as they are.
std::string Substitute(std::string_view text, const KnobSetting& setting);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_KNOB_H_
