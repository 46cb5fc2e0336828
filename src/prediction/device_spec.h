// What is known of a device without measuring it, as numbers that a fit can
// use: cores, clock, and the kind of core its description names.
#ifndef EDGEWISE_PREDICTION_DEVICE_SPEC_H_
#define EDGEWISE_PREDICTION_DEVICE_SPEC_H_

#include <Eigen/Dense>
#include <optional>
#include <string_view>

namespace edgewise {

enum class CoreKind {
  kArm32,      // Cortex-A5, A7, A9, A15, A17
  kArmSmall,   // Cortex-A53, A55: in order
  kArmMiddle,  // Cortex-A57, A72, A73 and their time
  kArmBig,     // Cortex-A75 and later, Neoverse, Apple
  kX86,
  kOtherOld,  // Loongson, MIPS, Sunway
  kRiscV,
  kUnknown,
};
inline constexpr int kCoreKinds = 8;
std::string_view CoreKindName(CoreKind kind);

struct DeviceSpec {
  int threads = 1;
  std::optional<double> clock_ghz;
  CoreKind core = CoreKind::kUnknown;
  bool little_cores = false;  // restricted to the small cores
};

// Reads the core and the highest clock out of a description such as
// "Cortex-A76 2.4GHz x 4 + Cortex-A55 1.8GHz x 4".
DeviceSpec SpecFromWords(std::string_view words);

// Covariates of a linear model; an unknown clock counts as the usual one.
inline constexpr int kSpecTerms = 5 + kCoreKinds;
Eigen::VectorXd SpecTermsOf(const DeviceSpec& spec);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_DEVICE_SPEC_H_
