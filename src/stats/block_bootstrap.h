// Resampling of dependent series in blocks, at a cost that does not grow with
// the series.
#ifndef EDGEWISE_STATS_BLOCK_BOOTSTRAP_H_
#define EDGEWISE_STATS_BLOCK_BOOTSTRAP_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stats/random.h"

namespace edgewise::stats {

// How a series is cut. The series is divided into `cells` runs of consecutive
// samples of equal size (one sample each if there are at most kMaxCells); a
// block is `cells_per_block` consecutive cells, wrapping around at the end
// (circular block bootstrap, Politis and Romano 1992).
struct BlockPlan {
  size_t cells = 0;
  size_t cells_per_block = 1;
  // Blocks drawn for one replicate, so that it is as long as the series.
  size_t blocks = 0;
};

inline constexpr size_t kMaxCells = 1024;

// Blocks of five integrated autocorrelation times, which leaves less than
// about a tenth of the variance between blocks unaccounted for an
// autoregressive series; but at least ten blocks. Single cells where
// n_effective = n. Needs n >= 1 and 1 <= n_effective <= n.
BlockPlan PlanBlocks(size_t n, double n_effective);

// `replicates` means of resampled series.
std::vector<double> BootstrapMeans(std::span<const double> series,
                                   const BlockPlan& plan, int replicates,
                                   Random* random);

// `replicates` p-quantiles, x(ceil(n p)), of resampled series. They are found
// among at most 256 order statistics of the series, spread over six standard
// errors to either side of its own quantile; n_effective sets the error.
std::vector<double> BootstrapQuantiles(std::span<const double> series, double p,
                                       double n_effective,
                                       const BlockPlan& plan, int replicates,
                                       Random* random);

// At most `size` samples in their order: one drawn from each of `size` equal
// strata, so that no period in the series can hide between the draws.
std::vector<double> ThinToSize(std::span<const double> series, size_t size,
                               Random* random);

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_BLOCK_BOOTSTRAP_H_
