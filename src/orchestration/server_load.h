// ServerLoad: what stands on one server, with its pressures kept up to date as
// items come and go.
#ifndef EDGEWISE_ORCHESTRATION_SERVER_LOAD_H_
#define EDGEWISE_ORCHESTRATION_SERVER_LOAD_H_

#include <cstdint>
#include <vector>

#include "orchestration/problem.h"

namespace edgewise::orchestration {

class ServerLoad {
 public:
  // `problem` must outlive this.
  ServerLoad(const Problem& problem, size_t kind);

  // Whether every promise on this server still holds with the item.
  bool CanAdd(size_t item) const;
  void Add(size_t item);
  void Remove(size_t item);
  void Clear();

  size_t kind() const { return kind_; }
  const std::vector<size_t>& items() const { return items_; }
  int64_t memory_bytes() const { return memory_bytes_; }
  int64_t free_memory_bytes() const { return capacity_bytes_ - memory_bytes_; }
  // That the app feels here, in billionths.
  int64_t Felt(size_t app) const { return felt_[app]; }
  // The least tolerance of the app's items here; the largest number without.
  int64_t LeastTolerance(size_t app) const { return least_tolerance_[app]; }
  // The part of the tolerance that is used up, of the app nearest to its.
  double Strain() const;

 private:
  const Problem* problem_;
  size_t kind_;
  size_t rank_;
  int64_t capacity_bytes_;
  int64_t memory_bytes_ = 0;
  std::vector<size_t> items_;
  std::vector<int64_t> felt_;
  std::vector<int64_t> least_tolerance_;
};

// All servers of a problem, empty, and the items that stand on them.
std::vector<ServerLoad> EmptyServers(const Problem& problem);
Assignment AssignmentOf(const Problem& problem,
                        const std::vector<ServerLoad>& servers);
int64_t RevenueMicros(const Problem& problem, const Assignment& assignment);

// Asks the predictor itself whether memory and every promise hold; the answer
// names the first that does not, or is empty.
std::string FindBrokenPromise(const Problem& problem,
                              const Assignment& assignment);

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_SERVER_LOAD_H_
