// TraceWriter: the file of one process's GPU trace.
//
// Runs inside somebody else's program: it throws nothing, prints nothing, and
// what it cannot write is left out. Thread-safe.
#ifndef EDGEWISE_GPU_CUPTI_TRACE_WRITER_H_
#define EDGEWISE_GPU_CUPTI_TRACE_WRITER_H_

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "gpu/trace_layout.h"

namespace edgewise::gpu {

class TraceWriter {
 public:
  // The file is made in `folder`, and is not larger than about `most_bytes`.
  TraceWriter(const std::string& folder, uint64_t most_bytes);
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  bool valid() const { return fd_ >= 0; }
  void Begin(const TraceHeader& header);
  void Problem(std::string_view text);

  // The id of a name, which is written down the first time.
  uint32_t Name(std::string_view name);
  // `record` begins with a RecordHead, which is filled in here.
  template <typename Record>
  void Add(RecordKind kind, Record record) {
    static_assert(sizeof(Record) % 8 == 0);
    record.head = {static_cast<uint32_t>(kind), sizeof(Record)};
    Append(&record, sizeof record);
  }
  // To the file, with the account so far.
  void Flush(uint64_t dropped, uint64_t writing_ns, uint64_t overhead_ns);

 private:
  void Append(const void* bytes, size_t size);
  void AppendText(const void* record, size_t size, std::string_view text);
  void WriteOut();

  std::mutex mutex_;
  int fd_ = -1;
  uint64_t most_bytes_;
  uint64_t written_bytes_ = 0;
  uint64_t left_out_ = 0;
  std::string pending_;
  std::unordered_map<std::string, uint32_t> names_;
};

}  // namespace edgewise::gpu

#endif  // EDGEWISE_GPU_CUPTI_TRACE_WRITER_H_
