// The kinds of stressors there are; each is made in the file of its name.
// Private to this room.
#ifndef EDGEWISE_STRESS_STRESSORS_H_
#define EDGEWISE_STRESS_STRESSORS_H_

#include <memory>

#include "stress/stressor.h"

namespace edgewise {

using MadeStressor = Result<std::unique_ptr<Stressor>>;

// The dial is a share of all cores that it may use. It fills one core after
// the other: 50 on four cores are two threads that never rest, as two busy
// programs would be.
MadeStressor MakeCpuStressor(const StressSettings& settings);
// Keeps touching a working set; the dial is its share of the last-level cache.
MadeStressor MakeCacheStressor(const StressSettings& settings);
// Copies memory far larger than the caches; the dial is a share of the rate
// that the same threads reach without rest.
MadeStressor MakeBandwidthStressor(const StressSettings& settings);
// Holds resident memory; the dial is a share of what is available beyond a
// margin that is always left.
MadeStressor MakeMemoryStressor(const StressSettings& settings);
// Writes to a file without a name; the dial is a share of the rate that it
// reaches without rest.
MadeStressor MakeDiskStressor(const StressSettings& settings);
// Sends over a TCP connection of its own on the loopback interface; the dial
// is a share of the rate that it reaches without rest.
MadeStressor MakeNetworkStressor(const StressSettings& settings);

}  // namespace edgewise

#endif  // EDGEWISE_STRESS_STRESSORS_H_
