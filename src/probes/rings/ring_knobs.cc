// Knobs of a client, as its reader sees and sets them.
#include <cmath>
#include <cstring>

#include "probes/rings/ring_collector.h"
#include "probes/rings/ring_reader.h"

namespace edgewise {
namespace {

double Number(const std::atomic<uint64_t>& bits) {
  const uint64_t word = bits.load(std::memory_order_relaxed);
  double value = 0;
  std::memcpy(&value, &word, sizeof(value));
  return value;
}

}  // namespace

client::Knob* RingReader::knobs() const {
  return reinterpret_cast<client::Knob*>(mapping_ +
                                         client::RegionShape::kKnobsOffset);
}

std::optional<ClientKnob> RingReader::ReadKnob(const client::Knob& knob) const {
  const uint32_t id = knob.name.load(std::memory_order_acquire);
  if (id == 0 || id >= client::kNameCapacity) {
    return std::nullopt;
  }
  auto name = ReadName(id);
  ClientKnob read{std::move(name).value_or(""), Number(knob.preset),
                  Number(knob.least), Number(knob.most), std::nullopt};
  if (read.name.empty() || !std::isfinite(read.preset) ||
      !std::isfinite(read.least) || !std::isfinite(read.most) ||
      read.least > read.most) {
    return std::nullopt;
  }
  if (knob.is_wanted.load(std::memory_order_relaxed) == 1) {
    read.wanted = Number(knob.wanted);
  }
  return read;
}

std::vector<ClientKnob> RingReader::Knobs() const {
  std::vector<ClientKnob> found;
  for (uint32_t i = 0; i < client::kKnobCapacity; ++i) {
    if (auto knob = ReadKnob(knobs()[i])) {
      found.push_back(std::move(*knob));
    }
  }
  return found;
}

bool RingReader::SetKnob(std::string_view name, std::optional<double> value) {
  for (uint32_t i = 0; i < client::kKnobCapacity; ++i) {
    client::Knob& knob = knobs()[i];
    const auto read = ReadKnob(knob);
    if (!read || read->name != name) {
      continue;
    }
    if (!value) {
      knob.is_wanted.store(0, std::memory_order_release);
      return true;
    }
    if (!(*value >= read->least && *value <= read->most)) {
      return false;
    }
    uint64_t bits = 0;
    std::memcpy(&bits, &*value, sizeof(bits));
    knob.wanted.store(bits, std::memory_order_relaxed);
    knob.is_wanted.store(1, std::memory_order_release);
    return true;
  }
  return false;
}

std::vector<ClientKnob> RingCollector::Knobs(uint32_t client_id) const {
  const auto found = clients_.find(client_id);
  return found == clients_.end() || !found->second.reader
             ? std::vector<ClientKnob>()
             : found->second.reader->Knobs();
}

bool RingCollector::SetKnob(uint32_t client_id, std::string_view name,
                            std::optional<double> value) {
  const auto found = clients_.find(client_id);
  return found != clients_.end() && found->second.reader &&
         found->second.reader->SetKnob(name, value);
}

}  // namespace edgewise
