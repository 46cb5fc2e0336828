// The kinds of work there are; each is made in the file of its name. Private to
// this room.
#ifndef EDGEWISE_MQTT_WORKS_H_
#define EDGEWISE_MQTT_WORKS_H_

#include <memory>
#include <string>
#include <vector>

#include "mqtt/role_control.h"
#include "mqtt/work.h"

namespace edgewise::mqtt {

// A program that uses Periodic of the in-app library, started once: each
// message releases one job (docs/formats/releases.md). It gets no payload.
std::unique_ptr<Work> MakeDrivenWork(std::vector<std::string> command,
                                     const RoleControl& control);
// Any program, started once for each message, with the payload on its standard
// input; what it writes to its standard output goes into the result.
std::unique_ptr<Work> MakeProcessWork(std::vector<std::string> command);

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_WORKS_H_
