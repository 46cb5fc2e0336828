// From a contention experiment to a card's `isolated` and `contended`.
#ifndef EDGEWISE_EXPERIMENTS_CONTEND_CARD_H_
#define EDGEWISE_EXPERIMENTS_CONTEND_CARD_H_

#include <string>

#include "cards/card.h"
#include "experiments/contend.h"

namespace edgewise {

// Sets both where the report has them, and leaves the rest as it is. The worst
// company is that with the largest p95.
void FillContention(const ContendReport& report, const std::string& app,
                    Card& card);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_CONTEND_CARD_H_
