// RunIdentity: of which app, version and target a Run is.
//
// The room `history` knows what the Runs of an app say together, over versions
// and machines, and whether several apps would fit a node. It must not know how
// Runs are made or answers shown.
#ifndef EDGEWISE_HISTORY_RUN_IDENTITY_H_
#define EDGEWISE_HISTORY_RUN_IDENTITY_H_

#include <string>

#include "store/run.h"

namespace edgewise {

struct RunIdentity {
  std::string app;
  std::string version;  // empty: not known
  std::string target;   // empty: the app has but one
};

// What the Run was told (details `app`, `version` and `target`, which app files
// set); else its label as NAME or NAME:VERSION; else the program's name.
RunIdentity IdentityOf(const Run& run);

// Made under conditions that an experiment varied on purpose (sweep, fit,
// contend): no part of what an app needs in general.
bool WasVaried(const Run& run);

// Whether the program did what it was meant to: ended by itself without an
// error, or at its planned end.
bool WentWell(const Run& run);

}  // namespace edgewise

#endif  // EDGEWISE_HISTORY_RUN_IDENTITY_H_
