// Instances like NeuRO's, from a seed: the same on every machine.
#ifndef EDGEWISE_ORCHESTRATION_GENERATE_H_
#define EDGEWISE_ORCHESTRATION_GENERATE_H_

#include <string_view>

#include "base/result.h"
#include "orchestration/instance.h"
#include "orchestration/predictor.h"

namespace edgewise::orchestration {

struct GenerateSettings {
  int servers = 10;
  int requests = 150;
  int64_t memory_bytes = int64_t{32} << 30;
  double low_rank = 0.5;  // the share of servers of rank 1; others have rank 0
  uint64_t seed = 1;
};

// "servers=10,requests=150,memory=32GiB,low_rank=0.5,seed=1"; what is left out
// keeps its default, but requests are 15 a server.
Result<GenerateSettings> ParseGenerate(std::string_view text);

// 1 to 4 replicas at 1 to 5 requests a second each, p75, p95 or p99 within 1.3
// to 4 times what an empty server of rank 0 takes, or longer where its own
// replicas take longer at 90% confidence; pay in proportion to the work, within
// a factor of two. Requests that no server could hold are drawn again.
Instance Generate(const GenerateSettings& settings, const Predictor& predictor);

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_GENERATE_H_
