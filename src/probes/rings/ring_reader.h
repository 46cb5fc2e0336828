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

// Room for one batch of records and of what is made of them; shared by all
// readers of a collector.
struct RingBatch {
  static constexpr size_t kRecords = 2048;

  std::vector<client::Record> records = std::vector<client::Record>(kRecords);
  std::vector<SpanEvent> spans;
  std::vector<MetricEvent> metrics;
  std::vector<JobEvent> jobs;
};

class RingReader {
 public:
  // Takes over the memfd. The error says what is wrong with it.
  static Result<std::unique_ptr<RingReader>> Open(UniqueFd memfd,
                                                  const client::Hello& hello);
  ~RingReader();
  RingReader(const RingReader&) = delete;
  RingReader& operator=(const RingReader&) = delete;

  // Delivers what is there now: at most one full ring per thread.
  void Drain(const RingClient& client, EventNames& names, RingBatch& batch,
             RingSink& sink);

  // Asks the client to ring its doorbell when a ring is a quarter full.
  void ArmDoorbell();

  // Counts since Open(), and the spans that are open at this moment.
  RingAccount Account() const;

 private:
  static constexpr uint32_t kUnresolved = UINT32_MAX;
  static constexpr uint32_t kRefused = UINT32_MAX - 1;

  RingReader(UniqueFd memfd, const client::RegionShape& shape, char* mapping,
             const client::LossCounters& losses_before);

  client::RegionHeader* header() const;
  client::Slot* slots() const;
  bool CopyRecords(uint32_t slot, uint64_t from, std::span<client::Record> to);
  // Turns copied records into events; returns how many records were used up.
  // `tid` is the writer of the first, and then that of the next.
  size_t Decode(std::span<client::Record> records, int32_t& tid,
                EventNames& names, RingBatch& batch, RingSink& sink);
  bool DecodeOne(const client::Record& record, std::span<char> extra,
                 int32_t tid, EventNames& names, RingBatch& batch,
                 RingSink& sink);
  // The dense id of a client's name; counts and nullopt if it has none.
  std::optional<uint32_t> ResolveName(EventKind kind, uint32_t client_name,
                                      EventNames& names, RingSink& sink);
  std::optional<std::string> ReadName(uint32_t client_name) const;
  uint32_t DropsOf(uint32_t client_name) const;

  UniqueFd memfd_;
  client::RegionShape shape_;
  char* mapping_;
  std::vector<uint64_t> tails_;
  std::vector<int32_t> tail_tids_;  // who wrote the record at each tail
  std::vector<uint32_t> dense_ids_[kEventKindCount];
  client::LossCounters losses_before_;
  uint64_t delivered_ = 0;
  uint64_t invalid_ = 0;
  uint64_t refused_names_ = 0;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_RINGS_RING_READER_H_
