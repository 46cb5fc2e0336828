// FrameReader: the Python frames of a thread, read from its process's memory
// while it runs.
//
// In the steady state one system call reads everything: the thread's state,
// the piece of memory that held its frames the last time, and the heads of the
// functions that were in it the last time. What has changed since then costs
// further ones. Believes nothing it reads. Not thread-safe.
#ifndef EDGEWISE_PROBES_PYTHON_FRAME_READER_H_
#define EDGEWISE_PROBES_PYTHON_FRAME_READER_H_

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "probes/python/code_cache.h"
#include "probes/python/layout.h"
#include "probes/python/remote_memory.h"
#include "probes/python/thread_states.h"
#include "stacks/spool.h"

namespace edgewise::python {

// Where things are in the process; 0: not known.
struct RuntimePlace {
  uint64_t runtime = 0;    // _PyRuntime
  uint64_t code_type = 0;  // PyCode_Type
};

class FrameReader {
 public:
  // Of a deeper stack the outermost frames are left out; "[deeper]" stands for
  // them.
  static constexpr size_t kMaxFrames = 256;

  // `codes` must outlive the reader.
  FrameReader(ReadPieces read, const Layout& layout, const RuntimePlace& place,
              PythonCodes* codes);

  // Innermost first; empty if the thread runs no Python now. nullopt if what
  // was read made no sense several times: the thread runs on meanwhile.
  // `native_tid` counts in the innermost pid namespace of the process.
  std::optional<std::vector<stacks::SpooledPythonFrame>> Read(pid_t native_tid);

 private:
  struct RawFrame {
    uint64_t address = 0;
    uint64_t code = 0;
    uint64_t prev_instr = 0;
    bool is_generator = false;
    bool is_entry = false;
  };
  // What to read along in the first call: as it was the last time.
  struct Guess {
    uint64_t cframe = 0;
    uint64_t window = 0;  // where the innermost frames were
    size_t window_bytes = 0;
    std::vector<uint64_t> codes;  // ascending, each once
  };
  // Frames are small and lie close to each other, so that one stretch of
  // memory holds many.
  struct Stretch {
    static constexpr size_t kMaxBytes = 8192;

    uint64_t address = 0;
    size_t bytes = 0;  // 0: nothing was read
    std::array<char, kMaxBytes> memory;

    RemotePiece Piece(uint64_t from, size_t size);
    // Empty if they are not all inside.
    std::span<const char> Find(uint64_t from, size_t size) const;
  };

  // What was read; nullopt: nonsense.
  std::optional<std::vector<stacks::SpooledPythonFrame>> TryRead(
      pid_t native_tid);
  // The address of the innermost frame; 0: none. nullopt if the thread goes on
  // too fast, or the state is not its own any more.
  std::optional<uint64_t> FindCurrentFrame(uint64_t thread, pid_t native_tid,
                                           Guess* guess);
  // Reads the thread's state and what is guessed; nullopt if not even the
  // state could be read, false if current_frame_ was not.
  std::optional<bool> ReadGuessed(uint64_t thread, const Guess& guess);
  bool WalkFrames(uint64_t current_frame);
  // The bytes of a frame; empty if they cannot be read.
  std::span<const char> FrameAt(uint64_t address);
  bool HasCycle() const;
  bool ReadCodeHeads();
  std::span<const char> CodeHead(uint64_t address) const;
  std::optional<std::vector<stacks::SpooledPythonFrame>> NameFrames();
  void GuessPlaces(Guess* guess) const;
  void Remember(Guess* guess) const;

  ReadPieces read_;
  const Layout* layout_;
  ThreadStates threads_;
  CodeCache cache_;
  PythonCodes* codes_;
  std::unordered_map<pid_t, Guess> guesses_;

  // Of the read in progress; members for the sake of their memory.
  std::vector<RemotePiece> pieces_;
  std::vector<char> thread_;  // the thread's state
  uint64_t current_frame_ = 0;
  Stretch window_;     // at the top of the stack of frames
  Stretch elsewhere_;  // where a frame was that is not in the window
  std::vector<RawFrame> raw_;
  bool deeper_ = false;
  // Whose heads are in code_heads_: first those guessed, then the others, both
  // ascending.
  std::vector<uint64_t> code_addresses_;
  size_t guessed_codes_ = 0;
  std::vector<char> code_heads_;
};

}  // namespace edgewise::python

#endif  // EDGEWISE_PROBES_PYTHON_FRAME_READER_H_
