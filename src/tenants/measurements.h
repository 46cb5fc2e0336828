// What a campaign measured, as rows: one for each tenant of a deployment
// (deployments.csv), and one for each request (requests/ID.csv).
//
// The room `tenants` knows applications that answer requests, how several of
// them are put on one server, and what is then measured. It must not know what
// is predicted from that, nor how anything is shown.
// docs/formats/campaign.md describes the files.
#ifndef EDGEWISE_TENANTS_MEASUREMENTS_H_
#define EDGEWISE_TENANTS_MEASUREMENTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace edgewise::tenants {

// Why a deployment was measured.
enum class Kind { kBaseline, kPairwise, kRandom, kSensitivity };
// "baseline", "pairwise", "random", "sensitivity".
std::string_view KindName(Kind kind);
std::optional<Kind> ParseKind(std::string_view word);

// One tenant of one deployment. Times count from arrival: requests that had not
// been answered when the measurement ended are `censored`, and quantiles take
// them as "longer than their age". nullopt: it cannot be said.
struct Measured {
  std::string deployment;  // "r0012"; rows of one deployment share it
  Kind kind = Kind::kBaseline;
  std::string repeat_of;  // the deployment that this one repeats; or empty
  std::string server;
  double cores = 1;  // of the server
  std::string tenant;
  int replicas = 1;
  double rate_per_s = 0;  // of each replica
  std::optional<double> quota_cores;
  std::string stressor;  // of sensitivity: "cache"; else empty
  std::optional<double> dial;
  double seconds = 0;  // of the measurement, without warm-up
  int64_t arrived = 0;
  int64_t completed = 0;
  int64_t censored = 0;
  int64_t dropped = 0;  // the queue was full
  std::optional<double> service_mean_ms;
  std::optional<double> service_sd_ms;
  std::optional<double> response_mean_ms;
  std::optional<double> response_p50_ms;
  std::optional<double> response_p75_ms;
  std::optional<double> response_p95_ms;
  std::optional<double> response_p99_ms;
  std::optional<double> queueing_mean_ms;
  std::optional<double> cpu_cores;
  std::optional<int64_t> memory_bytes;

  bool operator==(const Measured&) const = default;
};

// The first line of deployments.csv, with its line end.
std::string MeasuredHeader();
// A line of it, with its line end. Names must hold no comma, quote or line end.
std::string MeasuredLine(const Measured& row);
// A whole deployments.csv. A last line without a line end is the half of one
// that was being written, and is left out. `origin` is the file's name for
// errors, which name the line.
Result<std::vector<Measured>> ReadMeasured(std::string_view csv,
                                           std::string_view origin);

// One request; seconds count from the begin of the measurement.
struct RequestRow {
  std::string service;
  int replica = 0;
  double arrival_s = 0;
  std::optional<double> departure_s;     // nullopt: censored
  std::optional<double> interarrival_s;  // nullopt: the first of its replica
  std::optional<double> queueing_s;      // nullopt: it still waited
  int queue_length = 0;                  // it found so many waiting
  bool censored = false;

  bool operator==(const RequestRow&) const = default;
};

std::string RequestsHeader();
std::string RequestLine(const RequestRow& row);
// As ReadMeasured.
Result<std::vector<RequestRow>> ReadRequests(std::string_view csv,
                                             std::string_view origin);

// Whether a name may stand in these files and in names of files: letters,
// digits, ".", "-" and "_", at most 64 of them.
bool IsPlainName(std::string_view name);

}  // namespace edgewise::tenants

#endif  // EDGEWISE_TENANTS_MEASUREMENTS_H_
