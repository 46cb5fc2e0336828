// Whatever a client writes into its region must not hurt the collector.
//
// The input is laid over a small region: first the slots, then some names, then
// the first ring.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/unique_fd.h"
#include "client/ring_layout.h"
#include "probes/rings/ring_reader.h"

namespace edgewise {
namespace {

class CheckingSink : public RingSink {
 public:
  void OnClientStart(const RingClient&) override {}
  void OnName(const RingClient&, uint32_t id, EventKind,
              std::string_view name) override {
    Check(id == names_ && !name.empty() &&
          name.size() <= client::kMaxNameBytes);
    ++names_;
  }
  void OnSpans(const RingClient&, std::span<const SpanEvent> spans) override {
    for (const SpanEvent& span : spans) {
      Check(span.name < names_ && span.start_ns >= 0 && span.wall_ns >= 0 &&
            span.meta.size() <= client::kMaxMetaBytes);
    }
  }
  void OnMetrics(const RingClient&,
                 std::span<const MetricEvent> metrics) override {
    for (const MetricEvent& metric : metrics) {
      Check(metric.name < names_ && metric.value - metric.value == 0);
    }
  }
  void OnJobs(const RingClient&, std::span<const JobEvent> jobs) override {
    for (const JobEvent& job : jobs) {
      Check(job.name < names_ && job.end_ns >= job.start_ns);
    }
  }
  void OnClientEnd(const RingClient&, const RingAccount&) override {}

 private:
  static void Check(bool holds) {
    if (!holds) {
      std::abort();
    }
  }

  uint32_t names_ = 0;
};

void LayOver(char* target, size_t room, const uint8_t*& data, size_t& size) {
  const size_t bytes = size < room ? size : room;
  std::memcpy(target, data, bytes);
  data += bytes;
  size -= bytes;
}

}  // namespace
}  // namespace edgewise

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace edgewise;
  constexpr client::RegionShape kShape{1, 4096};
  UniqueFd memfd(memfd_create("fuzz", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (ftruncate(memfd.get(), static_cast<off_t>(kShape.total_bytes())) != 0 ||
      fcntl(memfd.get(), F_ADD_SEALS,
            F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    return 0;
  }
  void* mapped = mmap(nullptr, kShape.total_bytes(), PROT_READ | PROT_WRITE,
                      MAP_SHARED, memfd.get(), 0);
  if (mapped == MAP_FAILED) {
    return 0;
  }
  char* base = static_cast<char*>(mapped);
  client::Hello hello{};
  hello.magic = client::kRegionMagic;
  hello.version = client::kLayoutVersion;
  hello.slot_count = kShape.slot_count;
  hello.ring_bytes = kShape.ring_bytes;
  auto reader = RingReader::Open(std::move(memfd), hello);
  if (!reader) {
    std::abort();
  }
  LayOver(base + client::RegionShape::kSlotsOffset, sizeof(client::Slot), data,
          size);
  LayOver(base + kShape.names_offset(), 4 * sizeof(client::NameEntry), data,
          size);
  LayOver(base + kShape.ring_offset(0), kShape.ring_bytes, data, size);
  CheckingSink sink;
  EventNames names;
  RingBatch batch;
  const RingClient client;
  (*reader)->Drain({client, names, batch, sink}, 100);
  (*reader)->Drain({client, names, batch, sink});
  (*reader)->Account();
  munmap(mapped, kShape.total_bytes());
  return 0;
}
