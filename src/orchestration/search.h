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
  // What items cost by a bound: servers are then filled with what gains most
  // beyond that, now and then. Empty: not known.
  void SetCosts(std::vector<double> costs) { costs_ = std::move(costs); }
  // Empties a few servers and fills them anew, `rounds` times; keeps what is
  // not worse or, with a temperature above 0 (in micros), not much worse.
  // Returns how many rounds made it better.
  int Improve(int rounds, double temperature = 0);
  // Goes back to the best that was seen, where worse was kept.
  void TakeBest();

  const std::vector<ServerLoad>& servers() const { return servers_; }
  double worth() const { return worth_total_; }

 private:
  void Rebuild(const std::vector<size_t>& chosen);
  void FillUp(const std::vector<size_t>& chosen,
              const std::vector<size_t>& pool);
  void Restore(const std::vector<size_t>& chosen,
               const std::vector<ServerLoad>& before);
  void SetPlaced();
  std::vector<size_t> Outside() const;
  double Worth(size_t server) const;

  const Problem& problem_;
  std::vector<ServerLoad> servers_;
  WorthOf worth_;
  stats::Random random_;
  std::vector<size_t> by_density_;
  std::vector<bool> placed_;
  double worth_total_ = 0;
  std::vector<double> costs_;
  // Only where worse was kept.
  std::vector<ServerLoad> best_servers_;
  double best_worth_ = -1;
};

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_SEARCH_H_
