// StageRecorder: records the stages of messages as spans, and counts what came,
// came twice, came late, or did not belong.
#ifndef EDGEWISE_MQTT_STAGE_RECORDER_H_
#define EDGEWISE_MQTT_STAGE_RECORDER_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

#include "edgewise/edgewise.h"
#include "mqtt/message.h"
#include "mqtt/role_records.h"
#include "mqtt/sequence_account.h"
#include "mqtt/stages.h"

namespace edgewise::mqtt {

// Take is for one thread at a time; the counts may be read by any.
class StageRecorder {
 public:
  // `run`: whose messages count, and are numbered one by one; nullopt:
  // anybody's. All must outlive it.
  StageRecorder(RoleRecords& records, std::optional<uint64_t> run,
                ClockOf clock_of);

  // What is no message is counted as foreign. False then.
  bool Take(std::string_view payload, const Arrival& arrival);
  // Tries again what came from hosts whose clocks were not known.
  void Retry();

  int64_t unique() const { return unique_; }
  bool any_warm_up() const { return any_warm_up_; }
  int64_t last_ns() const { return last_ns_; }  // 0: nothing came

 private:
  struct Waiting {
    Message message;
    Arrival arrival;
  };
  bool Record(const Message& message, const Arrival& arrival);

  const std::optional<uint64_t> run_;
  const ClockOf clock_of_;
  RoleRecords::Count& received_;
  RoleRecords::Count& duplicated_;
  RoleRecords::Count& reordered_;
  RoleRecords::Count& foreign_;
  RoleRecords::Count& negative_;
  RoleRecords::Count& unplaced_;
  std::array<edgewise_name, kStages> names_;
  std::array<std::atomic<int64_t>, kStages> bounds_ns_{};
  std::atomic<int64_t> most_negative_ns_ = 0;
  std::atomic<int64_t> unique_ = 0;
  std::atomic<bool> any_warm_up_ = false;
  std::atomic<int64_t> last_ns_ = 0;
  // Requests and results are numbered alike.
  SequenceAccount requests_;
  SequenceAccount results_;
  std::mutex mutex_;
  std::deque<Waiting> waiting_;
};

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_STAGE_RECORDER_H_
