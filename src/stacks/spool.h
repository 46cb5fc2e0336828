// The spool: what a stack sampler collects while the program runs, to be
// unwound and named afterwards.
//
// A file of records in the order they came, in this machine's byte order: it
// is read by the same machine, a moment later. docs/formats/spool.md has the
// bytes. Knows nothing of where records come from or what becomes of them.
#ifndef EDGEWISE_STACKS_SPOOL_H_
#define EDGEWISE_STACKS_SPOOL_H_

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace edgewise::stacks {

// The registers of a sample, as PERF_SAMPLE_REGS_USER orders them: 20 on
// x86-64 with gaps left out (kSampledRegisters says which), 33 on aarch64.
#if defined(__aarch64__)
inline constexpr uint64_t kSampledRegisters = (uint64_t{1} << 33) - 1;
#else
// ax bx cx dx si di bp sp ip flags cs ss, r8 to r15.
inline constexpr uint64_t kSampledRegisters = 0xff0fff;
#endif

// A file that was mapped executable by some process. `id` is what SpooledMap
// refers to. The descriptor, opened while the process lived, stays with the
// collector (SpoolFiles); -1 where it could not be opened.
struct SpooledFile {
  uint32_t id = 0;
  uint64_t device = 0;  // as the kernel told when it was mapped
  uint64_t inode = 0;
  std::string path;     // as the process sees it; "[vdso]", "//anon" too
  std::string why_not;  // empty if opened, else a clause for people
};

// A piece of a process's address space became executable.
struct SpooledMap {
  int32_t pid = 0;
  uint64_t start = 0;
  uint64_t length = 0;
  uint64_t file_offset = 0;
  uint32_t file = 0;
};

enum class LifeEvent : uint32_t {
  kFork = 1,    // `pid` is a copy of `parent`
  kExec = 2,    // `pid` starts anew with no mappings
  kExit = 3,    // the process is gone
  kThread = 4,  // thread `tid` of `pid` is called `name`
  // `pid` writes the names of its compiled code to the file with id `file`.
  kPerfMap = 5,
};

struct SpooledLife {
  LifeEvent event = LifeEvent::kExit;
  int32_t pid = 0;
  int32_t tid = 0;
  int32_t parent = 0;
  uint32_t file = 0;
  std::string name;
};

// A function of a Python program.
struct SpooledPythonCode {
  uint32_t id = 0;
  std::string function;  // qualified: "Camera.read"
  std::string file;
  int32_t first_line = 0;
};

struct SpooledPythonFrame {
  uint32_t code = 0;
  int32_t line = 0;
  // The first of those that run in one native call of the interpreter
  // (_PyEval_EvalFrameDefault): outer ones belong to an outer such call.
  uint32_t is_entry = 0;
};

struct SpooledSample {
  int32_t pid = 0;
  int32_t tid = 0;
  uint64_t time_ns = 0;  // CLOCK_MONOTONIC
  uint32_t weight = 1;   // samples it stands for
  // A Python process: 1 with `python` read, 2 it could not be read.
  uint32_t python_state = 0;
  std::vector<uint64_t> kernel;  // return addresses, innermost first
  // By kSampledRegisters; empty for kernel threads and 32-bit programs.
  std::vector<uint64_t> registers;
  uint64_t user_ip = 0;
  std::vector<SpooledPythonFrame> python;  // innermost first
  // Copied from the stack pointer upwards.
  std::string_view stack;  // points into the reader or the caller's buffer
};

// Counted at the end of collection.
struct SpooledLoss {
  int64_t samples = 0;
};

class SpoolWriter {
 public:
  // Creates the file (mode 0600). Samples beyond `max_bytes` are counted, not
  // written.
  static Result<SpoolWriter> Create(const std::filesystem::path& path,
                                    uint64_t max_bytes);

  void Add(const SpooledFile& file);
  void Add(const SpooledMap& map);
  void Add(const SpooledLife& life);
  void Add(const SpooledPythonCode& code);
  void Add(const SpooledSample& sample);
  void Add(const SpooledLoss& loss);

  // Hands what is buffered to the kernel; called by Add when it is much.
  Result<void> Flush();
  uint64_t bytes() const { return bytes_; }
  // Samples that were not written: the spool or the disk was full.
  int64_t dropped_samples() const { return dropped_samples_; }

 private:
  SpoolWriter(UniqueFd fd, uint64_t max_bytes);
  void Append(uint32_t type, std::initializer_list<std::string_view> pieces);

  UniqueFd fd_;
  uint64_t max_bytes_ = 0;
  uint64_t bytes_ = 0;
  int64_t dropped_samples_ = 0;
  bool failed_ = false;
  std::string buffer_;
};

// Reads a spool record by record. Believes nothing: a record that is cut off
// or does not add up ends the reading, as a kill of the writer would.
class SpoolReader {
 public:
  enum class Kind { kEnd, kFile, kMap, kLife, kPythonCode, kSample, kLoss };

  static Result<SpoolReader> Open(const std::filesystem::path& path);
  // From memory, for tests; `bytes` must outlive the reader.
  explicit SpoolReader(std::string_view bytes);
  SpoolReader(SpoolReader&& other) noexcept;
  SpoolReader& operator=(SpoolReader&& other) noexcept;
  ~SpoolReader();

  size_t bytes() const { return all_.size(); }
  // Starts again at the first record.
  void Rewind() { rest_ = all_; }
  // The next record; its value is in the member of that kind, until the next
  // call.
  Kind Next();
  // The same, but of samples only that there is one: `sample` stays.
  Kind NextButSamples();

  SpooledFile file;
  SpooledMap map;
  SpooledLife life;
  SpooledPythonCode python_code;
  SpooledSample sample;
  SpooledLoss loss;

 private:
  Kind Read(bool with_samples);

  std::string_view all_;
  std::string_view rest_;
  void* mapped_ = nullptr;
  size_t mapped_bytes_ = 0;
};

// The bytes a spool begins with.
std::string SpoolHeader();

}  // namespace edgewise::stacks

#endif  // EDGEWISE_STACKS_SPOOL_H_
