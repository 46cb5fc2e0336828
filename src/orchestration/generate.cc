#include "orchestration/generate.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/text.h"
#include "base/units.h"
#include "stats/random.h"

namespace edgewise::orchestration {
namespace {

constexpr int kRequestsPerServer = 15;
constexpr double kQuantiles[] = {0.75, 0.95, 0.99};
// A promise is one that can be kept so surely, with some delay to spare.
constexpr double kConfidence = 0.9;
constexpr double kSpare = 1.01;
// Where pressures hardly let anything fit.
constexpr int kMostDraws = 1000;

Error Wrong(std::string_view part, const std::string& what) {
  return {ErrorCode::kInvalid, "--generate: \"" + std::string(part) + "\" " +
                                   what +
                                   "; write servers=10,requests=150,"
                                   "memory=32GiB,low_rank=0.5,seed=1"};
}

Result<void> TakePart(std::string_view part, GenerateSettings& settings,
                      bool& requests_given) {
  const size_t equals = part.find('=');
  if (equals == std::string_view::npos) {
    return Wrong(part, "is no NAME=VALUE");
  }
  const std::string_view name = part.substr(0, equals);
  const std::string_view value = part.substr(equals + 1);
  if (name == "servers" || name == "requests") {
    const auto count = ParseInt(value);
    const auto most =
        static_cast<int64_t>(name == "servers" ? kMostServers : kMostRequests);
    if (!count || *count < 1 || *count > most) {
      return Wrong(part, "needs a number from 1 to " + std::to_string(most));
    }
    (name == "servers" ? settings.servers : settings.requests) =
        static_cast<int>(*count);
    requests_given |= name == "requests";
  } else if (name == "memory") {
    const auto bytes = ParseBytes(value);
    if (!bytes || *bytes > kMostMemory) {
      return Wrong(part, "is no size of memory up to 32TiB");
    }
    settings.memory_bytes = *bytes;
  } else if (name == "low_rank") {
    const auto share = ParseDouble(value);
    if (!share || !(*share >= 0 && *share <= 1)) {
      return Wrong(part, "needs a share from 0 to 1");
    }
    settings.low_rank = *share;
  } else if (name == "seed") {
    const auto seed = ParseUint(value);
    if (!seed) {
      return Wrong(part, "needs a whole number");
    }
    settings.seed = *seed;
  } else {
    return Wrong(part, "is not known");
  }
  return {};
}

// The best of the servers, when it is empty.
struct Best {
  int rank = 0;
  int64_t memory_bytes = 0;
};

// `fits`: whether the best server could hold it.
Request MakeRequest(const Predictor& predictor, const Best& best,
                    stats::Random& random, bool& fits) {
  Load load;
  load.app = random.Below(predictor.AppNames().size());
  load.replicas = 1 + static_cast<int>(random.Below(4));
  load.rate_per_s = 1 + random.Below(5);
  Request request;
  request.app = predictor.AppNames()[load.app];
  request.replicas = load.replicas;
  request.rate_per_s = load.rate_per_s;
  request.sla.quantile = kQuantiles[random.Below(3)];
  const double factor = 1.3 + 2.7 * random.Uniform();
  const auto alone = predictor.Predict(load, 0, 0, request.sla.quantile, 0.5);
  const auto own = predictor.Predict(load, best.rank,
                                     predictor.Felt(load.app, load, best.rank),
                                     request.sla.quantile, kConfidence);
  fits = alone && own &&
         predictor.MemoryBytes(load.app).value_or(0) <=
             best.memory_bytes / load.replicas;
  const double ms = fits ? std::max(alone->estimate_ns / 1e6 * factor,
                                    own->high_ns / 1e6 * kSpare)
                         : 1000;
  request.sla.delay_ns = static_cast<int64_t>(std::ceil(ms * 10) * 1e5);
  const double work = predictor.BusyShare(load, 0) * 100;
  const double cents = std::ceil(100 * work * (0.5 + random.Uniform()));
  request.pay_micros =
      static_cast<int64_t>(std::max(1.0, cents)) * (kMicrosPerUnit / 100);
  return request;
}

}  // namespace

Result<GenerateSettings> ParseGenerate(std::string_view text) {
  GenerateSettings settings;
  bool requests_given = false;
  for (const std::string_view part : Split(text, ',')) {
    if (const auto taken = TakePart(Trim(part), settings, requests_given);
        !taken) {
      return taken.error();
    }
  }
  if (!requests_given) {
    settings.requests = kRequestsPerServer * settings.servers;
  }
  if (static_cast<size_t>(settings.requests) > kMostRequests) {
    return Wrong(text, "makes more than 100,000 requests");
  }
  return settings;
}

Instance Generate(const GenerateSettings& settings,
                  const Predictor& predictor) {
  stats::Random random(settings.seed);
  Instance instance;
  const int low =
      static_cast<int>(std::lround(settings.servers * settings.low_rank));
  for (int i = 0; i < settings.servers; ++i) {
    Server server;
    server.name = "server" + std::to_string(i + 1);
    server.rank = i < settings.servers - low ? 0 : 1;
    server.memory_bytes = settings.memory_bytes;
    server.idle_watts = server.rank == 0 ? 60 : 35;
    server.busy_watts = server.rank == 0 ? 180 : 90;
    instance.servers.push_back(std::move(server));
  }
  const Best best{low < settings.servers ? 0 : 1, settings.memory_bytes};
  for (int i = 0; i < settings.requests; ++i) {
    Request request;
    bool fits = false;
    for (int draw = 0; draw < kMostDraws && !fits; ++draw) {
      request = MakeRequest(predictor, best, random, fits);
    }
    request.name = "request" + std::to_string(i + 1);
    instance.requests.push_back(std::move(request));
  }
  return instance;
}

}  // namespace edgewise::orchestration
