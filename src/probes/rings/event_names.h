// Dense ids for the names of a collector's clients.
#ifndef EDGEWISE_PROBES_RINGS_EVENT_NAMES_H_
#define EDGEWISE_PROBES_RINGS_EVENT_NAMES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "probes/rings/ring_events.h"

namespace edgewise {

// Makes text that a client wrote fit to print and to store, in place: what is
// not valid UTF-8, and control characters other than '\n' where
// `keep_newlines`, become '?'.
void CleanText(std::span<char> text, bool keep_newlines);

class EventNames {
 public:
  // Clients cannot make the collector remember more names than this.
  static constexpr size_t kMaxNames = 16384;

  explicit EventNames(size_t most_names = kMaxNames)
      : most_names_(most_names) {}

  // The id of a name; tells the sink about a new one, which `client` used
  // first. nullopt when full.
  std::optional<uint32_t> Resolve(EventKind kind, std::string name,
                                  const RingClient& client, RingSink& sink);

 private:
  std::unordered_map<std::string, uint32_t> ids_[kEventKindCount];
  size_t most_names_;
  uint32_t count_ = 0;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_RINGS_EVENT_NAMES_H_
