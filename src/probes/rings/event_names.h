// Dense ids for the names of all clients of one collector.
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

  // The id of a name; tells the sink about a new one. nullopt when full.
  std::optional<uint32_t> Resolve(EventKind kind, std::string name,
                                  RingSink& sink);

 private:
  std::unordered_map<std::string, uint32_t> ids_[kEventKindCount];
  uint32_t count_ = 0;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_RINGS_EVENT_NAMES_H_
