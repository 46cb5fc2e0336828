// Requests and servers as files (docs/formats/requests.md, servers.md).
#ifndef EDGEWISE_ORCHESTRATION_INSTANCE_FILES_H_
#define EDGEWISE_ORCHESTRATION_INSTANCE_FILES_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "orchestration/instance.h"

namespace edgewise::orchestration {

// `origin` is what errors call the text.
Result<std::vector<Request>> ReadRequests(std::string_view yaml,
                                          const std::string& origin);
Result<std::vector<Server>> ReadServers(std::string_view yaml,
                                        const std::string& origin);
std::string WriteRequests(const std::vector<Request>& requests);
std::string WriteServers(const std::vector<Server>& servers);

// Pay with as many decimals as it has: "3.2".
std::string MoneyText(int64_t micros);

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_INSTANCE_FILES_H_
