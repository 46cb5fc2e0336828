#include "prediction/device_spec.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>
#include <vector>

#include "base/text.h"

namespace edgewise {
namespace {

constexpr double kUsualClockGhz = 2.0;
constexpr double kManyThreads = 8;

struct KindWords {
  CoreKind kind;
  std::vector<std::string_view> words;
};

// Tried in this order; big cores first, since descriptions of big.LITTLE chips
// name both and the big ones do the work.
const std::vector<KindWords>& Kinds() {
  static const std::vector<KindWords> kinds = {
      {CoreKind::kArmBig,
       {"cortex-a75", "cortex-a76", "cortex-a77", "cortex-a78", "cortex-x",
        "oryon", "neoverse", "apple", "macbook", "taishan", "kunpeng", "a76",
        "orin"}},
      {CoreKind::kArmMiddle,
       {"cortex-a57", "cortex-a72", "cortex-a73", "kryo", "kyro", "ftc",
        "krait", "denver", "cyclone", "carmel", "phytium", "jetson"}},
      {CoreKind::kArmSmall, {"cortex-a53", "cortex-a55", "cortex-a35"}},
      {CoreKind::kArm32,
       {"cortex-a5", "cortex-a7", "cortex-a9", "cortex-a15", "cortex-a17"}},
      {CoreKind::kRiscV,
       {"c906", "c910", "x60", "u74", "risc-v", "riscv", "sifive"}},
      {CoreKind::kOtherOld,
       {"loongson", "mips", "sw_64", "sunway", "la464", "la664"}},
      {CoreKind::kX86,
       {"zen", "x86", "xeon", "intel", "amd", "celeron", "atom", "lake",
        "bridge", "haswell", "yonah", "k1om", "core i"}},
  };
  return kinds;
}

// The highest number before "GHz"; `text` is in lower case.
std::optional<double> HighestClockGhz(std::string_view text) {
  std::optional<double> highest;
  for (size_t at = text.find("ghz"); at != std::string_view::npos;
       at = text.find("ghz", at + 3)) {
    size_t end = at;
    while (end > 0 && text[end - 1] == ' ') {
      --end;
    }
    size_t begin = end;
    while (begin > 0 &&
           (std::isdigit(static_cast<unsigned char>(text[begin - 1])) != 0 ||
            text[begin - 1] == '.')) {
      --begin;
    }
    const auto clock = ParseDouble(text.substr(begin, end - begin));
    if (clock && *clock > 0.05 && *clock < 20) {
      highest = std::max(highest.value_or(0), *clock);
    }
  }
  return highest;
}

}  // namespace

std::string_view CoreKindName(CoreKind kind) {
  constexpr std::array<std::string_view, kCoreKinds> kNames = {
      "arm32", "arm-small", "arm-middle", "arm-big",
      "x86",   "other-old", "riscv",      "unknown"};
  return kNames[static_cast<size_t>(kind)];
}

DeviceSpec SpecFromWords(std::string_view words) {
  std::string text(words);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  DeviceSpec spec;
  spec.clock_ghz = HighestClockGhz(text);
  for (const KindWords& kind : Kinds()) {
    const bool named = std::any_of(
        kind.words.begin(), kind.words.end(), [&](std::string_view word) {
          return text.find(word) != std::string::npos;
        });
    if (named) {
      spec.core = kind.kind;
      break;
    }
  }
  return spec;
}

Eigen::VectorXd SpecTermsOf(const DeviceSpec& spec) {
  Eigen::VectorXd terms = Eigen::VectorXd::Zero(kSpecTerms);
  const double threads = std::max(1, spec.threads);
  terms[0] = 1;
  terms[1] = std::log(threads);
  terms[2] = std::log(spec.clock_ghz.value_or(kUsualClockGhz));
  terms[3] = spec.little_cores ? 1 : 0;
  terms[4] = std::max(0.0, std::log(threads / kManyThreads));
  terms[5 + static_cast<int>(spec.core)] = 1;
  return terms;
}

}  // namespace edgewise
