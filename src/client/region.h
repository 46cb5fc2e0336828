// The memory of this process that a collector reads: made, made larger, and
// left behind by forks. The lock of the process state must be held.
#ifndef EDGEWISE_CLIENT_REGION_H_
#define EDGEWISE_CLIENT_REGION_H_

#include <cstdint>

#include "client/process_state.h"
#include "client/ring_layout.h"

namespace edgewise::client {

// Makes sure that this process has a region of its own to hand over; reuses the
// addresses of an earlier one. False if the system refuses.
bool CreateRegion();

// Where records were lost for want of room and the collector grants more: hands
// over a region with rings four times as large. True if threads must claim
// slots there. The region before stays mapped.
bool GrowRings(uint64_t now_ns);

// In a forked child: private memory in the place of the parent's regions.
// Whatever still points there, such as a record half written when a signal
// handler forked, hurts nobody.
void ReplaceRegions();

LossCounters LossesOf(const Region& region);

}  // namespace edgewise::client

#endif  // EDGEWISE_CLIENT_REGION_H_
