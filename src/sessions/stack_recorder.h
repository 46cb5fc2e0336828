// StackRecorder: the stacks of a Run, from the first sample to the profile.
//
// Owns the sampler and its spool. The spool lies in the store's folder under
// the Run's id, so that the samples of a session that was killed can be made
// a profile later (RecoverStacks). A thread of its own takes the samples, so
// that nothing else of the session delays it: Python frames that are read late
// say where the program went meanwhile, and with most kernels that is where it
// next makes a system call. Once somebody runs Python the thread has a
// real-time priority, where that is permitted.
#ifndef EDGEWISE_SESSIONS_STACK_RECORDER_H_
#define EDGEWISE_SESSIONS_STACK_RECORDER_H_

#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "base/result.h"
#include "base/unique_fd.h"
#include "probes/stacks/stack_sampler.h"
#include "sessions/wait_set.h"
#include "stacks/profile.h"
#include "store/store.h"

namespace edgewise {

class StackRecorder {
 public:
  static Result<std::unique_ptr<StackRecorder>> Open(
      const SamplingTarget& target, const StackSamplerOptions& options,
      const std::filesystem::path& home, const std::string& run_id);
  // Removes the spool.
  ~StackRecorder();

  // Starts taking samples. Signals that are blocked now stay so in the thread.
  void Start();
  // After the program has ended.
  void Stop(int64_t now_ns);
  // Unwinds and names what was sampled; once, after Stop.
  Result<stacks::StackProfile> Fold();

 private:
  StackRecorder(std::unique_ptr<StackSampler> sampler, double rate_hz,
                std::filesystem::path spool);
  // The thread's life.
  void TakeSamples();
  void EndThread();

  WaitSet waits_;                          // the sampler adds to it
  std::unique_ptr<StackSampler> sampler_;  // the thread's, while there is one
  UniqueFd end_;                           // readable: the thread is to end
  std::thread thread_;
  double rate_hz_ = 0;
  std::filesystem::path spool_;
};

// Makes profiles of spools whose sessions were killed, for Runs that are still
// in the store; removes the spools.
void RecoverStacks(Store& store);

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_STACK_RECORDER_H_
