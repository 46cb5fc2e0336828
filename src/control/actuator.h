// Actuator: gives running apps what a controller decided, and takes it back.
//
// Each change is journalled before it is made (controls/applied_journal.h). All
// is undone when this ends; a keeper process does that if it is killed, and the
// next start if the keeper is, too.
#ifndef EDGEWISE_CONTROL_ACTUATOR_H_
#define EDGEWISE_CONTROL_ACTUATOR_H_

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/limit_group.h"
#include "control/observation.h"
#include "controls/applied_journal.h"

namespace edgewise::control {

// Who is meant.
struct ControlledProcess {
  uint64_t app_id = 0;
  pid_t pid = 0;
  bool in_container = false;
};

// Not thread-safe.
class Actuator {
 public:
  // Undoes what a killed predecessor left. kBusy while another agent controls
  // apps with the same home.
  static Result<std::unique_ptr<Actuator>> Start(
      const std::filesystem::path& home);
  ~Actuator();
  Actuator(const Actuator&) = delete;
  Actuator& operator=(const Actuator&) = delete;

  // Makes the app have `setting` (its knobs are not set here). What could not
  // be done comes back as sentences, each once for an app.
  std::vector<std::string> Apply(const ControlledProcess& process,
                                 const AppSetting& setting);
  // Puts the app back to how it was.
  void Release(uint64_t app_id);
  // The same for all; what could not be put back.
  std::vector<std::string> ReleaseAll();

 private:
  struct App;

  explicit Actuator(AppliedJournal journal);
  // Makes sure that app.groups has that of the controller, made if need be.
  Result<void> FindGroup(App& app, const std::string& controller);
  Result<void> SetCpu(App& app, const AppSetting& setting);
  Result<void> SetCpus(App& app, const std::vector<int>& cpus);
  Result<void> SetMemory(App& app, std::optional<int64_t> bytes);
  Result<void> SetNice(App& app, int nice);
  Result<void> Enter(App& app, const std::string& controller,
                     const LimitGroup& group);
  Result<void> Write(App& app, const LimitGroup& group,
                     const GroupValues& values);
  // What a file had before it was first changed is put back.
  void PutBack(App& app, const std::filesystem::path& file);

  AppliedJournal journal_;
  std::map<uint64_t, std::unique_ptr<App>> apps_;
};

}  // namespace edgewise::control

#endif  // EDGEWISE_CONTROL_ACTUATOR_H_
