// What is asked for and what there is: requests for applications under a
// promise, and servers.
//
// The room `orchestration` knows how many applications share many servers so
// that promises hold, what that earns, and how much more could be earned at
// most. It must not know how predictions are measured, nor how answers look.
#ifndef EDGEWISE_ORCHESTRATION_INSTANCE_H_
#define EDGEWISE_ORCHESTRATION_INSTANCE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace edgewise::orchestration {

// Limits that keep every sum within 64 bits.
inline constexpr int64_t kMicrosPerUnit = 1'000'000;
inline constexpr double kMostPay = 1e6;
inline constexpr size_t kMostRequests = 100'000;
inline constexpr size_t kMostServers = 10'000;
inline constexpr int64_t kMostMemory = int64_t{1} << 45;  // of a server
inline constexpr int kMostReplicas = 10'000;
inline constexpr int kMostRank = 99;

// "At `quantile` of its requests, an answer takes at most delay_ns."
struct Sla {
  double quantile = 0.95;
  int64_t delay_ns = 0;
};

// All replicas stand on one server, or none does.
struct Request {
  std::string name;
  std::string app;
  int replicas = 1;
  double rate_per_s = 0;  // of each replica
  Sla sla;
  int64_t pay_micros = 0;               // millionths of the unit of money
  std::optional<int64_t> memory_bytes;  // of a replica; nullopt: the app's
  std::string image;                    // for manifests; empty: none
};

struct Server {
  std::string name;
  int rank = 0;  // 0 is the most powerful
  int64_t memory_bytes = 0;
  std::vector<int> cpus;             // of this machine; empty: elsewhere
  std::optional<double> idle_watts;  // when on
  std::optional<double> busy_watts;  // when fully busy
};

struct Instance {
  std::vector<Request> requests;
  std::vector<Server> servers;
};

// Where each request stands: an index of a server, or nullopt.
using Assignment = std::vector<std::optional<size_t>>;

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_INSTANCE_H_
