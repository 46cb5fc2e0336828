// The conductor: one measurement of the whole pipeline on this machine: starts
// the three roles as processes of their own, lets them find each other, tells
// the producer to go, and ends them in order.
#ifndef EDGEWISE_MQTT_CONDUCTOR_H_
#define EDGEWISE_MQTT_CONDUCTOR_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "impair/impairment.h"
#include "mqtt/conditions.h"
#include "mqtt/pipeline_settings.h"

namespace edgewise::mqtt {

struct ConductSettings {
  PipelineSettings pipeline;
  bool own_broker = false;  // --broker auto
  Impairment impairment;
  // Which roles' connections suffer it.
  std::vector<Role> impaired{Role::kProduce, Role::kProcess, Role::kConsume};
};

struct Conducted {
  Details details;
  // One sentence on why it did not go to its end; empty if it did.
  std::string failure;
};

// What was recorded is with the in-app library's collector. Errors are of the
// environment: no broker, wrong credentials, messages that do not get through.
Result<Conducted> Conduct(const ConductSettings& settings);

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_CONDUCTOR_H_
