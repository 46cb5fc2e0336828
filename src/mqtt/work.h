// Work: what a processor does with one message.
#ifndef EDGEWISE_MQTT_WORK_H_
#define EDGEWISE_MQTT_WORK_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "mqtt/pipeline_settings.h"
#include "mqtt/role_control.h"

namespace edgewise::mqtt {

struct WorkDone {
  int64_t start_ns = 0;  // CLOCK_MONOTONIC
  int64_t end_ns = 0;
  std::string output;  // what the program wrote; bounded
};

class Work {
 public:
  virtual ~Work() = default;
  // Until it can take messages.
  virtual Result<void> Begin() = 0;
  // nullopt: this message failed, and the next may do better. An error ends the
  // processor.
  virtual Result<std::optional<WorkDone>> Do(std::string_view payload,
                                             int64_t received_ns) = 0;
  // The program that does the work, for its CPU time; nullopt without one.
  virtual std::optional<pid_t> pid() const { return std::nullopt; }
  virtual void End() = 0;
};

// By the settings: none (answers at once), one process for each message, or one
// program whose jobs are released by messages. `control` must outlive it.
std::unique_ptr<Work> MakeWork(const PipelineSettings& settings,
                               const RoleControl& control);

// The words to start a program with that is driven by messages: the samples of
// edgewise are told to be periodic where their command does not say otherwise.
std::vector<std::string> DrivenCommand(const std::vector<std::string>& command,
                                       double rate_per_s);

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_WORK_H_
