// Why a request was refused, and where one more could stand.
#ifndef EDGEWISE_ORCHESTRATION_EXPLAIN_H_
#define EDGEWISE_ORCHESTRATION_EXPLAIN_H_

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "orchestration/server_load.h"

namespace edgewise::orchestration {

// Why the item stands nowhere, as a clause: "its p95 would be 31 ms at best …".
std::string WhyRefused(const Problem& problem,
                       const std::vector<ServerLoad>& servers, size_t item);

// Why the item cannot stand on this server as things are; empty: it can.
std::string WhyNotOn(const Problem& problem, const ServerLoad& server,
                     size_t item);

// A request that no server could take even alone, or a server that could take
// none, is a mistake in the input; the error names it.
Result<void> CheckEachFits(const Problem& problem);

// The server on which the item leaves most of all tolerances; nullopt where
// none can take it as things stand.
std::optional<size_t> Admit(const std::vector<ServerLoad>& servers,
                            size_t item);

// The servers as an assignment fills them.
std::vector<ServerLoad> ServersOf(const Problem& problem,
                                  const Assignment& assignment);

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_EXPLAIN_H_
