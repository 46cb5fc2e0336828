// What is wrong with a link, as people write it:
// "delay=40ms,jitter=5ms,loss=1%,rate=1mbit,disconnect=every:10s".
//
// The room `impair` makes links worse on purpose: in user space (proxy.h), with
// the kernel's netem (netem.h), or whichever of the two there is (path.h). It
// knows TCP and netlink; it must not know who speaks over the link.
#ifndef EDGEWISE_IMPAIR_IMPAIRMENT_H_
#define EDGEWISE_IMPAIR_IMPAIRMENT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace edgewise {

// Each direction of a link suffers all of it: a round trip has twice the delay.
struct Impairment {
  int64_t delay_ns = 0;
  // The delay varies evenly by up to this much in both directions, never below
  // zero and never so that bytes of one connection overtake each other.
  int64_t jitter_ns = 0;
  // Share of segments (of up to 1448 bytes) that are lost, 0 to 0.5.
  double loss = 0;
  std::optional<int64_t> rate_bits_per_s;
  // All connections are reset this often, counted from the start,
  std::optional<int64_t> disconnect_every_ns;
  // and new ones refused for so long after that; less than the above.
  int64_t disconnect_for_ns = 0;

  // Whether anything is asked for at all.
  bool any() const { return *this != Impairment(); }
  bool operator==(const Impairment&) const = default;
};

// Any of the five keys, each at most once, in any order; "none" is no
// impairment. disconnect=every:10s:for:2s also says how long new connections
// are refused. The error is one sentence with what to write instead.
Result<Impairment> ParseImpairment(std::string_view text);

// The text that ParseImpairment takes, keys in the order of the struct; "none"
// if there is nothing.
std::string FormatImpairment(const Impairment& impairment);

}  // namespace edgewise

#endif  // EDGEWISE_IMPAIR_IMPAIRMENT_H_
