// What a machine does at best: multiply-accumulates and bytes per second, by
// plain loops that run for a fraction of a second.
#ifndef EDGEWISE_STRESS_MICRO_KERNELS_H_
#define EDGEWISE_STRESS_MICRO_KERNELS_H_

namespace edgewise {

// With so many threads at once; the best of some rounds. The code is for the
// oldest processor of the architecture, so newer vector units stay unused.
double MegaMacsPerMs(int threads);
// Reading memory beyond the caches.
double MegabytesPerMs(int threads);

}  // namespace edgewise

#endif  // EDGEWISE_STRESS_MICRO_KERNELS_H_
