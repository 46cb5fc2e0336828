#include "stats/block_bootstrap.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "stats/quantile.h"

namespace edgewise::stats {
namespace {

constexpr double kTimesPerBlock = 5;
constexpr size_t kMinBlocks = 10;
constexpr size_t kMaxCandidates = 256;
constexpr double kCandidateErrors = 6;

size_t CellBegin(size_t cell, size_t cells, size_t n) {
  return cell * n / cells;
}

// Replaces per-cell amounts with those of the block that starts at each cell.
template <typename Amount>
void SumBlocks(size_t cells_per_block, std::span<Amount> cells) {
  const std::vector<Amount> single(cells.begin(), cells.end());
  Amount sum = 0;
  for (size_t i = 0; i < cells_per_block; ++i) sum += single[i];
  for (size_t i = 0; i < cells.size(); ++i) {
    cells[i] = sum;
    sum += single[(i + cells_per_block) % single.size()];
    sum -= single[i];
  }
}

// The number of samples in the block that starts at each cell.
std::vector<uint32_t> BlockSizes(size_t n, const BlockPlan& plan) {
  std::vector<uint32_t> sizes(plan.cells);
  for (size_t cell = 0; cell < plan.cells; ++cell) {
    sizes[cell] = static_cast<uint32_t>(CellBegin(cell + 1, plan.cells, n) -
                                        CellBegin(cell, plan.cells, n));
  }
  SumBlocks<uint32_t>(plan.cells_per_block, sizes);
  return sizes;
}

void DrawBlocks(const BlockPlan& plan, Random* random,
                std::vector<uint32_t>* drawn) {
  drawn->resize(plan.blocks);
  for (uint32_t& block : *drawn) block = random->Below(plan.cells);
}

// Ascending order statistics around the p-quantile.
std::vector<double> Candidates(std::span<const double> series, double p,
                               double n_effective) {
  const auto n = static_cast<double>(series.size());
  const double reach =
      kCandidateErrors * n * std::sqrt(p * (1 - p) / n_effective);
  const auto point =
      static_cast<double>(PointRank(static_cast<int64_t>(series.size()), p));
  const auto first = static_cast<size_t>(std::max(point - 1 - reach, 0.0));
  const auto last = static_cast<size_t>(std::min(point - 1 + reach, n - 1));
  std::vector<double> values(series.begin(), series.end());
  const auto at = [&](size_t i) {
    return values.begin() + static_cast<std::ptrdiff_t>(i);
  };
  std::nth_element(values.begin(), at(first), values.end());
  std::nth_element(at(first), at(last), values.end());
  std::sort(at(first), at(last + 1));
  const size_t range = last - first + 1;
  const size_t size = std::min(range, kMaxCandidates);
  std::vector<double> candidates(size);
  for (size_t i = 0; i < size; ++i) {
    candidates[i] =
        values[first + (size == 1 ? 0 : i * (range - 1) / (size - 1))];
  }
  candidates.erase(std::unique(candidates.begin(), candidates.end()),
                   candidates.end());
  return candidates;
}

}  // namespace

BlockPlan PlanBlocks(size_t n, double n_effective) {
  assert(n >= 1 && n_effective >= 1);
  BlockPlan plan;
  plan.cells = std::min(n, kMaxCells);
  const double time = static_cast<double>(n) / n_effective;
  if (time > 1) {
    const double cell_size =
        static_cast<double>(n) / static_cast<double>(plan.cells);
    const double wanted = std::ceil(kTimesPerBlock * time / cell_size);
    const size_t most_cells = plan.cells / kMinBlocks;
    const auto most = static_cast<double>(most_cells);
    plan.cells_per_block =
        static_cast<size_t>(std::max(std::min(wanted, most), 1.0));
  }
  plan.blocks = (plan.cells + plan.cells_per_block - 1) / plan.cells_per_block;
  return plan;
}

std::vector<double> BootstrapMeans(std::span<const double> series,
                                   const BlockPlan& plan, int replicates,
                                   Random* random) {
  const size_t n = series.size();
  std::vector<double> sums(plan.cells);
  for (size_t cell = 0; cell < plan.cells; ++cell) {
    const size_t end = CellBegin(cell + 1, plan.cells, n);
    for (size_t i = CellBegin(cell, plan.cells, n); i < end; ++i) {
      sums[cell] += series[i];
    }
  }
  SumBlocks<double>(plan.cells_per_block, sums);
  const std::vector<uint32_t> sizes = BlockSizes(n, plan);
  std::vector<double> means(static_cast<size_t>(replicates));
  std::vector<uint32_t> drawn;
  for (double& mean : means) {
    DrawBlocks(plan, random, &drawn);
    double sum = 0;
    uint64_t size = 0;
    for (const uint32_t block : drawn) {
      sum += sums[block];
      size += sizes[block];
    }
    mean = sum / static_cast<double>(size);
  }
  return means;
}

std::vector<double> BootstrapQuantiles(std::span<const double> series, double p,
                                       double n_effective,
                                       const BlockPlan& plan, int replicates,
                                       Random* random) {
  const size_t n = series.size();
  const std::vector<double> candidates = Candidates(series, p, n_effective);
  // Row c counts, for the block that starts at each cell, the samples at or
  // below candidate c.
  std::vector<std::vector<uint32_t>> below(candidates.size(),
                                           std::vector<uint32_t>(plan.cells));
  for (size_t cell = 0; cell < plan.cells; ++cell) {
    const size_t end = CellBegin(cell + 1, plan.cells, n);
    for (size_t i = CellBegin(cell, plan.cells, n); i < end; ++i) {
      const auto candidate =
          std::lower_bound(candidates.begin(), candidates.end(), series[i]);
      if (candidate == candidates.end()) continue;
      ++below[static_cast<size_t>(candidate - candidates.begin())][cell];
    }
  }
  for (size_t c = 1; c < below.size(); ++c) {
    for (size_t cell = 0; cell < plan.cells; ++cell) {
      below[c][cell] += below[c - 1][cell];
    }
  }
  for (std::vector<uint32_t>& row : below) {
    SumBlocks<uint32_t>(plan.cells_per_block, row);
  }
  const std::vector<uint32_t> sizes = BlockSizes(n, plan);
  std::vector<double> quantiles(static_cast<size_t>(replicates));
  std::vector<uint32_t> drawn;
  for (double& quantile : quantiles) {
    DrawBlocks(plan, random, &drawn);
    int64_t size = 0;
    for (const uint32_t block : drawn) size += sizes[block];
    const auto wanted = static_cast<uint64_t>(PointRank(size, p));
    // The first candidate with enough samples at or below it.
    size_t low = 0;
    size_t high = candidates.size() - 1;
    while (low < high) {
      const size_t middle = (low + high) / 2;
      const std::vector<uint32_t>& row = below[middle];
      uint64_t reached = 0;
      for (const uint32_t block : drawn) reached += row[block];
      if (reached >= wanted) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    quantile = candidates[low];
  }
  return quantiles;
}

std::vector<double> ThinToSize(std::span<const double> series, size_t size,
                               Random* random) {
  if (series.size() <= size) return {series.begin(), series.end()};
  std::vector<double> thinned(size);
  for (size_t i = 0; i < size; ++i) {
    const size_t begin = CellBegin(i, size, series.size());
    const size_t end = CellBegin(i + 1, size, series.size());
    thinned[i] = series[begin + random->Below(end - begin)];
  }
  return thinned;
}

}  // namespace edgewise::stats
