#include "mqtt/work.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "base/clock.h"
#include "mqtt/works.h"

namespace edgewise::mqtt {
namespace {

class NoWork : public Work {
 public:
  Result<void> Begin() override { return {}; }
  Result<std::optional<WorkDone>> Do(std::string_view /*payload*/,
                                     int64_t /*received_ns*/) override {
    const int64_t now_ns = MonotonicNs();
    return std::optional(WorkDone{now_ns, now_ns, ""});
  }
  void End() override {}
};

}  // namespace

std::unique_ptr<Work> MakeWork(const PipelineSettings& settings,
                               const RoleControl& control) {
  if (settings.command.empty()) {
    return std::make_unique<NoWork>();
  }
  if (settings.per_message) {
    return MakeProcessWork(settings.command);
  }
  return MakeDrivenWork(DrivenCommand(settings.command, settings.rate_per_s),
                        control);
}

std::vector<std::string> DrivenCommand(const std::vector<std::string>& command,
                                       double rate_per_s) {
  constexpr std::array<std::string_view, 4> kSamples{"image", "audio", "dl",
                                                     "spin"};
  constexpr std::array<std::string_view, 4> kTimings{"--period", "--rate",
                                                     "--arrivals", "--max"};
  const std::string name =
      std::filesystem::path(command.front()).filename().string();
  const bool sample =
      std::find(kSamples.begin(), kSamples.end(), name) != kSamples.end();
  const bool timed = std::any_of(
      command.begin(), command.end(), [&kTimings](const std::string& word) {
        return std::any_of(kTimings.begin(), kTimings.end(),
                           [&word](std::string_view flag) {
                             return std::string_view(word).starts_with(flag);
                           });
      });
  std::vector<std::string> words = command;
  if (sample && !timed) {
    words.emplace_back("--period");
    words.push_back(
        std::to_string(std::max<long long>(1, std::llround(1e9 / rate_per_s))) +
        "ns");
  }
  return words;
}

}  // namespace edgewise::mqtt
