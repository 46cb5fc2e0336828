#include "probes/stacks/record_taker.h"

#include "base/clock.h"
#include "base/units.h"

namespace edgewise {
namespace {

// Python frames that are read later than this after the sample say where the
// program went meanwhile, not where it was.
constexpr uint64_t kPythonDelayNs = 10 * kNsPerMs;
// Those within this time are taken for the same place.
constexpr uint64_t kPromptNs = kNsPerMs;
// A share of others above this is worth a word.
constexpr double kMostLate = 0.1;

#if defined(__aarch64__)
constexpr size_t kInstructionPointer = 32;
#else
constexpr size_t kInstructionPointer = 8;
#endif

}  // namespace

void RecordTaker::TakeSample(PerfRecord& record, uint64_t now_ns) {
  if (spool_.bytes() > next_stage_bytes_) {
    weight_ *= 2;
    next_stage_bytes_ += stage_bytes_;
  }
  if (seen_samples_++ % weight_ != 0) {
    return;
  }
  sample_.pid = record.pid;
  sample_.tid = record.tid;
  sample_.time_ns = record.time_ns;
  sample_.weight = weight_ * slowed_;
  std::swap(sample_.kernel, record.kernel);
  sample_.user_ip =
      record.registers.empty() ? 0 : record.registers[kInstructionPointer];
  sample_.registers.clear();
  sample_.stack = {};
  if (record.user_is_64_bit) {
    std::swap(sample_.registers, record.registers);
    sample_.stack = record.stack;
  }
  sample_.python.clear();
  late_python_ += now_ns > record.time_ns + kPromptNs && python_.any() ? 1 : 0;
  sample_.python_state = python_.Read(record.pid, record.tid,
                                      now_ns < record.time_ns + kPythonDelayNs,
                                      spool_, &sample_.python);
  spool_.Add(sample_);
  perf_maps_.Sampled(record.pid, static_cast<int64_t>(now_ns));
}

void RecordTaker::TakeMap(const PerfRecord& record) {
  stacks::SpooledMap map;
  map.pid = record.pid;
  map.start = record.start;
  map.length = record.length;
  map.file_offset = record.file_offset;
  map.file = files_.IdOf(record, spool_);
  spool_.Add(map);
  python_.Mapped(record.pid, record.name);
}

void RecordTaker::Take(PerfRecord& record, uint64_t now_ns) {
  stacks::SpooledLife life;
  life.pid = record.pid;
  life.tid = record.tid;
  switch (record.kind) {
    case RecordKind::kSample:
      TakeSample(record, now_ns);
      break;
    case RecordKind::kMap:
      TakeMap(record);
      break;
    case RecordKind::kFork:
      if (record.pid != record.parent_pid) {
        life.event = stacks::LifeEvent::kFork;
        life.parent = record.parent_pid;
        spool_.Add(life);
        python_.Forked(record.parent_pid, record.pid);
      }
      break;
    case RecordKind::kExit:
      if (record.pid == record.tid) {
        perf_maps_.Ended(record.pid);
        life.event = stacks::LifeEvent::kExit;
        spool_.Add(life);
        python_.Ended(record.pid);
      }
      break;
    case RecordKind::kName:
      if (record.by_exec) {
        life.event = stacks::LifeEvent::kExec;
        spool_.Add(life);
        python_.Ended(record.pid);
      }
      life.event = stacks::LifeEvent::kThread;
      life.name = record.name;
      spool_.Add(life);
      break;
    case RecordKind::kLost:
      lost_ += record.lost;
      break;
    case RecordKind::kOther:
      break;
  }
}

void RecordTaker::Finish() {
  perf_maps_.Finish();
  stacks::SpooledLoss loss;
  loss.samples = lost_ + spool_.dropped_samples();
  spool_.Add(loss);
  (void)spool_.Flush();
}

std::vector<std::string> RecordTaker::notes() const {
  std::vector<std::string> notes = python_.notes();
  if (static_cast<double>(late_python_) >
      kMostLate * static_cast<double>(seen_samples_)) {
    notes.push_back(
        FormatCount(late_python_) + " of " +
        FormatCount(static_cast<int64_t>(seen_samples_), "sample") +
        " were taken more than 1 ms late on a busy machine: Python functions "
        "that make system calls may have too large a share; as root they are "
        "taken at once");
  }
  if (slowed_ > 1) {
    notes.push_back(
        "Python kept several cores busy: after a moment one in " +
        std::to_string(slowed_) +
        " samples was taken, and counts as many, so that sampling stays within "
        "1% of a core");
  }
  if (weight_ > 1) {
    notes.push_back("many samples came: towards the end one in " +
                    std::to_string(weight_) + " was kept, and counts as many");
  }
  if (spool_.dropped_samples() > 0) {
    notes.push_back(FormatCount(spool_.dropped_samples(), "sample") +
                    " did not fit on the disk");
  }
  return notes;
}

}  // namespace edgewise
