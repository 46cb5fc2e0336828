// Which host this is, as a number: two processes with the same one share
// CLOCK_MONOTONIC.
#ifndef EDGEWISE_MQTT_HOST_ID_H_
#define EDGEWISE_MQTT_HOST_ID_H_

#include <cstdint>

#include "clocks/wall_clock.h"

namespace edgewise::mqtt {

// Of the kernel's boot id and the time namespace; a clock that is wrong on
// purpose makes it another host. Never 0.
uint64_t HostId(const clocks::WallClock& clock);

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_HOST_ID_H_
