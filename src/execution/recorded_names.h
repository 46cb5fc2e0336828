// What the series and warnings of an execution's Run are called. Private to
// this room.
#ifndef EDGEWISE_EXECUTION_RECORDED_NAMES_H_
#define EDGEWISE_EXECUTION_RECORDED_NAMES_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace edgewise {

// After the task's name.
inline constexpr std::string_view kStolenSuffix = " stolen";
inline constexpr std::string_view kSkippedSuffix = " skipped";
inline constexpr std::string_view kUnstartedSuffix = " unstarted";
inline constexpr std::string_view kDispatchersName = "dispatchers";
// 1 if the plan's real-time policies could be had, else 0.
inline constexpr std::string_view kRealtimeName = "realtime";
// Before an assumption of the proof that does not hold.
inline constexpr std::string_view kNotSo = "not so: ";

inline std::string StealName(size_t core) {
  return "core " + std::to_string(core) + " steal";
}

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_RECORDED_NAMES_H_
