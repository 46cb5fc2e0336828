// Task files of rt-app (JSON), the load generator that kernel developers
// describe task sets with.
#ifndef EDGEWISE_PLANNING_RTAPP_H_
#define EDGEWISE_PLANNING_RTAPP_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "scheduling/make_plan.h"

namespace edgewise {

// The tasks of the file, in its order, `instance` copies of each as NAME-0,
// NAME-1 and so on. C is the sum of a loop's `run` and `runtime` events in
// microseconds (`dl-runtime` where there is one), the period that of its
// `timer` (or `dl-period`), `dl-deadline` the deadline; of several phases the
// longest C and the shortest period count, which is safe. `cpus` restricts the
// cores. Comments are skipped. There is no command: rt-app runs them itself.
//
// `origin` is the file's name for messages. Refused: what is no such JSON,
// tasks without run or period, times that are not above 0. What has no place
// in a plan (locks, sleeps, memory) goes to `notes`.
Result<std::vector<scheduling::TaskWish>> ReadRtApp(
    std::string_view json, std::string_view origin,
    std::vector<std::string>* notes);

}  // namespace edgewise

#endif  // EDGEWISE_PLANNING_RTAPP_H_
