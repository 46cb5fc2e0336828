// Recorder: reads every probe of a session on its clock and streams what it
// reads to the store; at the end it fills in the Run's totals.
//
// Three clocks keep the cost down: every tick what is cheap (CPU, memory,
// faults of the tree), once a second what is dearer (threads, switches, I/O,
// pressure, steal, frequency, temperature, power), and PSS on a budget of its
// own. Not thread-safe.
#ifndef EDGEWISE_SESSIONS_RECORDER_H_
#define EDGEWISE_SESSIONS_RECORDER_H_

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/cgroups.h"
#include "base/result.h"
#include "controls/guardian.h"
#include "sessions/settings.h"
#include "sessions/stack_recorder.h"
#include "store/run_writer.h"

namespace edgewise {

// What is measured: a launched tree or an attached process.
struct RecorderTarget {
  pid_t pid = 0;
  bool attached = false;
  // A container: its first process is held (or runs already: `running`) as the
  // engine's, whose work in the same groups does not count.
  bool container = false;
  bool running = false;
  // Of the launched tree; all empty where none could be made.
  CgroupFolders cgroups;
  // Below a launched program's guardian, but no part of it: what --prepare
  // left running.
  std::vector<pid_t> exclude;
  // Where the Run is stored, and its id.
  std::filesystem::path home;
  std::string run_id;
};

class Recorder {
 public:
  // `writer` must outlive the recorder. An empty socket path: no rings.
  static Result<std::unique_ptr<Recorder>> Create(
      RunWriter& writer, const SessionSettings& settings,
      const std::string& socket_path);
  ~Recorder();

  // Opens the probes on a target that is held before exec (or runs, if
  // attached). What cannot be opened is noted for Finish.
  void Open(const RecorderTarget& target);
  // What the target's groups have used so far does not count.
  void CountFromNow();
  // The program starts to run now: time 0 of the Run.
  void Start(int64_t now_ns);
  // One sample. Call at the sample rate.
  void Tick(int64_t now_ns);

  // Readable when rings want to be drained; -1 without rings.
  int ring_fd() const;
  void DrainRings();
  // Reads the rings a last time and says goodbye to all clients; after the
  // program has ended, before Fill.
  void FinishRings();

  // Whether stacks are sampled.
  bool has_stacks() const;
  // Unwinds what was sampled and hands it to the writer; after Stop.
  void FinishStacks(Run* run);

  // Last figures of the tree, for progress.
  std::optional<double> cpu_percent() const;
  std::optional<int64_t> rss_bytes() const;
  // The tree's memory limit killed something.
  bool OutOfMemory() const;

  // A last sample and drain, before the tree's cgroups go away.
  void Stop(int64_t now_ns);
  // Fills in totals, counters, threads, clients, unavailable. `usage` is the
  // kernel's account of a launched tree; nullopt when attached.
  void Fill(const std::optional<TreeUsage>& usage, Run* run) const;

 private:
  struct State;
  explicit Recorder(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_RECORDER_H_
