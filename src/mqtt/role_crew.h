// RoleCrew: the roles of one measurement, as their conductor sees them.
#ifndef EDGEWISE_MQTT_ROLE_CREW_H_
#define EDGEWISE_MQTT_ROLE_CREW_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "mqtt/conditions.h"
#include "mqtt/role_control.h"
#include "mqtt/role_process.h"

namespace edgewise::mqtt {

class RoleCrew {
 public:
  // `control` must outlive it: its stop ends waiting.
  explicit RoleCrew(const RoleControl& control) : control_(control) {}

  // Starts a role and waits until it says that it is ready.
  Result<void> Start(const PipelineSettings& settings, Role role);
  // Null if it was not started.
  RoleProcess* Find(Role role);
  // Waits a moment, and takes what roles say.
  void Look();
  // Ends all, in order.
  void Stop();

  // A message has come through all of them.
  bool through() const { return through_; }
  // How many the producer has sent, once it says so.
  std::optional<int64_t> sent() const { return sent_; }
  // What roles said of their connections.
  const Details& facts() const { return facts_; }

  // Why a role has ended; nullopt if it has not.
  static std::optional<Error> FailureOf(RoleProcess& role);
  std::optional<Error> AnyFailure();

 private:
  void TakeLine(RoleProcess& role, const std::string& line);

  const RoleControl& control_;
  std::vector<RoleProcess> roles_;
  size_t ready_ = 0;
  bool through_ = false;
  std::optional<int64_t> sent_;
  Details facts_;
};

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_ROLE_CREW_H_
