// StackRecorder: the stacks of a Run, from the first sample to the profile.
//
// Owns the sampler and its spool. The spool lies in the store's folder under
// the Run's id, so that the samples of a session that was killed can be made
// a profile later (RecoverStacks). Not thread-safe.
#ifndef EDGEWISE_SESSIONS_STACK_RECORDER_H_
#define EDGEWISE_SESSIONS_STACK_RECORDER_H_

#include <filesystem>
#include <memory>
#include <string>

#include "base/result.h"
#include "probes/stacks/stack_sampler.h"
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

  // `epoll` has a descriptor with `data` ready when Drain should be called;
  // often the clock is enough.
  void WakeThrough(int epoll, uint64_t data) {
    sampler_->WakeThrough(epoll, data);
  }
  // When Drain should be called next at the latest.
  int64_t next_drain_ns() const { return next_drain_ns_; }
  void Drain(int64_t now_ns);
  // After the program has ended.
  void Stop(int64_t now_ns);
  // Unwinds and names what was sampled; once, after Stop.
  Result<stacks::StackProfile> Fold();

 private:
  StackRecorder(std::unique_ptr<StackSampler> sampler, double rate_hz,
                std::filesystem::path spool);

  std::unique_ptr<StackSampler> sampler_;
  double rate_hz_ = 0;
  std::filesystem::path spool_;
  int64_t next_drain_ns_ = 0;
};

// Makes profiles of spools whose sessions were killed, for Runs that are still
// in the store; removes the spools.
void RecoverStacks(Store& store);

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_STACK_RECORDER_H_
