// ProcessorTime: how much of a core requests take, from what was measured.
#ifndef EDGEWISE_CONTENTION_PROCESSOR_TIME_H_
#define EDGEWISE_CONTENTION_PROCESSOR_TIME_H_

#include <vector>

#include "base/result.h"
#include "contention/predictor.h"

namespace edgewise::contention {

struct ProcessorTime {
  // Of a request on the fastest server, on average.
  double beside_ms = 0;  // others
  double alone_ms = 0;
};

// By app. An app that was only ever alone is taken to be as much slower beside
// others as the others are. Errors as of FindAlone.
Result<std::vector<ProcessorTime>> FindProcessorTimes(const Campaign& campaign,
                                                      const Selection& rows);

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_PROCESSOR_TIME_H_
