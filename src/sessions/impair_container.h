// The network of a container made worse.
#ifndef EDGEWISE_SESSIONS_IMPAIR_CONTAINER_H_
#define EDGEWISE_SESSIONS_IMPAIR_CONTAINER_H_

#include <sys/types.h>

#include "base/result.h"
#include "impair/impairment.h"

namespace edgewise {

// Gives every interface of the process's network namespace, loopback excepted,
// a netem queue: what the container sends meets it. Gone with the namespace.
// kInvalid if the process shares this machine's network or has no interface.
Result<void> ImpairContainer(pid_t pid, const Impairment& impairment);

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_IMPAIR_CONTAINER_H_
