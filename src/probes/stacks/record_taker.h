// RecordTaker: puts the kernel's records into the spool, and adds to samples of
// Python programs the frames that only their memory tells.
//
// Decides what is kept: when the spool grows, fewer samples, each counting as
// many. Not thread-safe.
#ifndef EDGEWISE_PROBES_STACKS_RECORD_TAKER_H_
#define EDGEWISE_PROBES_STACKS_RECORD_TAKER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "probes/stacks/mapped_files.h"
#include "probes/stacks/perf_map_watch.h"
#include "probes/stacks/python_watch.h"
#include "probes/stacks/sample_record.h"
#include "stacks/spool.h"

namespace edgewise {

class RecordTaker {
 public:
  // Whenever another `stage_bytes` are spooled, half as many samples are kept.
  RecordTaker(stacks::SpoolWriter spool, uint64_t stage_bytes)
      : spool_(std::move(spool)),
        stage_bytes_(stage_bytes),
        next_stage_bytes_(stage_bytes) {}

  RecordTaker(const RecordTaker&) = delete;
  RecordTaker& operator=(const RecordTaker&) = delete;

  // Takes what it can use out of `record`.
  void Take(PerfRecord& record, uint64_t now_ns);
  // What a program had mapped and how its threads are called before it was
  // sampled.
  void TakeMap(const PerfRecord& record);
  void Add(const stacks::SpooledLife& life) { spool_.Add(life); }

  // From now on each sample stands for so many at the asked rate.
  void set_slowed(uint32_t slowed) { slowed_ = slowed; }
  uint32_t slowed() const { return slowed_; }
  bool any_python() const { return python_.any(); }

  // Looks for what programs wrote about their own code.
  void Look(int64_t now_ns) { perf_maps_.Look(now_ns); }
  // Ends the spool.
  void Finish();

  const MappedFiles& files() const { return files_; }
  uint64_t spool_bytes() const { return spool_.bytes(); }
  // Sentences on what the samples miss.
  std::vector<std::string> notes() const;

 private:
  void TakeSample(PerfRecord& record, uint64_t now_ns);

  stacks::SpoolWriter spool_;
  MappedFiles files_;
  PerfMapWatch perf_maps_{files_, spool_};
  PythonWatch python_;
  uint64_t stage_bytes_;
  uint64_t next_stage_bytes_;
  uint32_t weight_ = 1;
  uint32_t slowed_ = 1;
  uint64_t seen_samples_ = 0;
  int64_t late_python_ = 0;  // samples while somebody ran Python, taken late
  int64_t lost_ = 0;
  stacks::SpooledSample sample_;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_STACKS_RECORD_TAKER_H_
