#include "probes/doctor.h"

namespace edgewise {

const char* ToString(AbilityState state) {
  switch (state) {
    case AbilityState::kAvailable:
      return "available";
    case AbilityState::kLimited:
      return "limited";
    case AbilityState::kMissing:
      return "missing";
  }
  return "missing";
}

Diagnosis Diagnose(const DoctorInput& input) {
  Diagnosis diagnosis;
  DiagnoseMeasuring(input, &diagnosis.abilities);
  DiagnoseBoard(input, &diagnosis.abilities);
  DiagnoseControls(input, &diagnosis.abilities);
  diagnosis.warnings = FindMachineWarnings(input);
  return diagnosis;
}

}  // namespace edgewise
