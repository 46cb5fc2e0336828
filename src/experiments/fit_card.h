// The answer of a search for least resources on a card.
#ifndef EDGEWISE_EXPERIMENTS_FIT_CARD_H_
#define EDGEWISE_EXPERIMENTS_FIT_CARD_H_

#include "base/result.h"
#include "cards/card.h"
#include "experiments/least_resources.h"
#include "store/store.h"

namespace edgewise {

// What a card says of a confirmed answer (FitOutcome::kFound): requests are the
// target amounts, limits the upper ones.
CardResources ResourcesOf(const FitAnswer& answer, const FitRequest& request);

// A new card of the confirming Runs; where these do not support one, only the
// name and command are on it.
Result<Card> NewFitCard(const Store& store, const FitAnswer& answer,
                        const FitRequest& request);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_FIT_CARD_H_
