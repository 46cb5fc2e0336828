// Takes messages, works on each, publishes the answer.
#ifndef EDGEWISE_APPS_SENSOR_SERVE_H_
#define EDGEWISE_APPS_SENSOR_SERVE_H_

#include <string>

#include "base/result.h"
#include "load/drive.h"
#include "load/options.h"
#include "load/outcome.h"
#include "sensor/broker.h"
#include "sensor/feeder.h"

namespace edgewise::apps {

// Until the messages or the time end, or a stop signal comes. Spans: message
// (from its arrival, or when it was meant to come, to its answer), with the
// spans of `work` and publish in it. What `work` cannot read is answered with
// why, and counted; so are answers that the broker did not take, which are no
// items.
//
// `feeder` may be null.
Result<Outcome> Serve(const LoadOptions& options, Broker& broker,
                      Feeder* feeder, const std::string& answers_topic,
                      Work& work);

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_SENSOR_SERVE_H_
