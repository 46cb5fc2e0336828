// What apps do with a server to themselves.
#ifndef EDGEWISE_CONTENTION_ALONE_H_
#define EDGEWISE_CONTENTION_ALONE_H_

#include <vector>

#include "base/result.h"
#include "contention/predictor.h"

namespace edgewise::contention {

struct AloneApp {
  double service_ms = 0;  // on the fastest server
  double spread = 0;      // standard deviation ÷ mean of it
  double cpu_ms = 0;      // of a request, there
};

struct Alone {
  std::vector<AloneApp> apps;
  std::vector<double> speeds;  // by server, 1 of the fastest
};

// One replica of one app, without a stressor.
bool IsAlone(const Deployment& deployment);

// kInvalid: an app was never measured alone, servers differ in cores, or a
// server has no app in common with the others.
Result<Alone> FindAlone(const Campaign& campaign, const Selection& rows);

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_ALONE_H_
