// Steers a campaign to the deployments that the pressure model is least sure
// of.
#ifndef EDGEWISE_CONTENTION_CHOOSER_H_
#define EDGEWISE_CONTENTION_CHOOSER_H_

#include <cstdint>

#include "tenants/choose.h"

namespace edgewise::contention {

// A candidate with a tenant that nothing is known of comes first. The error is
// that of deployments held out (ReachedError).
tenants::Chooser LeastSureChooser(uint64_t seed);

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_CHOOSER_H_
