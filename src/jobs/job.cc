#include "jobs/job.h"

#include <array>
#include <utility>

namespace edgewise {
namespace {

constexpr std::array<std::pair<JobState, std::string_view>, 6> kNames{
    {{JobState::kQueued, "queued"},
     {JobState::kRunning, "running"},
     {JobState::kDone, "done"},
     {JobState::kFailed, "failed"},
     {JobState::kCancelled, "cancelled"},
     {JobState::kInterrupted, "interrupted"}}};

}  // namespace

std::string_view JobStateName(JobState state) {
  for (const auto& [known, name] : kNames) {
    if (known == state) {
      return name;
    }
  }
  return "";
}

std::optional<JobState> ParseJobState(std::string_view name) {
  for (const auto& [state, known] : kNames) {
    if (known == name) {
      return state;
    }
  }
  return std::nullopt;
}

bool IsOver(JobState state) {
  return state != JobState::kQueued && state != JobState::kRunning;
}

}  // namespace edgewise
