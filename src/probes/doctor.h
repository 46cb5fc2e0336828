// The doctor: what can be measured and controlled on this machine, how to get
// the rest, and what would spoil measurements.
//
// Looks only; nothing is created or changed.
#ifndef EDGEWISE_PROBES_DOCTOR_H_
#define EDGEWISE_PROBES_DOCTOR_H_

#include <filesystem>
#include <string>
#include <vector>

#include "probes/kernel_answers.h"

namespace edgewise {

enum class AbilityState { kAvailable, kLimited, kMissing };
// "available", "limited", "missing".
const char* ToString(AbilityState state);

struct Ability {
  std::string group;  // "measure" or "control"
  std::string what;   // "hardware counters"
  AbilityState state = AbilityState::kMissing;
  std::string detail;  // one line: what there is, or what is in the way
  std::string remedy;  // how to get the rest, a command where one exists;
                       // empty if there is nothing to do
};

// A condition of the machine that makes measurements vary or mislead.
struct MachineWarning {
  std::string what;
  std::string remedy;
};

struct Diagnosis {
  std::vector<Ability> abilities;
  std::vector<MachineWarning> warnings;
};

struct DoctorInput {
  std::filesystem::path root = "/";  // has proc, sys, dev, etc
  std::filesystem::path store_folder;
  std::string search_path;  // $PATH
  KernelAnswers kernel;
  // Ask NVIDIA's driver, through this library (see probes/gpu/nvml.h); not in
  // tests of other boards.
  bool ask_nvidia = false;
  std::string nvml_library;
};

Diagnosis Diagnose(const DoctorInput& input);

// The parts of it, each in a file of its own.
void DiagnoseMeasuring(const DoctorInput& input, std::vector<Ability>* out);
void DiagnoseBoard(const DoctorInput& input, std::vector<Ability>* out);
void DiagnoseControls(const DoctorInput& input, std::vector<Ability>* out);
std::vector<MachineWarning> FindMachineWarnings(const DoctorInput& input);

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_DOCTOR_H_
