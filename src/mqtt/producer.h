// The producer: publishes messages at the times they are meant to be
// published, whatever becomes of those before.
#ifndef EDGEWISE_MQTT_PRODUCER_H_
#define EDGEWISE_MQTT_PRODUCER_H_

#include "base/result.h"
#include "mqtt/pipeline_settings.h"

namespace edgewise::mqtt {

// Open loop: due times do not move. A message that cannot go out in time,
// because the window is full or the connection is lost, goes out as soon as it
// can (QoS 1 and 2), and counts from when it was due; of QoS 0 what is due
// without a connection is lost and counted. Returns when all are answered, or
// on a signal.
Result<void> RunProducer(const PipelineSettings& settings);

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_PRODUCER_H_
