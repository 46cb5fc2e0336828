// The C interface: times, and writes records into the thread's ring.
#include <errno.h>
#include <string.h>
#include <time.h>

#include "client/clock_ns.h"
#include "client/csv_log.h"
#include "client/names.h"
#include "client/process.h"
#include "client/record_writer.h"
#include "client/ring_layout.h"
#include "edgewise/edgewise.h"

namespace edgewise::client {
namespace {

enum Mode : uint32_t {
  kInactive = 0,  // nobody listens, or already ended
  kWall = 1,
  kWallAndCpu = 2,
  kCsv = 3,  // no collector: a row for the profile log
};

// Counts what is about to be recorded if there is a collector but no slot.
__attribute__((noinline)) bool AttachFor(ThreadState& thread,
                                         edgewise_name name) {
  const Attachment attachment = AttachThread(thread);
  if (attachment == Attachment::kNoSlot) {
    CountDropWithoutSlot(name);
  }
  return attachment == Attachment::kAttached;
}

// Whether a record with this name can be written now.
inline bool Ready(ThreadState& thread, edgewise_name name) {
  if (!Attached(thread) && !AttachFor(thread, name)) {
    return false;
  }
  if (__builtin_expect(name == 0 || name >= kNameCapacity, 0)) {
    CountDropWithoutName();
    return false;
  }
  return true;
}

inline void CheckCollectorIfDue(uint64_t now_ns) {
  if (__builtin_expect(now_ns >= next_check_ns.load(std::memory_order_relaxed),
                       0)) {
    CheckCollector(now_ns);
  }
}

// A span that nobody collects, timed only if there is a profile log to write.
__attribute__((noinline)) void BeginDetached(edgewise_span* span,
                                             edgewise_name name) {
  span->mode = kInactive;
  if (CsvPath() == nullptr || HasCollector()) {
    return;
  }
  span->mode = kCsv;
  span->name = name;
  span->epoch = CurrentEpoch();
  span->cpu_start_ns = ClockNs(CLOCK_PROCESS_CPUTIME_ID);
  span->start_ns = ClockNs(CLOCK_MONOTONIC);
}

// After the clock is read, everything is taken from `span` again: fewer
// registers to save over the call make a timer visibly cheaper.
inline void Begin(edgewise_span* span, edgewise_name name, Mode mode) {
  ThreadState& thread = thread_state;
  if (__builtin_expect(!Ready(thread, name), 0)) {
    BeginDetached(span, name);
    return;
  }
  const uint32_t depth =
      thread.slot->open_depth.load(std::memory_order_relaxed);
  span->owner = thread.slot;
  span->epoch = thread.epoch;
  span->name = name;
  span->depth = depth;
  span->tid = thread.tid;
  span->mode = mode;
  if (mode == kWallAndCpu) {
    span->cpu_start_ns = ClockNs(CLOCK_THREAD_CPUTIME_ID);
  }
  const uint64_t start_ns = ClockNs(CLOCK_MONOTONIC);
  span->start_ns = start_ns;
  Slot& slot = *static_cast<Slot*>(span->owner);
  const uint32_t index = span->depth;
  if (__builtin_expect(index < kMaxOpenSpans, 1)) {
    slot.open[index].name.store(span->name, std::memory_order_relaxed);
    slot.open[index].start_ns.store(start_ns, std::memory_order_relaxed);
  }
  slot.open_depth.store(index + 1, std::memory_order_release);
}

// Takes a span off the stack of open ones. Spans that were ended in another
// order leave with the one below them.
inline void Pop(Slot& slot, const edgewise_span& span) {
  if (span.depth < slot.open_depth.load(std::memory_order_relaxed)) {
    slot.open_depth.store(span.depth, std::memory_order_relaxed);
  }
}

// A row for $EDGEWISE_CSV, if it is set.
__attribute__((noinline)) void WriteCsvRow(edgewise_name name, CsvRow row) {
  char label[kMaxNameBytes + 1];
  if (CsvPath() != nullptr && CopyName(name, label)) {
    const int saved_errno = errno;
    row.label = label;
    AppendCsvRow(CsvPath(), row);
    errno = saved_errno;
  }
}

__attribute__((noinline)) void EndCsv(const edgewise_span& span,
                                      uint64_t end_ns, const char* meta,
                                      size_t meta_bytes) {
  const uint64_t cpu_ns = ClockNs(CLOCK_PROCESS_CPUTIME_ID) - span.cpu_start_ns;
  if (EpochIsOfThisProcess(span.epoch)) {
    WriteCsvRow(span.name, {nullptr, end_ns - span.start_ns, cpu_ns, end_ns,
                            meta, meta_bytes});
  }
}

// A span that was begun by another thread, or before the collector changed,
// or before a fork. Returns whether it counts here.
__attribute__((noinline)) bool EndElsewhere(const edgewise_span& span,
                                            ThreadState& thread) {
  if (!Ready(thread, span.name) || !EpochIsOfThisProcess(span.epoch)) {
    return false;
  }
  // The region stays where it is, so the other thread's slot is still there,
  // though a later thread may have it.
  // If the span is not its innermost one, it leaves with the one below it.
  Slot& owner = *static_cast<Slot*>(span.owner);
  if (owner.tid.load(std::memory_order_relaxed) == span.tid) {
    uint32_t innermost = span.depth + 1;
    owner.open_depth.compare_exchange_strong(innermost, span.depth,
                                             std::memory_order_relaxed);
  }
  return true;
}

inline void End(edgewise_span* span, const char* meta, size_t meta_bytes) {
  if (span->mode == kInactive) {
    return;
  }
  const uint64_t end_ns = ClockNs(CLOCK_MONOTONIC);
  const uint32_t mode = span->mode;
  span->mode = kInactive;
  uint64_t cpu_ns = kNoCpuTime;
  if (mode != kWall) {
    if (mode == kCsv) {
      EndCsv(*span, end_ns, meta, meta_bytes);
      return;
    }
    cpu_ns = ClockNs(CLOCK_THREAD_CPUTIME_ID) - span->cpu_start_ns;
  }
  ThreadState& thread = thread_state;
  if (__builtin_expect(
          span->epoch == epoch_word->load(std::memory_order_acquire) &&
              span->owner == thread.slot && span->tid == thread.tid,
          1)) {
    Pop(*thread.slot, *span);
  } else if (EndElsewhere(*span, thread)) {
    cpu_ns = kNoCpuTime;
  } else {
    return;
  }
  const uint64_t start_ns = span->start_ns;
  if (meta_bytes == 0) {
    PushPlain(thread, span->name, RecordKind::kSpan, start_ns,
              end_ns - start_ns, cpu_ns);
  } else {
    PushSpanWithMeta(thread, span->name, start_ns, end_ns - start_ns, cpu_ns,
                     meta, meta_bytes);
  }
  CheckCollectorIfDue(end_ns);
}

void PushMetric(RecordKind kind, edgewise_name name, uint64_t value) {
  ThreadState& thread = thread_state;
  if (!Ready(thread, name)) {
    return;
  }
  const uint64_t now_ns = ClockNs(CLOCK_MONOTONIC);
  PushPlain(thread, name, kind, now_ns, value, kNoCpuTime);
  CheckCollectorIfDue(now_ns);
}

// What is not a number says nothing; it is left out, which is not a loss.
void PushDouble(RecordKind kind, edgewise_name name, double value) {
  if (!__builtin_isfinite(value)) {
    return;
  }
  uint64_t bits;
  static_assert(sizeof(bits) == sizeof(value));
  memcpy(&bits, &value, sizeof(bits));
  PushMetric(kind, name, bits);
}

}  // namespace
}  // namespace edgewise::client

namespace client = edgewise::client;

edgewise_name edgewise_intern(const char* text) {
  return client::InternName(text);
}

void edgewise_span_begin(edgewise_span* span, edgewise_name name) {
  client::Begin(span, name, client::kWallAndCpu);
}

void edgewise_timer_begin(edgewise_span* span, edgewise_name name) {
  client::Begin(span, name, client::kWall);
}

void edgewise_span_end(edgewise_span* span) { client::End(span, nullptr, 0); }

void edgewise_span_end_meta(edgewise_span* span, const char* meta,
                            size_t meta_bytes) {
  client::End(span, meta, meta != nullptr ? meta_bytes : 0);
}

void edgewise_span_cancel(edgewise_span* span) {
  client::ThreadState& thread = client::thread_state;
  if (span->mode != client::kInactive && span->mode != client::kCsv &&
      client::Attached(thread) && span->epoch == thread.epoch &&
      span->owner == thread.slot && span->tid == thread.tid) {
    client::Pop(*thread.slot, *span);
  }
  span->mode = client::kInactive;
}

void edgewise_span_record(edgewise_name name, uint64_t start_ns,
                          uint64_t wall_ns, uint64_t cpu_ns, const char* meta,
                          size_t meta_bytes) {
  client::ThreadState& thread = client::thread_state;
  if (client::Ready(thread, name)) {
    client::PushSpanWithMeta(thread, name, start_ns, wall_ns, cpu_ns, meta,
                             meta != nullptr ? meta_bytes : 0);
    client::CheckCollectorIfDue(start_ns + wall_ns);
  } else if (!client::HasCollector()) {
    client::WriteCsvRow(name, {nullptr, wall_ns, cpu_ns, start_ns + wall_ns,
                               meta, meta != nullptr ? meta_bytes : 0});
  }
}

void edgewise_gauge(edgewise_name name, double value) {
  client::PushDouble(client::RecordKind::kGauge, name, value);
}

void edgewise_counter_add(edgewise_name name, int64_t delta) {
  if (name != 0 && name < client::kNameCapacity) {
    const int64_t total = client::AddToCounter(name, delta);
    client::PushMetric(client::RecordKind::kCounter, name,
                       static_cast<uint64_t>(total));
  }
}

void edgewise_rate(edgewise_name name, double per_second) {
  client::PushDouble(client::RecordKind::kRate, name, per_second);
}

void edgewise_job(edgewise_name name, uint64_t release_ns, uint64_t start_ns,
                  uint64_t end_ns, uint64_t deadline_ns, uint64_t cpu_ns) {
  client::ThreadState& thread = client::thread_state;
  if (client::Ready(thread, name)) {
    client::PushJob(thread, name, start_ns, end_ns - start_ns, cpu_ns,
                    {release_ns, deadline_ns, {}});
    client::CheckCollectorIfDue(end_ns);
  }
}

uint64_t edgewise_now_ns(void) { return client::ClockNs(CLOCK_MONOTONIC); }

uint64_t edgewise_thread_cpu_ns(void) {
  return client::ClockNs(CLOCK_THREAD_CPUTIME_ID);
}

int edgewise_connect(void) { return client::ConnectNow() ? 1 : 0; }

int edgewise_listening(void) {
  client::ThreadState& thread = client::thread_state;
  return client::Attached(thread) ||
                 client::AttachThread(thread) == client::Attachment::kAttached
             ? 1
             : 0;
}

int edgewise_csv_append(const char* path, const char* label, uint64_t wall_ns,
                        uint64_t cpu_ns, uint64_t timestamp_ns,
                        const char* meta, size_t meta_bytes) {
  if (path == nullptr || label == nullptr) {
    return EINVAL;
  }
  const int saved_errno = errno;
  const int error =
      client::AppendCsvRow(path, {label, wall_ns, cpu_ns, timestamp_ns, meta,
                                  meta != nullptr ? meta_bytes : 0});
  errno = saved_errno;
  return error;
}
