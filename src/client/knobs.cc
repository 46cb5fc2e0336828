#include "client/knobs.h"

#include <string.h>
#include <time.h>

#include "client/clock_ns.h"
#include "client/names.h"
#include "client/process.h"
#include "edgewise/edgewise.h"

namespace edgewise::client {
namespace {

// All zero at start. `name` is stored last, after a claim of the place.
Knob table[kKnobCapacity];
std::atomic<bool> claimed[kKnobCapacity];
std::atomic<Knob*> published{nullptr};

uint64_t Bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

double Number(const std::atomic<uint64_t>& bits) {
  const uint64_t word = bits.load(std::memory_order_relaxed);
  double value;
  memcpy(&value, &word, sizeof(value));
  return value;
}

void CopyTo(Knob* region, uint32_t index) {
  const Knob& from = table[index];
  const uint32_t name = from.name.load(std::memory_order_acquire);
  if (region == nullptr || name == 0) {
    return;
  }
  Knob& to = region[index];
  to.preset.store(from.preset.load(std::memory_order_relaxed),
                  std::memory_order_relaxed);
  to.least.store(from.least.load(std::memory_order_relaxed),
                 std::memory_order_relaxed);
  to.most.store(from.most.load(std::memory_order_relaxed),
                std::memory_order_relaxed);
  to.name.store(name, std::memory_order_release);
}

}  // namespace

uint32_t DeclareKnob(const char* name, double preset, double least,
                     double most) {
  const uint32_t id = InternName(name);
  if (id == 0 || !(least <= most) || !__builtin_isfinite(preset) ||
      !__builtin_isfinite(least) || !__builtin_isfinite(most)) {
    return 0;
  }
  for (uint32_t i = 0; i < kKnobCapacity; ++i) {
    Knob& knob = table[i];
    if (knob.name.load(std::memory_order_acquire) == id) {
      return i + 1;
    }
    if (claimed[i].exchange(true, std::memory_order_acq_rel)) {
      continue;  // another one, or one that is being declared right now
    }
    knob.preset.store(Bits(preset), std::memory_order_relaxed);
    knob.least.store(Bits(least), std::memory_order_relaxed);
    knob.most.store(Bits(most), std::memory_order_relaxed);
    knob.name.store(id, std::memory_order_release);
    CopyTo(published.load(std::memory_order_acquire), i);
    return i + 1;
  }
  return 0;
}

double KnobValue(uint32_t knob) {
  if (knob == 0 || knob > kKnobCapacity) {
    return 0;
  }
  const Knob& own = table[knob - 1];
  const Knob* region = published.load(std::memory_order_acquire);
  if (region == nullptr || !HasCollector() ||
      region[knob - 1].is_wanted.load(std::memory_order_acquire) != 1) {
    return Number(own.preset);
  }
  const double wanted = Number(region[knob - 1].wanted);
  const double least = Number(own.least);
  const double most = Number(own.most);
  // Also for what is no number.
  return wanted >= least && wanted <= most ? wanted : Number(own.preset);
}

void PublishKnobsTo(Knob* region_knobs) {
  published.store(region_knobs, std::memory_order_release);
  for (uint32_t i = 0; i < kKnobCapacity; ++i) {
    CopyTo(region_knobs, i);
  }
}

void CopyWantedKnobs(const Knob* from, Knob* to) {
  for (uint32_t i = 0; i < kKnobCapacity; ++i) {
    to[i].wanted.store(from[i].wanted.load(std::memory_order_relaxed),
                       std::memory_order_relaxed);
    to[i].is_wanted.store(from[i].is_wanted.load(std::memory_order_acquire),
                          std::memory_order_release);
  }
}

void ForgetWantedKnobs() {
  Knob* region = published.load(std::memory_order_acquire);
  for (uint32_t i = 0; region != nullptr && i < kKnobCapacity; ++i) {
    region[i].is_wanted.store(0, std::memory_order_relaxed);
  }
}

}  // namespace edgewise::client

namespace client = edgewise::client;

edgewise_knob edgewise_knob_declare(const char* name, double preset,
                                    double least, double most) {
  return client::DeclareKnob(name, preset, least, most);
}

double edgewise_knob_value(edgewise_knob knob) {
  client::ThreadState& thread = client::thread_state;
  // An app that records nothing else is to find a collector, and to notice its
  // end, all the same.
  if (client::Attached(thread) ||
      client::AttachThread(thread) == client::Attachment::kAttached) {
    client::CheckCollector(client::ClockNs(CLOCK_MONOTONIC_COARSE));
  }
  return client::KnobValue(knob);
}
