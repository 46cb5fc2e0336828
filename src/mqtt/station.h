// Station: a role's place at the broker: its connection, its clock, and the
// answers it gives to questions about that clock.
#ifndef EDGEWISE_MQTT_STATION_H_
#define EDGEWISE_MQTT_STATION_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "base/result.h"
#include "clocks/wall_clock.h"
#include "mqtt/pipeline_settings.h"
#include "mqtt/role_control.h"
#include "mqtt/role_records.h"
#include "mqtt/transport.h"

namespace edgewise::mqtt {

// Told from the transport's thread; any may be empty.
struct StationEvents {
  std::function<void(const Received&)> message;  // but clock questions
  std::function<void(uint64_t cookie, int64_t at_ns, std::string_view refusal)>
      answer;
  std::function<void(bool up)> connection;
};

class Station : private TransportEvents {
 public:
  // All must outlive it. `name` is that of the role.
  Station(const PipelineSettings& settings, std::string name,
          RoleControl& control, RoleRecords& records);
  ~Station() override;

  // Connects; where nobody answers, again with growing pauses as long as the
  // settings' patience lasts, and says so once on standard error.
  Result<void> Connect(StationEvents events);
  // From now on questions about our clock are answered.
  Result<void> AnswerClockQuestions();
  // Says what became of the connection's settings to the conductor.
  void TellFacts();
  void Disconnect();

  Transport& transport() { return *transport_; }
  const clocks::WallClock& clock() const { return clock_; }
  uint64_t host() const { return host_; }

 private:
  void OnMessage(const Received& message) override;
  void OnAnswer(uint64_t cookie, int64_t at_ns,
                std::string_view refusal) override;
  void OnConnection(bool up) override;
  // The thread that answers questions: the transport's own must not publish.
  void AnswerQuestions();

  const PipelineSettings& settings_;
  const std::string name_;
  RoleControl& control_;
  RoleRecords::Count& reconnects_;
  clocks::WallClock clock_;
  uint64_t host_;
  std::string ask_topic_;  // empty: questions are not answered
  StationEvents events_;
  std::unique_ptr<Transport> transport_;

  struct Question {
    std::string text;
    int64_t at_ns = 0;
  };
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Question> questions_;
  bool leaving_ = false;
  std::thread answerer_;
};

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_STATION_H_
