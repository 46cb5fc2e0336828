// What apps need by their cards, for manifests.
#ifndef EDGEWISE_CLI_VERBS_CARD_NEEDS_H_
#define EDGEWISE_CLI_VERBS_CARD_NEEDS_H_

#include <map>
#include <string>

#include "base/result.h"
#include "orchestration/placement_file.h"

namespace edgewise::cli {

// By the cards' names, of all .yaml files in the folder; empty for none. The
// error names a file that is no card, or two of one app.
Result<std::map<std::string, orchestration::AppNeeds>> NeedsFrom(
    const std::string& folder);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_CARD_NEEDS_H_
