// Writes records into the ring of the calling thread, which must be attached.
#ifndef EDGEWISE_CLIENT_RECORD_WRITER_H_
#define EDGEWISE_CLIENT_RECORD_WRITER_H_

#include <string.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "client/process.h"
#include "client/ring_layout.h"

namespace edgewise::client {

// How much of a metadata text is kept: whole lines, kMaxMetaBytes at most.
inline size_t KeptMetaBytes(const char* meta, size_t bytes) {
  if (bytes > kMaxMetaBytes) {
    bytes = kMaxMetaBytes + 1;
    while (bytes > 0 && meta[bytes - 1] != '\n') {
      --bytes;
    }
  }
  while (bytes > 0 && meta[bytes - 1] == '\n') {
    --bytes;
  }
  return bytes;
}

// The first word of a record: name, kind and number of extra records.
constexpr uint64_t FirstWord(uint32_t name, RecordKind kind, uint64_t extra) {
  return uint64_t{name} | static_cast<uint64_t>(kind) << 32 | extra << 40;
}

inline void StoreRecord(Record& record, uint64_t first_word, uint64_t start_ns,
                        uint64_t value, uint64_t cpu_ns) {
  memcpy(static_cast<void*>(&record), &first_word, sizeof(first_word));
  record.start_ns = start_ns;
  record.value = value;
  record.cpu_ns = cpu_ns;
}

// Writes a record into the thread's ring. Drops and counts what does not fit,
// and what a signal handler brings while its thread is in here.
class RecordWriter {
 public:
  RecordWriter(ThreadState& thread, uint32_t name, uint64_t records)
      : thread_(thread) {
    if (__builtin_expect(thread.busy, 0)) {
      thread.slot->dropped_reentry.fetch_add(1, std::memory_order_relaxed);
      CountDropOf(name);
      return;
    }
    thread.busy = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (__builtin_expect(thread.head + records <= thread.limit, 1) ||
        MakeRoom(thread, records)) {
      writing_ = true;
    } else {
      CountDropOf(name);
      thread.busy = false;
    }
  }
  RecordWriter(const RecordWriter&) = delete;
  RecordWriter& operator=(const RecordWriter&) = delete;

  explicit operator bool() const { return __builtin_expect(writing_, 1); }

  Record& record(uint64_t index) {
    return thread_.ring[(thread_.head + index) & thread_.mask];
  }

  // Publishes `records` at once.
  void Publish(uint64_t records) {
    thread_.head += records;
    thread_.slot->head.store(thread_.head, std::memory_order_release);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    thread_.busy = false;
  }

 private:
  ThreadState& thread_;
  bool writing_ = false;
};

inline void PushPlain(ThreadState& thread, uint32_t name, RecordKind kind,
                      uint64_t start_ns, uint64_t value, uint64_t cpu_ns) {
  RecordWriter writer(thread, name, 1);
  if (writer) {
    StoreRecord(writer.record(0), FirstWord(name, kind, 0), start_ns, value,
                cpu_ns);
    writer.Publish(1);
  }
}

inline void PushSpanWithMeta(ThreadState& thread, uint32_t name,
                             uint64_t start_ns, uint64_t wall_ns,
                             uint64_t cpu_ns, const char* meta,
                             size_t meta_bytes) {
  const size_t kept = KeptMetaBytes(meta, meta_bytes);
  if (meta_bytes > kMaxMetaBytes) {
    thread.slot->truncated_meta.fetch_add(1, std::memory_order_relaxed);
  }
  const uint64_t extra = (kept + sizeof(Record) - 1) / sizeof(Record);
  RecordWriter writer(thread, name, 1 + extra);
  if (!writer) {
    return;
  }
  StoreRecord(writer.record(0), FirstWord(name, RecordKind::kSpan, extra),
              start_ns, wall_ns, cpu_ns);
  for (uint64_t i = 0; i < extra; ++i) {
    const size_t done = i * sizeof(Record);
    const size_t left = kept - done;
    char text[sizeof(Record)] = {};
    memcpy(text, meta + done, left < sizeof(text) ? left : sizeof(text));
    memcpy(static_cast<void*>(&writer.record(1 + i)), text, sizeof(text));
  }
  writer.Publish(1 + extra);
}

inline void PushJob(ThreadState& thread, uint32_t name, uint64_t start_ns,
                    uint64_t duration_ns, uint64_t cpu_ns,
                    const JobExtra& extra) {
  RecordWriter writer(thread, name, 2);
  if (writer) {
    StoreRecord(writer.record(0), FirstWord(name, RecordKind::kJob, 1),
                start_ns, duration_ns, cpu_ns);
    memcpy(static_cast<void*>(&writer.record(1)), &extra, sizeof(extra));
    writer.Publish(2);
  }
}

}  // namespace edgewise::client

#endif  // EDGEWISE_CLIENT_RECORD_WRITER_H_
