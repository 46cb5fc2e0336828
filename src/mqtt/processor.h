// The processor: takes messages, has work done on each, publishes results.
#ifndef EDGEWISE_MQTT_PROCESSOR_H_
#define EDGEWISE_MQTT_PROCESSOR_H_

#include "base/result.h"
#include "mqtt/pipeline_settings.h"

namespace edgewise::mqtt {

// One message at a time; others wait in a queue of bounded length, beyond which
// the newest are dropped and counted. Ends on a signal, or some seconds after a
// producer said that it has sent all.
Result<void> RunProcessor(const PipelineSettings& settings);

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_PROCESSOR_H_
