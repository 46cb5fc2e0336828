#include "stacks/known_lines.h"

#include <cstring>
#include <utility>

namespace edgewise::stacks {
namespace {

constexpr size_t kFirstEntries = 1024;
constexpr size_t kMaxLines = size_t{1} << 20;
constexpr size_t kMaxTextBytes = size_t{256} << 20;

uint64_t Mixed(uint64_t value) {
  value *= 0x9E3779B97F4A7C15ULL;
  return value ^ (value >> 32);
}

uint64_t HashOf(std::string_view text) {
  uint64_t hash = text.size();
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof word);
    hash = Mixed(hash ^ word);
  }
  if (at < text.size()) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + at, text.size() - at);
    hash = Mixed(hash ^ word);
  }
  return Mixed(hash);
}

}  // namespace

KnownLines::KnownLines() : entries_(kFirstEntries) {}

size_t KnownLines::PlaceOf(uint64_t hash, std::string_view line) const {
  const size_t mask = entries_.size() - 1;
  size_t place = static_cast<size_t>(hash) & mask;
  while (entries_[place].length != 0 &&
         !(entries_[place].hash == hash &&
           std::string_view(text_).substr(entries_[place].offset,
                                          entries_[place].length) == line)) {
    place = (place + 1) & mask;
  }
  return place;
}

const KnownLines::Value* KnownLines::Find(std::string_view line) const {
  const Entry& entry = entries_[PlaceOf(HashOf(line), line)];
  return entry.length != 0 ? &entry.value : nullptr;
}

bool KnownLines::Add(std::string_view line, Value value) {
  if (line.empty() || used_ >= kMaxLines ||
      text_.size() + line.size() > kMaxTextBytes) {
    return false;
  }
  if (2 * (used_ + 1) > entries_.size()) {
    Grow();
  }
  const uint64_t hash = HashOf(line);
  entries_[PlaceOf(hash, line)] = {hash, static_cast<uint32_t>(text_.size()),
                                   static_cast<uint32_t>(line.size()), value};
  text_.append(line);
  ++used_;
  return true;
}

void KnownLines::Grow() {
  std::vector<Entry> old(entries_.size() * 2);
  std::swap(old, entries_);
  const size_t mask = entries_.size() - 1;
  for (const Entry& entry : old) {
    if (entry.length == 0) {
      continue;
    }
    size_t place = static_cast<size_t>(entry.hash) & mask;
    while (entries_[place].length != 0) {
      place = (place + 1) & mask;
    }
    entries_[place] = entry;
  }
}

}  // namespace edgewise::stacks
