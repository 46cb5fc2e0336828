// Reads the region of one client.
//
// Trusts nothing in it: the memfd must be sealed and of the size that the
// hello implies, indices are the reader's own, and records are copied before
// they are looked at. The rings are read with pread() rather than mapped, so
// that large rings of many clients do not count as the collector's memory.
#ifndef EDGEWISE_PROBES_RINGS_RING_READER_H_
#define EDGEWISE_PROBES_RINGS_RING_READER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "client/ring_layout.h"
#include "probes/rings/event_names.h"
#include "probes/rings/ring_events.h"

namespace edgewise {

// Times and durations from here on make no sense.
inline constexpr uint64_t kLargestTimeNs = uint64_t{1} << 62;

// Room for one batch of records and of what is made of them; shared by all
// readers of a collector.
struct RingBatch {
  static constexpr size_t kRecords = 2048;

  std::vector<client::Record> records = std::vector<client::Record>(kRecords);
  std::vector<SpanEvent> spans;
  std::vector<MetricEvent> metrics;
  std::vector<JobEvent> jobs;
};

// Who reads whose records to whom.
struct RingDelivery {
  const RingClient& client;
  EventNames& names;
  RingBatch& batch;
  RingSink& sink;
};

class RingReader {
 public:
  // Takes over the memfd. The error says what is wrong with it.
  static Result<std::unique_ptr<RingReader>> Open(UniqueFd memfd,
                                                  const client::Hello& hello);
  ~RingReader();
  RingReader(const RingReader&) = delete;
  RingReader& operator=(const RingReader&) = delete;

  // Delivers what is there now: at most one full ring per thread, and no more
  // than about `most_records` in all; the next call goes on where this one
  // stopped. Whether all was delivered.
  bool Drain(const RingDelivery& to, uint64_t most_records = UINT64_MAX);

  // Asks the client to ring its doorbell when a ring is a quarter full.
  void ArmDoorbell();

  // Lets the client replace its rings by ones of that size.
  void GrantRingBytes(uint32_t bytes);
  uint32_t ring_bytes() const { return shape_.ring_bytes; }

  // What the client lets be set; what makes no sense is left out.
  std::vector<ClientKnob> Knobs() const;
  // nullopt: as the client has preset it. False if there is no such knob, or
  // the value is out of its range.
  bool SetKnob(std::string_view name, std::optional<double> value);

  // Counts since Open().
  RingAccount Counts() const;
  // The same with what was dropped by name, and the spans that are open at this
  // moment.
  RingAccount Account() const;

  // A collector before this one has read from the region.
  bool had_collector() const { return had_collector_; }

 private:
  static constexpr uint32_t kUnresolved = UINT32_MAX;
  static constexpr uint32_t kRefused = UINT32_MAX - 1;

  RingReader(UniqueFd memfd, const client::RegionShape& shape, char* mapping,
             const client::LossCounters& losses_before);

  client::RegionHeader* header() const;
  client::Slot* slots() const;
  client::Knob* knobs() const;
  std::optional<ClientKnob> ReadKnob(const client::Knob& knob) const;
  // Slots that threads have, or had; they are taken in order.
  uint32_t FindUsedSlots();
  // Delivers one slot's records; how many there were.
  uint64_t DrainSlot(uint32_t slot, const RingDelivery& to,
                     uint64_t most_records);
  bool CopyRecords(uint32_t slot, uint64_t from, std::span<client::Record> to);
  // Turns copied records into events; returns how many records were used up.
  // `tid` is the writer of the first, and then that of the next.
  size_t Decode(std::span<client::Record> records, int32_t& tid,
                const RingDelivery& to);
  bool DecodeOne(const client::Record& record, std::span<char> extra,
                 int32_t tid, const RingDelivery& to);
  // The dense id of a client's name; counts and nullopt if it has none.
  std::optional<uint32_t> ResolveName(EventKind kind, uint32_t client_name,
                                      const RingDelivery& to);
  std::optional<std::string> ReadName(uint32_t client_name) const;
  uint32_t DropsOf(uint32_t client_name) const;

  UniqueFd memfd_;
  client::RegionShape shape_;
  char* mapping_;
  std::vector<uint64_t> tails_;     // of the slots in use
  std::vector<int32_t> tail_tids_;  // who wrote the record at each tail
  std::vector<uint32_t> dense_ids_[kEventKindCount];
  client::LossCounters losses_before_;
  uint32_t next_slot_ = 0;  // where the next Drain() begins
  bool had_collector_ = false;
  uint64_t delivered_ = 0;
  uint64_t invalid_ = 0;
  uint64_t refused_names_ = 0;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_RINGS_RING_READER_H_
