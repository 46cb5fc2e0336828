#include "client/names.h"

#include <cstddef>
#include <cstring>

namespace edgewise::client {
namespace {

constexpr uint32_t kIndexSize = 2 * kNameCapacity;

// All zero at start, so they cost no memory until used.
NameEntry entries[kNameCapacity];
std::atomic<int64_t> counter_totals[kNameCapacity];
std::atomic<uint32_t> next_id{1};
// Open addressing from the hash of a name to its id.
std::atomic<uint32_t> index_by_hash[kIndexSize];
// From the address of a text to the id it had last time. Only a guess, always
// checked against the text: buffers are reused.
std::atomic<uint32_t> guess_by_address[256];
std::atomic<NameEntry*> published{nullptr};

// A name as the words of a NameEntry.
struct PackedName {
  uint64_t words[8];

  explicit PackedName(const char* text) : words{} {
    if (text == nullptr || *text == '\0') {
      text = "(unnamed)";
    }
    size_t length = strnlen(text, kMaxNameBytes + 1);
    if (length > kMaxNameBytes) {
      length = kMaxNameBytes;
      // Not in the middle of a UTF-8 sequence.
      while (length > 0 &&
             (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) {
        --length;
      }
      if (length == 0) {
        length = kMaxNameBytes;
      }
    }
    auto* bytes = reinterpret_cast<unsigned char*>(words);
    bytes[0] = static_cast<unsigned char>(length);
    memcpy(bytes + 1, text, length);
  }

  uint32_t Hash() const {
    uint64_t hash = 0x9E3779B97F4A7C15;
    for (uint64_t word : words) {
      hash = (hash ^ word) * 0xFF51AFD7ED558CCD;
      hash ^= hash >> 32;
    }
    return static_cast<uint32_t>(hash) % kIndexSize;
  }

  bool Equals(const NameEntry& entry) const {
    if (entry.words[0].load(std::memory_order_acquire) != words[0]) {
      return false;
    }
    for (int i = 1; i < 8; ++i) {
      if (entry.words[i].load(std::memory_order_relaxed) != words[i]) {
        return false;
      }
    }
    return true;
  }

  void StoreTo(NameEntry& entry) const {
    for (int i = 1; i < 8; ++i) {
      entry.words[i].store(words[i], std::memory_order_relaxed);
    }
    entry.words[0].store(words[0], std::memory_order_seq_cst);
  }
};

// Whether the entry is exactly `text`; cheaper than packing it first.
bool EntryIs(const NameEntry& entry, const char* text) {
  const uint64_t first = entry.words[0].load(std::memory_order_acquire);
  const size_t length = first & 0xFF;
  if (length == 0) {
    return false;
  }
  const char* bytes = reinterpret_cast<const char*>(&entry) + 1;
  return strncmp(bytes, text, length) == 0 && text[length] == '\0';
}

void CopyEntry(uint32_t id, NameEntry* to) {
  const uint64_t first = entries[id].words[0].load(std::memory_order_seq_cst);
  if ((first & 0xFF) == 0) {
    return;
  }
  for (int i = 1; i < 8; ++i) {
    to[id].words[i].store(entries[id].words[i].load(std::memory_order_relaxed),
                          std::memory_order_relaxed);
  }
  to[id].words[0].store(first, std::memory_order_release);
}

uint32_t EndOfIds() {
  const uint32_t end = next_id.load(std::memory_order_seq_cst);
  return end < kNameCapacity ? end : kNameCapacity;
}

uint32_t AddEntry(const PackedName& name) {
  if (next_id.load(std::memory_order_relaxed) >= kNameCapacity) {
    return 0;
  }
  const uint32_t id = next_id.fetch_add(1, std::memory_order_relaxed);
  if (id >= kNameCapacity) {
    next_id.store(kNameCapacity, std::memory_order_relaxed);
    return 0;
  }
  name.StoreTo(entries[id]);
  // Either this sees the region, or PublishNamesTo sees the entry.
  if (NameEntry* region = published.load(std::memory_order_seq_cst)) {
    CopyEntry(id, region);
  }
  return id;
}

// Two threads that bring the same new name at once may get two ids for it;
// the collector goes by the text.
uint32_t FindOrAdd(const char* text) {
  const PackedName name(text);
  uint32_t position = name.Hash();
  for (uint32_t probes = 0; probes < kIndexSize; ++probes) {
    uint32_t id = index_by_hash[position].load(std::memory_order_acquire);
    if (id == 0) {
      const uint32_t added = AddEntry(name);
      if (added != 0) {
        index_by_hash[position].compare_exchange_strong(
            id, added, std::memory_order_acq_rel);
      }
      return added;
    }
    if (name.Equals(entries[id])) {
      return id;
    }
    position = (position + 1) % kIndexSize;
  }
  return 0;
}

}  // namespace

uint32_t InternName(const char* text) {
  const auto address = reinterpret_cast<uintptr_t>(text);
  std::atomic<uint32_t>& guess =
      guess_by_address[(address * 0x9E3779B97F4A7C15) >> 56];
  uint32_t id = guess.load(std::memory_order_relaxed);
  if (id != 0 && text != nullptr && EntryIs(entries[id], text)) {
    return id;
  }
  id = FindOrAdd(text);
  guess.store(id, std::memory_order_relaxed);
  return id;
}

bool CopyName(uint32_t name, char (&text)[kMaxNameBytes + 1]) {
  if (name == 0 || name >= kNameCapacity) {
    return false;
  }
  const size_t length =
      entries[name].words[0].load(std::memory_order_acquire) & 0xFF;
  memcpy(text, reinterpret_cast<const char*>(&entries[name]) + 1, length);
  text[length] = '\0';
  return length > 0;
}

void PublishNamesTo(NameEntry* region_names) {
  published.store(region_names, std::memory_order_seq_cst);
  if (region_names == nullptr) {
    return;
  }
  for (uint32_t id = 1; id < EndOfIds(); ++id) {
    CopyEntry(id, region_names);
  }
}

int64_t AddToCounter(uint32_t name, int64_t delta) {
  return counter_totals[name].fetch_add(delta, std::memory_order_relaxed) +
         delta;
}

void ResetCounters() {
  for (uint32_t id = 1; id < EndOfIds(); ++id) {
    counter_totals[id].store(0, std::memory_order_relaxed);
  }
}

}  // namespace edgewise::client
