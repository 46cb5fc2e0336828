#include "orchestration/instance_files.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "base/text.h"
#include "base/units.h"
#include "base/yaml_reader.h"
#include "base/yaml_scalar.h"
#include "orchestration/promise_text.h"

namespace edgewise::orchestration {
namespace {

constexpr size_t kMostMib = 64;
constexpr double kMostRate = 1e6;
constexpr double kMostWatts = 1e6;

template <typename T>  // int64_t or optional of it
YamlReader::Take Memory(YamlReader& reader, T& bytes) {
  return [&reader, &bytes](std::string_view, const YamlNode& value) {
    if (const auto parsed = ParseBytes(value.Scalar())) {
      if (*parsed > kMostMemory) {
        reader.Refuse(value, "memory must be at most 32TiB");
      }
      bytes = *parsed;
    } else {
      reader.Refuse(value, "memory: " + parsed.error().message);
    }
  };
}

YamlReader::Take Whole(YamlReader& reader, int& field, int least, int most) {
  return [&reader, &field, least, most](std::string_view key,
                                        const YamlNode& value) {
    const auto number = ParseInt(value.Scalar());
    if (number && *number >= least && *number <= most) {
      field = static_cast<int>(*number);
    } else {
      reader.Refuse(value, fmt::format("{} must be a whole number from {} to "
                                       "{}",
                                       key, least, most));
    }
  };
}

YamlReader::Take TakeSla(YamlReader& reader, Sla& sla) {
  return [&reader, &sla](std::string_view, const YamlNode& value) {
    reader.ReadMap(value, "an SLA",
                   {{"quantile",
                     [&](std::string_view, const YamlNode& at) {
                       if (const auto quantile = ParseQuantile(at.Scalar())) {
                         sla.quantile = *quantile;
                       } else {
                         reader.Refuse(
                             at,
                             "quantile must be one such as p95, from p50 "
                             "to p99.99");
                       }
                     }},
                    {"delay_ms", reader.Ms(sla.delay_ns)}});
  };
}

void CheckRequest(YamlReader& reader, const YamlNode& item,
                  const Request& request, bool paid) {
  if (request.name.empty() || request.app.empty()) {
    reader.Refuse(item, "a request needs a name and an app");
  } else if (request.rate_per_s <= 0) {
    reader.Refuse(item, "the request " + request.name +
                            " needs a rate: requests a second and replica");
  } else if (request.sla.delay_ns <= 0) {
    reader.Refuse(item, "the request " + request.name +
                            " needs a promise: sla: {quantile: p95, delay_ms: "
                            "80}");
  } else if (!paid) {
    reader.Refuse(item, "the request " + request.name +
                            " needs pay: what it earns when it is placed");
  }
}

// Each replica as a request of its own, with its part of the pay.
std::vector<Request> Spread(const Request& request) {
  std::vector<Request> replicas;
  const int64_t part = request.pay_micros / request.replicas;
  for (int r = 1; r <= request.replicas; ++r) {
    Request one = request;
    one.name = fmt::format("{}-{}", request.name, r);
    one.replicas = 1;
    one.pay_micros =
        r == 1 ? request.pay_micros - part * (request.replicas - 1) : part;
    replicas.push_back(std::move(one));
  }
  return replicas;
}

}  // namespace

Result<std::vector<Request>> ReadRequests(std::string_view yaml,
                                          const std::string& origin) {
  const auto root = ReadYaml(yaml, origin, "list of requests", kMostMib);
  if (!root) {
    return root.error();
  }
  YamlReader reader(origin);
  std::vector<Request> requests;
  std::set<std::string> names;
  const auto take = [&](const YamlNode& item) {
    Request request;
    bool paid = false;
    bool spread = false;
    reader.ReadMap(
        item, "a request",
        {{"name", reader.Text(request.name)},
         {"app", reader.Text(request.app)},
         {"replicas", Whole(reader, request.replicas, 1, kMostReplicas)},
         {"rate", reader.Number(request.rate_per_s, 1e-6, kMostRate)},
         {"sla", TakeSla(reader, request.sla)},
         {"pay", reader.WithNumber(0, kMostPay,
                                   [&](double pay) {
                                     paid = true;
                                     request.pay_micros =
                                         std::llround(pay * kMicrosPerUnit);
                                   })},
         {"memory", Memory(reader, request.memory_bytes)},
         {"image", reader.Text(request.image)},
         {"spread", reader.Flag(spread)}});
    CheckRequest(reader, item, request, paid);
    if (requests.size() + static_cast<size_t>(request.replicas) >
            kMostRequests &&
        spread) {
      reader.Refuse(item, "these are more than 100,000 requests");
      return;
    }
    for (Request& one : spread&& request.replicas > 1
                            ? Spread(request)
                            : std::vector<Request>{request}) {
      if (!names.insert(one.name).second) {
        reader.Refuse(item,
                      "the request " + one.name +
                          " is there twice, maybe with different promises: "
                          "keep one, or give them two names");
      }
      requests.push_back(std::move(one));
    }
  };
  reader.ReadMap(*root, "a list of requests",
                 {{"requests", reader.Each(take, kMostRequests)}});
  if (reader.problem()) {
    return *reader.problem();
  }
  if (requests.empty() || requests.size() > kMostRequests) {
    return Error{ErrorCode::kInvalid,
                 origin +
                     " must list 1 to 100,000 requests under "
                     "\"requests:\", each with a name, app, rate, sla and "
                     "pay"};
  }
  return requests;
}

Result<std::vector<Server>> ReadServers(std::string_view yaml,
                                        const std::string& origin) {
  const auto root = ReadYaml(yaml, origin, "list of servers", kMostMib);
  if (!root) {
    return root.error();
  }
  YamlReader reader(origin);
  std::vector<Server> servers;
  std::set<std::string> names;
  const auto take = [&](const YamlNode& item) {
    Server server;
    reader.ReadMap(
        item, "a server",
        {{"name", reader.Text(server.name)},
         {"rank", Whole(reader, server.rank, 0, kMostRank)},
         {"memory", Memory(reader, server.memory_bytes)},
         {"cpus", reader.Cores(server.cpus)},
         {"idle_watts", reader.Number(server.idle_watts, 0, kMostWatts)},
         {"busy_watts", reader.Number(server.busy_watts, 0, kMostWatts)}});
    if (server.name.empty() || server.memory_bytes <= 0) {
      reader.Refuse(item, "a server needs a name and its memory");
    } else if (!names.insert(server.name).second) {
      reader.Refuse(item, "the server " + server.name + " is there twice");
    }
    servers.push_back(std::move(server));
  };
  reader.ReadMap(*root, "a list of servers",
                 {{"servers", reader.Each(take, kMostServers)}});
  if (reader.problem()) {
    return *reader.problem();
  }
  if (servers.empty() || servers.size() > kMostServers) {
    return Error{ErrorCode::kInvalid,
                 origin +
                     " must list 1 to 10,000 servers under \"servers:\", "
                     "each with a name, rank and memory"};
  }
  return servers;
}

std::string MoneyText(int64_t micros) {
  std::string text =
      fmt::format("{}.{:06}", micros / kMicrosPerUnit, micros % kMicrosPerUnit);
  while (text.back() == '0') {
    text.pop_back();
  }
  if (text.back() == '.') {
    text.pop_back();
  }
  return text;
}

std::string WriteRequests(const std::vector<Request>& requests) {
  std::string yaml = "requests:\n";
  for (const Request& request : requests) {
    yaml += fmt::format(
        "  - {{name: {}, app: {}, replicas: {}, rate: {}, sla: {{quantile: "
        "p{:.6g}, delay_ms: {}}}, pay: {}",
        YamlScalar(request.name), YamlScalar(request.app), request.replicas,
        request.rate_per_s, request.sla.quantile * 100,
        FormatMs(request.sla.delay_ns), MoneyText(request.pay_micros));
    if (request.memory_bytes) {
      yaml += fmt::format(", memory: {}", *request.memory_bytes);
    }
    if (!request.image.empty()) {
      yaml += ", image: " + YamlScalar(request.image);
    }
    yaml += "}\n";
  }
  return yaml;
}

std::string WriteServers(const std::vector<Server>& servers) {
  std::string yaml = "servers:\n";
  for (const Server& server : servers) {
    yaml +=
        fmt::format("  - {{name: {}, rank: {}, memory: {}",
                    YamlScalar(server.name), server.rank, server.memory_bytes);
    if (!server.cpus.empty()) {
      yaml += ", cpus: \"" + FormatCpuList(server.cpus) + "\"";
    }
    if (server.idle_watts) {
      yaml += fmt::format(", idle_watts: {}", *server.idle_watts);
    }
    if (server.busy_watts) {
      yaml += fmt::format(", busy_watts: {}", *server.busy_watts);
    }
    yaml += "}\n";
  }
  return yaml;
}

}  // namespace edgewise::orchestration
