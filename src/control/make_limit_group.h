// Makes the cgroup in which an app is to be limited.
#ifndef EDGEWISE_CONTROL_MAKE_LIMIT_GROUP_H_
#define EDGEWISE_CONTROL_MAKE_LIMIT_GROUP_H_

#include <string>

#include "base/result.h"
#include "control/limit_group.h"

namespace edgewise::control {

// Leaves a folder that can take processes; one that is there already is fine.
Result<void> MakeLimitGroup(const LimitGroup& group,
                            const std::string& controller);

}  // namespace edgewise::control

#endif  // EDGEWISE_CONTROL_MAKE_LIMIT_GROUP_H_
