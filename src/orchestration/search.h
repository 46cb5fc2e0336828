// Search: a placement made better, a few servers at a time.
#ifndef EDGEWISE_ORCHESTRATION_SEARCH_H_
#define EDGEWISE_ORCHESTRATION_SEARCH_H_

#include <functional>
#include <vector>

#include "orchestration/server_load.h"
#include "stats/random.h"

namespace edgewise::orchestration {

// What an item is worth on a server, in micros: its pay, less what moving it
// there costs.
using WorthOf = std::function<double(size_t item, size_t server)>;

class Search {
 public:
  // `problem` must outlive this. Starts from `servers`, whose promises hold.
  Search(const Problem& problem, std::vector<ServerLoad> servers, WorthOf worth,
         uint64_t seed);

  // Places what can be added, the best pay for its pressure first.
  void Fill();
  // Empties a few servers and fills them anew, `rounds` times; keeps what is
  // not worse. Returns how many rounds made it better.
  int Improve(int rounds);

  const std::vector<ServerLoad>& servers() const { return servers_; }
  double worth() const { return worth_total_; }

 private:
  void Rebuild(const std::vector<size_t>& chosen);
  std::vector<size_t> Outside() const;
  double Worth(size_t server) const;

  const Problem& problem_;
  std::vector<ServerLoad> servers_;
  WorthOf worth_;
  stats::Random random_;
  std::vector<size_t> by_density_;
  std::vector<bool> placed_;
  double worth_total_ = 0;
};

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_SEARCH_H_
