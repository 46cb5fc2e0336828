// The shared memory that a measured process hands to a collector, and the
// hello message that goes with it. docs/formats/ring.md describes the bytes.
//
// This is the only header that both sides include. The process writes, the
// collector reads; the collector writes only `Slot::tail`, `Slot::tail_tid`,
// `RegionHeader::doorbell_armed`, `RegionHeader::ring_bytes_granted` and what a
// knob is wanted to be. Neither side trusts the other: an index that
// makes no sense loses records, never memory safety.
#ifndef EDGEWISE_CLIENT_RING_LAYOUT_H_
#define EDGEWISE_CLIENT_RING_LAYOUT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace edgewise::client {

inline constexpr uint64_t kRegionMagic = 0x6573697765676465;  // "edgewise"
inline constexpr uint32_t kLayoutVersion = 2;

inline constexpr uint32_t kDefaultSlotCount = 64;
inline constexpr uint32_t kMaxSlotCount = 1024;
inline constexpr uint32_t kDefaultRingBytes = 64 * 1024;
inline constexpr uint32_t kMinRingBytes = 4 * 1024;
inline constexpr uint32_t kMaxRingBytes = 16 * 1024 * 1024;

// Name ids are 1 … kNameCapacity-1; 0 means "no name".
inline constexpr uint32_t kNameCapacity = 4096;
inline constexpr uint32_t kMaxNameBytes = 63;
inline constexpr uint32_t kMaxExtraRecords = 7;
inline constexpr uint32_t kMaxOpenSpans = 15;
inline constexpr uint64_t kNoCpuTime = UINT64_MAX;

enum class RecordKind : uint8_t {
  kSpan = 1,     // value: wall time in ns; extra records: metadata text
  kGauge = 2,    // value: bits of a double
  kCounter = 3,  // value: int64 total since the process began
  kRate = 4,     // value: bits of a double, events per second
  kJob = 5,      // value: end - start in ns; one extra record, see JobExtra
  // value: tid of the thread that wrote what follows in this ring. The first
  // record of each thread; it has no name.
  kThread = 6,
};

struct Record {
  uint32_t name;
  RecordKind kind;
  uint8_t extra;  // how many of the following records belong to this one
  uint16_t reserved;
  uint64_t start_ns;  // CLOCK_MONOTONIC; the time of the event for metrics
  uint64_t value;
  uint64_t cpu_ns;  // thread CPU time, kNoCpuTime where it was not measured
};
static_assert(sizeof(Record) == 32);

// The second half of a kJob record. `release_ns` is the intended release.
struct JobExtra {
  uint64_t release_ns;
  uint64_t deadline_ns;  // absolute
  uint64_t reserved[2];
};
static_assert(sizeof(JobExtra) == sizeof(Record));

inline constexpr uint32_t kMaxMetaBytes = kMaxExtraRecords * sizeof(Record);

// A length byte and up to 63 bytes of UTF-8 in eight words. The first word,
// which has the length (0: not there yet), is stored last, with release.
struct NameEntry {
  std::atomic<uint64_t> words[8];
};
static_assert(sizeof(NameEntry) == 64);

using NameDrops = std::atomic<uint32_t>;

// One span that a thread is inside of right now.
struct OpenSpan {
  std::atomic<uint64_t> start_ns;
  std::atomic<uint32_t> name;
  uint32_t reserved;
};
static_assert(sizeof(OpenSpan) == 16);

enum class SlotState : uint32_t {
  kFree = 0,
  kClaimed = 1,
  kLeft = 2,  // its thread has ended; the next one continues the ring
};

// One single-producer, single-consumer ring and what belongs to its thread.
// Counters only grow. Indices count records and never wrap.
struct alignas(64) Slot {
  std::atomic<uint64_t> head;  // written by the thread, with release
  std::atomic<uint64_t> dropped_full;
  std::atomic<uint64_t> dropped_reentry;
  std::atomic<uint64_t> truncated_meta;
  std::atomic<int32_t> tid;  // of the thread that has the slot, or had it last
  std::atomic<SlotState> state;
  std::atomic<uint32_t> open_depth;        // may exceed kMaxOpenSpans
  alignas(64) std::atomic<uint64_t> tail;  // written by the collector
  // Who wrote the record at `tail`, for the next collector; 0: a kThread record
  // is there. Written by the collector.
  std::atomic<int32_t> tail_tid;
  alignas(64) OpenSpan open[kMaxOpenSpans];
};
static_assert(sizeof(Slot) == 384);

struct alignas(64) RegionHeader {
  uint64_t magic;
  uint32_t version;
  uint32_t slot_count;
  uint32_t ring_bytes;
  uint32_t name_capacity;
  // Set by the collector before it sleeps; a thread whose ring is more than a
  // quarter full clears it and sends one doorbell message.
  alignas(64) std::atomic<uint32_t> doorbell_armed;
  // How large the rings of a client may be that loses records with these; 0: as
  // they are. Written by the collector.
  std::atomic<uint32_t> ring_bytes_granted;
  alignas(64) std::atomic<uint64_t> dropped_no_slot;
  std::atomic<uint64_t> dropped_no_name;
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

// A value of the application that a collector may set. Numbers are bits of
// doubles. A region without knobs has zeros here.
struct alignas(64) Knob {
  std::atomic<uint32_t> name;  // 0: none; stored last, with release
  // Whether `wanted` counts: 1. Written by the collector, with release; the
  // client sets it to 0 when the collector is gone.
  std::atomic<uint32_t> is_wanted;
  std::atomic<uint64_t> preset;
  std::atomic<uint64_t> least;
  std::atomic<uint64_t> most;
  std::atomic<uint64_t> wanted;  // written by the collector
};
static_assert(sizeof(Knob) == 64);
inline constexpr uint32_t kKnobCapacity = 24;

// Where things are. All offsets follow from the two sizes in the hello.
struct RegionShape {
  uint32_t slot_count = kDefaultSlotCount;
  uint32_t ring_bytes = kDefaultRingBytes;  // per slot; a power of two

  static constexpr size_t kKnobsOffset = 1024;
  static constexpr size_t kSlotsOffset = 4096;
  static_assert(kKnobsOffset + kKnobCapacity * sizeof(Knob) <= kSlotsOffset);
  static_assert(sizeof(RegionHeader) <= kKnobsOffset);

  constexpr uint64_t ring_records() const {
    return ring_bytes / sizeof(Record);
  }
  constexpr size_t names_offset() const {
    return RoundUpToPage(kSlotsOffset + slot_count * sizeof(Slot));
  }
  // One counter per name: records of it that were dropped while connected.
  constexpr size_t drops_offset() const {
    return names_offset() + kNameCapacity * sizeof(NameEntry);
  }
  // The rings start here; everything before is small and worth mapping.
  constexpr size_t rings_offset() const {
    return RoundUpToPage(drops_offset() + kNameCapacity * sizeof(NameDrops));
  }
  constexpr size_t ring_offset(uint32_t slot) const {
    return rings_offset() + size_t{slot} * ring_bytes;
  }
  constexpr size_t total_bytes() const { return ring_offset(slot_count); }
  constexpr bool valid() const {
    return slot_count >= 1 && slot_count <= kMaxSlotCount &&
           ring_bytes >= kMinRingBytes && ring_bytes <= kMaxRingBytes &&
           (ring_bytes & (ring_bytes - 1)) == 0;
  }

 private:
  static constexpr size_t RoundUpToPage(size_t bytes) {
    constexpr size_t kLargestPage = 64 * 1024;
    return (bytes + kLargestPage - 1) / kLargestPage * kLargestPage;
  }
};

// What a process has lost, from all of its threads. Each only grows.
struct LossCounters {
  uint64_t full = 0;
  uint64_t reentry = 0;
  uint64_t truncated_meta = 0;
  uint64_t no_slot = 0;
  uint64_t no_name = 0;
};

inline LossCounters SumLosses(const RegionHeader& header, const Slot* slots,
                              uint32_t slot_count) {
  LossCounters sum;
  for (uint32_t i = 0; i < slot_count; ++i) {
    sum.full += slots[i].dropped_full.load(std::memory_order_relaxed);
    sum.reentry += slots[i].dropped_reentry.load(std::memory_order_relaxed);
    sum.truncated_meta +=
        slots[i].truncated_meta.load(std::memory_order_relaxed);
  }
  sum.no_slot = header.dropped_no_slot.load(std::memory_order_relaxed);
  sum.no_name = header.dropped_no_name.load(std::memory_order_relaxed);
  return sum;
}

// A process that has something to say of itself sends it before its hello, in
// one message: this text, and then lines "key=value". Keys: app, instance,
// labels ("a=b,c=d"), detached_ns (when it lost its last collector).
inline constexpr char kIdentityMagic[] = "edgewise identity\n";
inline constexpr uint32_t kMaxIdentityBytes = 1024;

// The hello, with the memfd as its only descriptor. Everything after it is a
// doorbell: one byte, whose value means nothing.
struct Hello {
  uint64_t magic;
  uint32_t version;
  uint32_t slot_count;
  uint32_t ring_bytes;
  int32_t pid;  // as the process sees itself; a container's own numbers
  int32_t tid;
  uint32_t reserved;
  // What was lost before this collector; it counts from here.
  LossCounters losses_before;
  char program[64];  // NUL-terminated
};
static_assert(sizeof(Hello) == 136);

}  // namespace edgewise::client

#endif  // EDGEWISE_CLIENT_RING_LAYOUT_H_
