// What became of a client's records.
#include <algorithm>
#include <utility>

#include "probes/rings/ring_reader.h"

namespace edgewise {

uint32_t RingReader::DropsOf(uint32_t client_name) const {
  const auto* drops = reinterpret_cast<const client::NameDrops*>(
      mapping_ + shape_.drops_offset());
  return drops[client_name].load(std::memory_order_relaxed);
}

RingAccount RingReader::Counts() const {
  const client::LossCounters now = client::SumLosses(
      *header(), slots(), static_cast<uint32_t>(tails_.size()));
  RingAccount account;
  account.delivered = delivered_;
  account.dropped_full = now.full - losses_before_.full;
  account.dropped_reentry = now.reentry - losses_before_.reentry;
  account.dropped_no_slot = now.no_slot - losses_before_.no_slot;
  account.dropped_no_name =
      now.no_name - losses_before_.no_name + refused_names_;
  account.invalid = invalid_;
  account.truncated_meta = now.truncated_meta - losses_before_.truncated_meta;
  return account;
}

RingAccount RingReader::Account() const {
  RingAccount account = Counts();
  for (uint32_t name = 1; name < client::kNameCapacity; ++name) {
    const uint32_t dropped = DropsOf(name);
    if (dropped == 0) {
      continue;
    }
    if (std::optional<std::string> text = ReadName(name)) {
      account.dropped_by_name.push_back({*std::move(text), dropped});
    }
  }
  for (uint32_t i = 0; i < shape_.slot_count; ++i) {
    const client::Slot& from = slots()[i];
    if (from.state.load(std::memory_order_acquire) !=
        client::SlotState::kClaimed) {
      continue;
    }
    const uint32_t depth = std::min(
        from.open_depth.load(std::memory_order_acquire), client::kMaxOpenSpans);
    for (uint32_t d = 0; d < depth; ++d) {
      const uint32_t name = from.open[d].name.load(std::memory_order_relaxed);
      const uint64_t start_ns =
          from.open[d].start_ns.load(std::memory_order_relaxed);
      if (name == 0 || name >= client::kNameCapacity ||
          start_ns >= kLargestTimeNs) {
        continue;
      }
      if (std::optional<std::string> text = ReadName(name)) {
        account.unfinished.push_back({*std::move(text),
                                      from.tid.load(std::memory_order_relaxed),
                                      static_cast<int64_t>(start_ns)});
      }
    }
  }
  return account;
}

}  // namespace edgewise
