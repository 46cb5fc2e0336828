// Stages: where the time of one message went.
#ifndef EDGEWISE_MQTT_STAGES_H_
#define EDGEWISE_MQTT_STAGES_H_

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "clocks/offset.h"
#include "mqtt/message.h"

namespace edgewise::mqtt {

enum class Stage {
  kLate,         // meant to be published → publish call
  kToProcessor,  // publish call → the processor has it
  kQueue,        // → work started
  kWork,         // → work done
  kReply,        // → publish call of the result
  kToDone,       // publish call → work done, where no more is known
  kToConsumer,   // last publish call (or work done) → the consumer has it
  kTotal,        // meant to be published → the consumer has it
  kNaive,        // first publish call → the consumer has it
  kAck,          // publish call → the broker's answer; beside the path
};
inline constexpr size_t kStages = 10;
inline constexpr std::array<Stage, kStages> kAllStages{
    Stage::kLate,  Stage::kToProcessor, Stage::kQueue,      Stage::kWork,
    Stage::kReply, Stage::kToDone,      Stage::kToConsumer, Stage::kTotal,
    Stage::kNaive, Stage::kAck};

// The name of its spans, "to processor"; C text for the in-app library.
const char* StageName(Stage stage);
// What it is from and to, in words.
std::string_view StageText(Stage stage);
// One of those whose sum is the total.
bool OnPath(Stage stage);
// From one host to another: only as exact as the clocks are.
bool OneWay(Stage stage);

struct StageTime {
  int64_t start_ns = 0;  // CLOCK_MONOTONIC of this host
  // May be negative where clocks of two hosts disagree.
  int64_t length_ns = 0;
  int64_t bound_ns = 0;  // the truth is within length ± bound
};
using StageTimes = std::array<std::optional<StageTime>, kStages>;

// When and where a message was received.
struct Arrival {
  int64_t m_ns = 0;  // CLOCK_MONOTONIC
  int64_t t_ns = 0;  // the wall clock at the same moment
  uint64_t host = 0;
};

// The estimate of another host's wall clock against ours; null: none yet.
using ClockOf = std::function<const clocks::ClockEstimate*(uint64_t host)>;

// What can be known of a message; stages that cannot are nullopt. Times of
// messages that do not name their host are taken as our own wall clock's.
StageTimes StagesOf(const Message& message, const Arrival& arrival,
                    const ClockOf& clock_of);

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_STAGES_H_
