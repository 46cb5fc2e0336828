// StackProfile: where a program's time went, as counted call stacks.
//
// Knows what stacks are and how they add up; knows nothing of how they were
// collected, unwound or stored. Samples that went through the same frames
// share nodes of a tree, so that a profile grows with the variety of stacks
// and not with the number of samples.
#ifndef EDGEWISE_STACKS_PROFILE_H_
#define EDGEWISE_STACKS_PROFILE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace edgewise::stacks {

// What kind of code a frame runs.
enum class FrameKind : uint8_t {
  kNative = 0,  // of an ELF file
  kKernel = 1,
  kPython = 2,  // a function of the interpreted program
  kJit = 3,     // compiled at run time
  kMark = 4,    // no code: "[truncated]", "[unknown]"
};

struct Frame {
  // Demangled, without arguments' addresses. Where no name is known: the
  // module and where in it the function begins ("libfoo.so+0x1230"), or the
  // bare address.
  std::string function;
  std::string module;  // path of the ELF file, "[kernel]"; empty if none
  std::string file;    // source file; empty if not known
  int line = 0;        // that ran, in `file`; 0: not known
  int first_line = 0;  // of the function, in `file`; 0: not known
  FrameKind kind = FrameKind::kNative;
  bool inlined = false;  // into the frame that called it
  bool named = true;     // false where `function` is only an address

  bool operator==(const Frame&) const = default;
};

struct StackNode {
  int32_t parent = -1;  // node of the caller; -1: outermost. Below its own.
  int32_t frame = 0;
};

struct StackThread {
  int pid = 0;
  int tid = 0;
  std::string process;  // command name
  std::string thread;   // its own name; often the same

  bool operator==(const StackThread&) const = default;
};

// So many samples of one thread were at one node (its frame was innermost).
struct StackCount {
  int32_t node = 0;  // -1: a sample without any frame
  int32_t thread = 0;
  // Samples times the weight they stand for.
  int64_t count = 0;
};

// How the samples were had, and what is wrong with them.
struct Collection {
  // "cpu-clock", "cycles"; for imports the name of the event, if known.
  std::string event;
  // Samples each second of CPU time; nullopt for imports.
  std::optional<double> rate_hz;
  // "samples"; imports may count "ns" or "bytes".
  std::string unit = "samples";
  int64_t samples = 0;        // that are in the profile, unweighted
  int64_t lost = 0;           // by the kernel, or by a full spool
  int64_t truncated = 0;      // ended where the copied stack ended
  int64_t broken = 0;         // ended for want of unwind information
  int64_t reached_root = 0;   // of those with user frames
  int64_t python_missed = 0;  // of a Python process, without its frames
  int64_t spool_bytes = 0;
  int64_t runs = 1;                // whose samples these are; not stored
  std::optional<double> unwind_s;  // CPU time after the run
  // Sentences for the user: files that were replaced, JITs without a map.
  std::vector<std::string> notes;
};

struct StackProfile {
  std::vector<Frame> frames;
  std::vector<StackNode> nodes;
  std::vector<StackThread> threads;
  std::vector<StackCount> counts;
  Collection collection;

  // Sum of all counts.
  int64_t total() const;
  // Every index is in range and every parent lies before its children; what
  // was read from elsewhere must be checked before it is used.
  bool Valid() const;
};

// Puts a profile together stack by stack.
class ProfileBuilder {
 public:
  int32_t AddFrame(const Frame& frame);
  int32_t AddThread(const StackThread& thread);
  // `frames` are ids of AddFrame, outermost first. Empty: a sample without
  // frames.
  void Add(int32_t thread, std::span<const int32_t> frames, int64_t count);

  Collection& collection() { return profile_.collection; }
  // Hands the profile over; the builder is empty afterwards.
  StackProfile Take();

 private:
  StackProfile profile_;
  std::unordered_map<std::string, int32_t> frame_ids_;
  std::unordered_map<std::string, int32_t> thread_ids_;
  std::unordered_map<uint64_t, int32_t> node_ids_;     // parent and frame
  std::unordered_map<uint64_t, size_t> count_places_;  // node and thread
};

}  // namespace edgewise::stacks

#endif  // EDGEWISE_STACKS_PROFILE_H_
