#include "experiments/actor.h"

#include "stress/probe.h"

namespace edgewise {

Actor StressActor(const std::string& program, const StressSpec& spec) {
  const std::string text = FormatStressSpec(spec);
  return {text, {program, "stress", text}, "", spec};
}

Actor ProbeActor(const std::string& program, StressKind kind) {
  const std::string text(StressKindName(kind));
  return {"probe:" + text,
          {program, "stress", text, "--probe"},
          kProbeSpan,
          std::nullopt};
}

}  // namespace edgewise
