// The consumer: takes results, and says where the time of each went.
#ifndef EDGEWISE_MQTT_CONSUMER_H_
#define EDGEWISE_MQTT_CONSUMER_H_

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "mqtt/pipeline_settings.h"

namespace edgewise::mqtt {

// Ends when all that was sent has come, or nothing came for the settings' time
// to drain after the producer's end; or on a signal.
Result<void> RunConsumer(const PipelineSettings& settings);

// Listens to a topic filter, whoever publishes there, and breaks down what
// there is. Ends on a signal, or after a time.
Result<void> RunListener(const PipelineSettings& settings,
                         const std::string& filter,
                         std::optional<int64_t> duration_ns);

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_CONSUMER_H_
