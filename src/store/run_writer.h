// RunWriter: streams one Run to the store while it happens.
//
// Records are buffered and written in blocks, one transaction per Flush, so
// that a kill at any moment loses at most what came since the last Flush.
// Not thread-safe. The Store must outlive its writers.
#ifndef EDGEWISE_STORE_RUN_WRITER_H_
#define EDGEWISE_STORE_RUN_WRITER_H_

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "stacks/profile.h"
#include "store/run.h"

namespace edgewise {

struct WriterLimits {
  // Records waiting for Flush; more are dropped and counted.
  size_t max_buffered_bytes = size_t{64} << 20;
  // Records stored one by one, as encoded bytes; of more only the
  // distribution is kept (SeriesInfo::summarised), so that an endless run
  // stays bounded on disk. 64 MiB hold about five million spans. Exceeded by
  // no more than one Flush.
  int64_t max_stored_bytes = int64_t{64} << 20;
};

// The most series of a Run; records for more are dropped, and counted under
// the name "(more names)".
inline constexpr size_t kMaxSeriesPerRun = 16384;
// The most distinct metadata texts of a Run.
inline constexpr size_t kMaxMetaTexts = 4096;

class RunWriter {
 public:
  RunWriter(RunWriter&&) noexcept;
  RunWriter& operator=(RunWriter&&) noexcept;
  // Without Finish the Run is left marked interrupted, with what was flushed.
  ~RunWriter();

  // The id of the series of this kind and name; made if new. Cheap to call
  // again (a hash lookup). Records must go to a series of their own kind.
  int64_t SeriesId(SeriesKind kind, std::string_view name,
                   std::string_view unit);
  // The id of a metadata text for Span::meta; 0 for empty text, and once the
  // Run has more distinct texts than it may have (4096).
  uint32_t MetaId(std::string_view text);

  void AddSpans(int64_t series, std::span<const Span> spans);
  void AddJobs(int64_t series, std::span<const Job> jobs);
  void AddPoint(int64_t series, Point point);
  // Records that were lost before they got here.
  void AddDropped(int64_t series, int64_t count);

  // The Run's call stacks; again: instead of those before. Stored by Finish,
  // with the document. `profile` must be Valid().
  void SetStacks(const stacks::StackProfile& profile);

  // Bytes buffered since the last Flush; callers flush about once a second or
  // when this gets large (a few MiB).
  size_t BufferedBytes() const;
  // Writes what is buffered. On failure (disk full, locked) the buffer is
  // kept, and a later Flush tries again; records beyond a bound are dropped
  // and counted. Waits for another process's lock for a moment only (kBusy).
  Result<void> Flush();
  // Writes what is buffered, the stacks and the final document, and marks the
  // Run with run.state.
  Result<void> Finish(const Run& run);

 private:
  friend class Store;
  struct State;
  explicit RunWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace edgewise

#endif  // EDGEWISE_STORE_RUN_WRITER_H_
