// LocalBroker: Debian's mosquitto on a free loopback port, with a configuration
// of its own, for as long as this object lives.
#ifndef EDGEWISE_MQTT_LOCAL_BROKER_H_
#define EDGEWISE_MQTT_LOCAL_BROKER_H_

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

#include "base/child_program.h"
#include "base/result.h"

namespace edgewise::mqtt {

class LocalBroker {
 public:
  // `folder` is made, and removed with all that is in it at the end. Waits
  // until it listens. kUnsupported where mosquitto is not installed.
  //
  // Sessions and messages are kept on disk once a second, so that a broker that
  // is killed and started again remembers who listens; answers go out at once
  // (TCP_NODELAY), which is not mosquitto's default.
  static Result<LocalBroker> Start(const std::filesystem::path& folder);
  LocalBroker(LocalBroker&& other) noexcept;
  LocalBroker& operator=(LocalBroker&&) = delete;
  ~LocalBroker();

  int port() const { return port_; }
  pid_t pid() const { return child_->pid(); }

 private:
  LocalBroker(std::filesystem::path folder, int port, ChildProgram child)
      : folder_(std::move(folder)), port_(port), child_(std::move(child)) {}

  std::filesystem::path folder_;
  int port_;
  std::optional<ChildProgram> child_;
};

// A new folder for what belongs to the measurement: in that of the session,
// which its guardian removes, else among temporary files.
std::filesystem::path ScratchFolder();

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_LOCAL_BROKER_H_
