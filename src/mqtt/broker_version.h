// Whether a broker answers, and what it calls itself.
#ifndef EDGEWISE_MQTT_BROKER_VERSION_H_
#define EDGEWISE_MQTT_BROKER_VERSION_H_

#include <string>

#include "base/result.h"
#include "mqtt/pipeline_settings.h"
#include "mqtt/role_control.h"
#include "mqtt/role_records.h"

namespace edgewise::mqtt {

// What it publishes as $SYS/broker/version; empty if it does not within a
// moment. Waits for a broker that does not answer, as Station::Connect.
Result<std::string> AskBroker(const PipelineSettings& settings,
                              RoleControl& control, RoleRecords& records);

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_BROKER_VERSION_H_
