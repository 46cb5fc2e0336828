// DispatchCrew: the dispatchers of an execution, one for each core that the
// plan uses, each in a thread of its own.
//
// They and the jobs have real-time policies where those are permitted; what
// was refused to a job is told. Not thread-safe itself.
#ifndef EDGEWISE_EXECUTION_DISPATCH_CREW_H_
#define EDGEWISE_EXECUTION_DISPATCH_CREW_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "execution/dispatcher.h"
#include "execution/release_file.h"
#include "execution/task_programs.h"
#include "scheduling/plan.h"

namespace edgewise {

class DispatchCrew {
 public:
  // `naive`: one dispatcher for all tasks, the lab's way, without policies.
  // `realtime`: real-time policies are permitted. The plan must outlive it.
  DispatchCrew(const Plan& plan, bool naive, bool realtime);
  ~DispatchCrew();  // as StopAll() and Join()
  DispatchCrew(const DispatchCrew&) = delete;
  DispatchCrew& operator=(const DispatchCrew&) = delete;

  // Makes the shared memory: where each task finds its releases.
  Result<std::vector<TaskChannel>> MakeChannels();
  // Once all programs wait for jobs: sets policies, starts the threads.
  void Start(const DispatchTimes& times);
  void StopAll();
  void Join();

  // Hands over the jobs that have ended.
  void Drain(const std::function<void(const JobRecord&)>& take);

  // In words: what the proof assumes and this machine refused.
  const std::vector<std::string>& broken_assumptions() const {
    return broken_assumptions_;
  }
  // A dispatcher has given up on a job; see hung_task.
  bool any_hung() const;
  // After Join:
  std::optional<uint32_t> hung_task() const;
  std::vector<DispatchAccount> Accounts() const;  // of each task
  std::vector<std::vector<uint32_t>> Groups() const;
  int64_t cpu_ns() const;
  int64_t lost_records() const;

 private:
  // Tasks that share a dispatcher, and what it works with.
  struct Group {
    std::vector<uint32_t> tasks;
    std::vector<int> cores;
    std::unique_ptr<ReleaseFile> file;
    std::unique_ptr<Dispatcher> dispatcher;
    std::thread thread;
  };

  void PrepareThread(pid_t tid, DispatchedTask& task);
  void RunDispatcher(Group& group) const;
  void Broken(std::string sentence);

  const Plan& plan_;
  bool naive_;
  bool realtime_;
  std::vector<Group> groups_;
  std::vector<std::string> broken_assumptions_;
};

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_DISPATCH_CREW_H_
