// `contend --tenants`: campaigns.
#ifndef EDGEWISE_CLI_VERBS_CONTEND_TENANTS_H_
#define EDGEWISE_CLI_VERBS_CONTEND_TENANTS_H_

#include <string>

#include "base/result.h"
#include "cli/context.h"
#include "cli/verbs/contend_options.h"
#include "tenants/deployment.h"

namespace edgewise::cli {

// The exit code.
int ContendTenants(const ContendOptions& options, const Context& context);

// What is only for tenants must not be given without.
Result<void> RefuseTenantOptions(const ContendOptions& options);

// "left", "left=cpus:0", "left=cpus:0-1,memory:2GiB"; without cores it has all
// of this machine's.
Result<tenants::Server> ParseServer(const std::string& text);

// What deploying needs to know of this machine and program.
Result<tenants::DeployConditions> DeployConditionsHere(const Context& context);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_CONTEND_TENANTS_H_
