#include "cli/verbs/prometheus_options.h"

#include <cstdlib>
#include <utility>

#include "base/text.h"

namespace edgewise::cli {
namespace {

// A secret, alone in a file; empty without one.
Result<std::string> SecretIn(const char* flag, const std::string& file) {
  if (file.empty()) {
    return std::string();
  }
  const auto text = ReadFile(file);
  if (!text) {
    return Error{text.error().code,
                 std::string(flag) + ": " + text.error().message};
  }
  return std::string(Trim(*text));
}

}  // namespace

void AddPrometheusOptions(CLI::App& verb, PrometheusOptions& options,
                          const std::string& purpose) {
  verb.add_option("--prometheus", options.where,
                  "Where the cluster's Prometheus is" + purpose)
      ->type_name("HOST:PORT|URL");
  verb.add_option("--prometheus-ca", options.ca_file,
                  "Certificates to trust for https:// (default: the system's)")
      ->type_name("FILE");
  verb.add_option("--prometheus-user", options.user,
                  "User for basic authentication at Prometheus")
      ->type_name("NAME");
  verb.add_option("--prometheus-password-file", options.password_file,
                  "File with that user's password")
      ->type_name("FILE")
      ->needs("--prometheus-user");
  verb.add_option("--prometheus-token-file", options.token_file,
                  "File with a bearer token for Prometheus")
      ->type_name("FILE")
      ->excludes("--prometheus-user");
}

Result<std::optional<cluster::Prometheus>> PrometheusFrom(
    const PrometheusOptions& options) {
  const char* const environment = std::getenv("PROMETHEUS_IP");
  const std::string where = !options.where.empty()   ? options.where
                            : environment != nullptr ? environment
                                                     : "";
  if (where.empty()) {
    return std::optional<cluster::Prometheus>();
  }
  cluster::PrometheusSettings settings;
  auto url = cluster::PrometheusUrl(where);
  if (!url) {
    return Error{url.error().code, (options.where.empty() ? "PROMETHEUS_IP: "
                                                          : "--prometheus: ") +
                                       url.error().message};
  }
  auto password = SecretIn("--prometheus-password-file", options.password_file);
  auto token = SecretIn("--prometheus-token-file", options.token_file);
  if (!password || !token) {
    return password ? token.error() : password.error();
  }
  settings.url = std::move(*url);
  settings.ca_file = options.ca_file;
  settings.credentials.user = options.user;
  settings.credentials.password = std::move(*password);
  settings.credentials.bearer_token = std::move(*token);
  auto prometheus = cluster::Prometheus::Open(std::move(settings));
  if (!prometheus) {
    return prometheus.error();
  }
  return std::optional(std::move(*prometheus));
}

}  // namespace edgewise::cli
