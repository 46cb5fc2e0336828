// CPU time and memory of one process, for reports of who uses what.
#ifndef EDGEWISE_MQTT_PROCESS_USE_H_
#define EDGEWISE_MQTT_PROCESS_USE_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace edgewise::mqtt {

struct ProcessUse {
  int64_t cpu_us = 0;  // in steps of a clock tick
  int64_t rss_bytes = 0;
};

// nullopt if there is no such process (any more).
std::optional<ProcessUse> UseOf(pid_t pid);

// The process of this machine that listens on a TCP port; nullopt if there is
// none, or it cannot be seen.
std::optional<pid_t> ListenerOn(int port);

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_PROCESS_USE_H_
