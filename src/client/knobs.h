// Values of the application that a collector may set.
//
// The table lives in private memory, so that knobs stay valid over forks and
// reconnections, and is copied into the region of the current process. A knob
// has its preset value unless a collector that is there wants another one.
// Nothing here blocks or allocates.
#ifndef EDGEWISE_CLIENT_KNOBS_H_
#define EDGEWISE_CLIENT_KNOBS_H_

#include <cstdint>

#include "client/ring_layout.h"

namespace edgewise::client {

// The number of a knob, from 1; 0 if there is no room for it. One that is
// there already keeps its range.
uint32_t DeclareKnob(const char* name, double preset, double least,
                     double most);

double KnobValue(uint32_t knob);

// From now on knobs are copied to `region_knobs`, the known ones at once. Null
// stops it; entries must stay mapped.
void PublishKnobsTo(Knob* region_knobs);
// What the collector wants stays so in a region that replaces another.
void CopyWantedKnobs(const Knob* from, Knob* to);
// No collector wants anything any more.
void ForgetWantedKnobs();

}  // namespace edgewise::client

#endif  // EDGEWISE_CLIENT_KNOBS_H_
