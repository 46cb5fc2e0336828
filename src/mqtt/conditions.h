// The conditions of a measurement as they are kept with its result.
#ifndef EDGEWISE_MQTT_CONDITIONS_H_
#define EDGEWISE_MQTT_CONDITIONS_H_

#include <map>
#include <string>

#include "mqtt/pipeline_settings.h"

namespace edgewise::mqtt {

// Name and value: QoS, payload, versions, TCP_NODELAY and so on.
using Details = std::map<std::string, std::string>;

// What was asked for; never a password.
Details ConditionsOf(const PipelineSettings& settings);

// Whether a broker of that name is on this machine.
bool IsLocalHost(const std::string& host);

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_CONDITIONS_H_
