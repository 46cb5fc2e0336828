// StackSampler: collects raw samples of a program's stacks while it runs.
//
// Only collects: what the kernel hands over goes to a spool, bounded, with the
// files that code was mapped from held open; unwinding and naming happen when
// the program is over. Python frames are the exception: they live in the
// program's memory and are read at once, while it runs on. Not thread-safe.
#ifndef EDGEWISE_PROBES_STACKS_STACK_SAMPLER_H_
#define EDGEWISE_PROBES_STACKS_STACK_SAMPLER_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "probes/stacks/sampling_events.h"

namespace edgewise {

struct StackSamplerOptions {
  double rate_hz = 99;  // of each CPU that runs the program
  uint32_t stack_bytes = kDefaultStackBytes;
  // Whenever another so many bytes are spooled, half as many samples are kept
  // from there on, each standing for twice as many: a long run keeps a fair
  // picture in a spool that hardly grows.
  uint64_t stage_bytes = uint64_t{64} << 20;
  uint64_t max_bytes = uint64_t{1} << 30;
};

class StackSampler {
 public:
  // Samples from now on, or from exec if `target` is held before it.
  static Result<std::unique_ptr<StackSampler>> Open(
      const SamplingTarget& target, const StackSamplerOptions& options,
      const std::filesystem::path& spool);
  ~StackSampler();

  // While somebody runs Python, Drain should be called at each sample:
  // `epoll` then has the descriptors that say so, with `data` as their data.
  // It must outlive this object.
  void WakeThrough(int epoll, uint64_t data);
  bool reads_python() const;
  // Otherwise Drain should be called this often.
  int64_t drain_every_ns() const;
  void Drain(int64_t now_ns);
  // Reads the rest and ends the spool.
  void Stop(int64_t now_ns);

  // For the unwinder: descriptors of mapped files; they stay with this object.
  std::map<uint32_t, int> Descriptors() const;
  uint64_t spool_bytes() const;
  // Sentences on what the samples miss.
  std::vector<std::string> notes() const;

 private:
  struct State;
  explicit StackSampler(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_STACKS_STACK_SAMPLER_H_
