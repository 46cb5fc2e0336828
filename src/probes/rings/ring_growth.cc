// Clients that lose records hand over larger rings, within what is granted.
#include "base/clock.h"
#include "probes/rings/ring_collector.h"

namespace edgewise {
namespace {

// Threads move to the new rings with their next record; what they write into
// the old ones meanwhile is read until then.
constexpr int64_t kFormerNs = 3 * kNsPerSecond;

void AddTo(RingAccount& sum, const RingAccount& more) {
  sum.delivered += more.delivered;
  sum.dropped_full += more.dropped_full;
  sum.dropped_reentry += more.dropped_reentry;
  sum.dropped_no_slot += more.dropped_no_slot;
  sum.dropped_no_name += more.dropped_no_name;
  sum.invalid += more.invalid;
  sum.truncated_meta += more.truncated_meta;
  for (const NameLoss& loss : more.dropped_by_name) {
    bool known = false;
    for (NameLoss& each : sum.dropped_by_name) {
      if (each.name == loss.name) {
        each.dropped += loss.dropped;
        known = true;
      }
    }
    if (!known) {
      sum.dropped_by_name.push_back(loss);
    }
  }
}

}  // namespace

void RingReader::GrantRingBytes(uint32_t bytes) {
  header()->ring_bytes_granted.store(bytes, std::memory_order_relaxed);
}

bool RingCollector::TakeLargerRings(Client& client, const client::Hello& hello,
                                    UniqueFd memfd) {
  if (hello.ring_bytes <= client.reader->ring_bytes() ||
      hello.ring_bytes > options_.ring_bytes_granted) {
    return false;
  }
  auto reader = RingReader::Open(std::move(memfd), hello);
  if (!reader) {
    return false;
  }
  if (client.former) {
    ForgetFormer(client);
  }
  client.former = std::move(client.reader);
  client.former_until_ns = MonotonicNs() + kFormerNs;
  client.reader = std::move(*reader);
  client.reader->GrantRingBytes(options_.ring_bytes_granted);
  return true;
}

void RingCollector::ForgetFormer(Client& client) {
  AddTo(client.account_before, client.former->Account());
  client.former.reset();
}

RingAccount RingCollector::SumOf(const Client& client, bool with_names) {
  // Spans that are open are those of the present rings.
  RingAccount sum =
      with_names ? client.reader->Account() : client.reader->Counts();
  if (client.former) {
    AddTo(sum, with_names ? client.former->Account() : client.former->Counts());
  }
  AddTo(sum, client.account_before);
  return sum;
}

}  // namespace edgewise
