#include "client/region.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include "client/clock_ns.h"
#include "client/connection.h"
#include "client/knobs.h"
#include "client/names.h"

namespace edgewise::client {
namespace {

constexpr uint32_t kGrowth = 4;
// By then every thread that measures has moved, and the collector has read what
// they left.
constexpr uint64_t kDiscardAfterNs = 5 * kNsPerSecond;

// A collector counts drops by name from its own connection on. Threads are
// detached while the lock is held without a connection.
void ForgetDropsByName() {
  const Region& region = process.in_use();
  auto* drops =
      reinterpret_cast<NameDrops*>(region.base + region.shape.drops_offset());
  for (uint32_t name = 0; name < kNameCapacity; ++name) {
    drops[name].store(0, std::memory_order_relaxed);
  }
}

// Maps a memfd, at a given address unless that is null; null if the system
// refuses.
char* MapRegion(int fd, const RegionShape& shape, char* at) {
  void* mapped =
      mmap(at, shape.total_bytes(), PROT_READ | PROT_WRITE,
           at == nullptr ? MAP_SHARED : MAP_SHARED | MAP_FIXED, fd, 0);
  return mapped == MAP_FAILED ? nullptr : static_cast<char*>(mapped);
}

void Prepare(const Region& region) {
  RegionHeader* header = region.header();
  header->magic = kRegionMagic;
  header->version = kLayoutVersion;
  header->slot_count = region.shape.slot_count;
  header->ring_bytes = region.shape.ring_bytes;
  header->name_capacity = kNameCapacity;
  // Threads may fill their rings before the collector looks for the first time.
  header->doorbell_armed.store(1, std::memory_order_relaxed);
}

// From now on threads claim slots in it.
void Use(const Region& region) {
  PublishNamesTo(
      reinterpret_cast<NameEntry*>(region.base + region.shape.names_offset()));
  PublishKnobsTo(region.knobs());
  process.lost_when_made = 0;
  process.region.store(&region, std::memory_order_release);
  // Slots of the region before this one are gone.
  process.generation.fetch_add(1, std::memory_order_acq_rel);
}

bool FitsFileLimit(const RegionShape& shape) {
  rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 ||
         shape.total_bytes() <= limit.rlim_cur;
}

// Gives the memory of the rings before these back.
void DiscardOldRings(uint64_t now_ns) {
  if (process.discard_ring_ns == 0 || now_ns < process.discard_ring_ns) {
    return;
  }
  process.discard_ring_ns = 0;
  const Region& old = process.regions[process.region_count - 2];
  madvise(old.base + old.shape.rings_offset(),
          old.shape.total_bytes() - old.shape.rings_offset(), MADV_REMOVE);
}

}  // namespace

LossCounters LossesOf(const Region& region) {
  return SumLosses(*region.header(), region.slots(), region.shape.slot_count);
}

bool CreateRegion() {
  if (process.region_fd.StillOurs()) {
    ForgetDropsByName();
    process.lost_when_made = LossesOf(process.in_use()).full;
    return true;
  }
  if (process.region_count == 0) {
    process.regions[0].shape = ChooseShape();
    if (process.regions[0].shape.slot_count == 0) {
      return false;
    }
  }
  const uint32_t index =
      process.region_count == 0 ? 0 : process.region_count - 1;
  Region& region = process.regions[index];
  process.region_fd.Adopt(CreateRegionFd(region.shape));
  if (process.region_fd.fd < 0) {
    return false;
  }
  char* base = MapRegion(process.region_fd.fd, region.shape, region.base);
  if (base == nullptr) {
    process.region_fd.Close();
    return false;
  }
  region.base = base;
  process.region_count = index + 1;
  Prepare(region);
  Use(region);
  return true;
}

bool GrowRings(uint64_t now_ns) {
  DiscardOldRings(now_ns);
  const Region& old = process.in_use();
  const uint32_t granted =
      old.header()->ring_bytes_granted.load(std::memory_order_relaxed);
  Region larger;
  larger.shape = old.shape;
  larger.shape.ring_bytes *= kGrowth;
  if (larger.shape.ring_bytes > granted || !larger.shape.valid() ||
      process.region_count == kMostRegions || process.discard_ring_ns != 0 ||
      LossesOf(old).full == process.lost_when_made ||
      !process.region_fd.StillOurs() || !FitsFileLimit(larger.shape)) {
    return false;
  }
  const int fd = CreateRegionFd(larger.shape);
  larger.base = fd >= 0 ? MapRegion(fd, larger.shape, nullptr) : nullptr;
  if (larger.base == nullptr) {
    if (fd >= 0) {
      OwnedFd unused;
      unused.Adopt(fd);
      unused.Close();
    }
    process.lost_when_made = LossesOf(old).full;  // not again for these
    return false;
  }
  Prepare(larger);
  CopyWantedKnobs(old.knobs(), larger.knobs());
  OwnedFd handed;
  handed.Adopt(fd);
  if (!SendHello(process.socket.fd, larger.shape, LossCounters(), fd)) {
    munmap(larger.base, larger.shape.total_bytes());
    handed.Close();
    return false;
  }
  Region& next = process.regions[process.region_count];
  next = larger;
  ++process.region_count;
  process.region_fd.Close();
  process.region_fd = handed;
  Use(next);
  process.discard_ring_ns = now_ns + kDiscardAfterNs;
  return true;
}

void ReplaceRegions() {
  for (uint32_t i = 0; i < process.region_count; ++i) {
    const Region& region = process.regions[i];
    (void)mmap(region.base, region.shape.total_bytes(), PROT_READ | PROT_WRITE,
               MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  process.discard_ring_ns = 0;
}

}  // namespace edgewise::client
