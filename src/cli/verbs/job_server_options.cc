#include "cli/verbs/job_server_options.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <utility>

#include "http/tokens.h"

namespace edgewise::cli {

void AddJobServerOptions(CLI::App& verb, JobServerOptions& options) {
  verb.add_option("--server", options.url,
                  "Address of an edgewise serve (default $EDGEWISE_SERVER, "
                  "else http://127.0.0.1:7001)")
      ->type_name("URL");
  verb.add_option("--token", options.token,
                  "Token for it (default $EDGEWISE_TOKEN); others may see it "
                  "in the list of processes")
      ->type_name("TOKEN");
  verb.add_option("--token-file", options.token_file,
                  "File with that token in its first line")
      ->type_name("FILE")
      ->excludes("--token");
  verb.add_option("--ca", options.ca_file,
                  "Certificates to trust for https:// (default: the system's)")
      ->type_name("FILE");
}

Result<RemoteJobs> OpenJobServer(const JobServerOptions& options) {
  JobServerAddress address;
  const char* const url = std::getenv("EDGEWISE_SERVER");
  if (!options.url.empty()) {
    address.url = options.url;
  } else if (url != nullptr && *url != '\0') {
    address.url = url;
  }
  const char* const token = std::getenv("EDGEWISE_TOKEN");
  address.token = !options.token.empty() ? options.token
                  : token != nullptr     ? token
                                         : "";
  if (!options.token_file.empty()) {
    auto tokens = http::ReadTokens(options.token_file);
    if (!tokens) {
      return Error{tokens.error().code,
                   "--token-file: " + tokens.error().message};
    }
    address.token = std::move(tokens->front());
  }
  address.ca_file = options.ca_file;
  return RemoteJobs::Open(std::move(address));
}

}  // namespace edgewise::cli
