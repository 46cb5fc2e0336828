// OutputPump: carries a program's stdout and stderr onwards and keeps the end.
//
// A thread of its own, so that a slow reader of our output (a paused terminal,
// a full pipe) never delays the sampling.
#ifndef EDGEWISE_SESSIONS_OUTPUT_PUMP_H_
#define EDGEWISE_SESSIONS_OUTPUT_PUMP_H_

#include <cstdint>
#include <string>
#include <thread>

#include "base/result.h"
#include "base/unique_fd.h"
#include "sessions/log_watch.h"

namespace edgewise {

// The last `capacity` bytes of a stream, and how many there were in all.
class Tail {
 public:
  explicit Tail(size_t capacity) : capacity_(capacity) {}
  void Append(const char* data, size_t size);
  std::string Text() const;
  int64_t total_bytes() const { return total_bytes_; }

 private:
  size_t capacity_;
  std::string ring_;
  size_t next_ = 0;  // where the ring continues once it is full
  int64_t total_bytes_ = 0;
};

class OutputPump {
 public:
  // With `pass_through` what arrives is also written to our own stdout and
  // stderr. When the reader there has gone, the program's pipe is closed too,
  // so that it gets SIGPIPE as without us; after another error (full disk) its
  // output is still read, so that it never blocks on us.
  // The time at which `awaited` comes up is noted.
  explicit OutputPump(bool pass_through, std::string awaited = "");
  ~OutputPump();
  OutputPump(const OutputPump&) = delete;
  OutputPump& operator=(const OutputPump&) = delete;

  Result<void> Start();
  // The ends the program writes to; close them here once it has them.
  int stdout_fd() const { return program_stdout_.get(); }
  int stderr_fd() const { return program_stderr_.get(); }
  void CloseProgramEnds();

  // Reads what is still in the pipes, without waiting for a descendant that
  // holds them open, and ends the thread. Text and counts are valid after it.
  void Finish();
  const Tail& tail() const { return tail_; }
  // Valid at any time.
  const LogWatch& watch() const { return watch_; }
  // Non-empty if passing on failed, in words.
  const std::string& pass_through_error() const { return pass_through_error_; }

 private:
  struct Stream {
    UniqueFd source;
    int sink = -1;
    bool open = true;
    bool passing = true;
  };
  void Loop();
  // One read of at most a chunk; false when there is nothing (now or ever).
  bool Carry(int number);
  void PassOn(Stream& stream, const char* data, size_t size);

  bool pass_through_;
  UniqueFd program_stdout_, program_stderr_;
  UniqueFd stop_read_, stop_write_;
  Stream streams_[2];
  Tail tail_;
  LogWatch watch_;
  std::string pass_through_error_;
  bool stopping_ = false;  // Finish() was called
  std::thread thread_;
};

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_OUTPUT_PUMP_H_
