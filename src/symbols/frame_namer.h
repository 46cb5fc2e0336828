// FrameNamer: the frames of a profile that addresses stand for.
//
// Every address is named once and then found by a look-up.
#ifndef EDGEWISE_SYMBOLS_FRAME_NAMER_H_
#define EDGEWISE_SYMBOLS_FRAME_NAMER_H_

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "stacks/profile.h"
#include "symbols/code_files.h"
#include "symbols/kernel_symbols.h"
#include "symbols/notes.h"
#include "symbols/perf_map.h"
#include "symbols/process_table.h"
#include "symbols/unwinder.h"

namespace edgewise::symbols {

class FrameNamer {
 public:
  // How merging with Python's own frames sees a frame.
  enum class Role : uint8_t {
    kOther,
    kEvaluator,    // runs Python functions
    kInterpreter,  // another part of the interpreter
    kBuiltin,      // a function of the interpreter that a program may call
    kStartUp,      // of the C library: what starts programs and threads
  };
  // Ids of a ProfileBuilder, outermost first: a function and what was inlined
  // into it.
  struct Frames {
    std::vector<int32_t> ids;
    Role role = Role::kOther;
  };

  // All must outlive this.
  FrameNamer(stacks::ProfileBuilder& builder, CodeFiles& files, Notes& notes,
             std::filesystem::path proc_root)
      : builder_(builder),
        files_(files),
        notes_(notes),
        proc_root_(std::move(proc_root)) {}

  // The references are valid as long as this.
  const Frames& User(int32_t pid, const Process& process,
                     const CodeAddress& address);
  const Frames& Kernel(uint64_t address);
  // "[truncated]" and the like.
  int32_t Mark(const std::string& text);

 private:
  Frames NativeFrames(const CodeAddress& address);
  const Frames& JitFrames(int32_t pid, const Process& process,
                          const CodeAddress& address);
  Frames JitFrame(int32_t pid, const Process& process,
                  const CodeAddress& address);

  stacks::ProfileBuilder& builder_;
  CodeFiles& files_;
  Notes& notes_;
  std::filesystem::path proc_root_;
  std::deque<Frames> native_;  // CodePlace::frames is an index
  // By process (its generation) and address.
  std::map<std::pair<uint64_t, uint64_t>, Frames> jit_;
  std::unordered_map<uint64_t, PerfMap> perf_maps_;  // by generation
  std::unordered_map<uint64_t, Frames> kernel_;
  std::unique_ptr<KernelSymbols> kernel_symbols_;
};

}  // namespace edgewise::symbols

#endif  // EDGEWISE_SYMBOLS_FRAME_NAMER_H_
