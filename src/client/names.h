// Interned names of this process.
//
// The table lives in private memory, so that ids stay valid over forks and
// reconnections, and is copied into the region of the current process as names
// arrive. Lock-free, allocates nothing, safe in signal handlers.
#ifndef EDGEWISE_CLIENT_NAMES_H_
#define EDGEWISE_CLIENT_NAMES_H_

#include <cstdint>

#include "client/ring_layout.h"

namespace edgewise::client {

// The id of `text`; 0 if the table is full. An empty text is "(unnamed)".
uint32_t InternName(const char* text);

// The text of a name with a final NUL; false if there is no such name.
bool CopyName(uint32_t name, char (&text)[kMaxNameBytes + 1]);

// From now on names are copied to `region_names` (kNameCapacity entries), the
// known ones at once. Null stops it; entries must stay mapped until then.
void PublishNamesTo(NameEntry* region_names);

// Adds to the total of a counter name and returns it.
int64_t AddToCounter(uint32_t name, int64_t delta);
// For a forked child, whose counts start at zero.
void ResetCounters();

}  // namespace edgewise::client

#endif  // EDGEWISE_CLIENT_NAMES_H_
