#include "sensor/serve.h"

#include <edgewise/edgewise.hpp>
#include <exception>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/units.h"
#include "load/stop.h"

namespace edgewise::apps {
namespace {

constexpr char kItemName[] = "message";

// What is published for one message.
std::string Answer(int64_t index, const Result<uint32_t>& checksum,
                   int64_t waited_and_worked_ns) {
  nlohmann::ordered_json json;
  json["index"] = index;
  if (checksum) {
    json["checksum"] = FormatChecksum(*checksum);
  } else {
    json["error"] = checksum.error().message;
  }
  json["latency_ms"] =
      static_cast<double>(waited_and_worked_ns) / static_cast<double>(kNsPerMs);
  return json.dump(-1, ' ', false,
                   nlohmann::ordered_json::error_handler_t::replace);
}

// The checksum of this message's results alone.
Result<uint32_t> WorkOn(const std::string& payload, Work& work) {
  // Whoever sends a message that a library chokes on must not end the app.
  try {
    Checksum checksum;
    if (const auto taken = work.Take(payload); !taken) {
      return taken.error();
    }
    if (const auto done = work.Process(checksum); !done) {
      return done.error();
    }
    return checksum.value();
  } catch (const std::exception& error) {
    return Error{ErrorCode::kInvalid, error.what()};
  }
}

}  // namespace

Result<Outcome> Serve(const LoadOptions& options, Broker& broker,
                      Feeder* feeder, const std::string& answers_topic,
                      Work& work) {
  Outcome outcome;
  Checksum all;
  Rate fps("fps");
  int64_t rejected = 0;
  int64_t unanswered = 0;
  if (options.deadline_ns) {
    outcome.deadline_misses = 0;
  }
  const int64_t begin_ns = MonotonicNs();
  int64_t first_ns = 0;
  int64_t last_end_ns = 0;
  while (!StopRequested() && outcome.items + rejected != options.items &&
         (!options.duration_ns ||
          MonotonicNs() - begin_ns < *options.duration_ns)) {
    const auto message = broker.Wait();
    if (!message) {
      if (feeder != nullptr && feeder->error()) {
        return *feeder->error();
      }
      continue;
    }
    const uint64_t cpu_start_ns = edgewise_thread_cpu_ns();
    ItemTimes times;
    times.start_ns = MonotonicNs();
    times.intended_start_ns = message->arrival_ns;
    if (feeder != nullptr) {
      times.intended_start_ns =
          feeder->IntendedNs(message->payload).value_or(message->arrival_ns);
    }
    if (first_ns == 0) {
      first_ns = times.start_ns;
    }
    const auto checksum = WorkOn(message->payload, work);
    const std::string answer = Answer(outcome.items + rejected, checksum,
                                      MonotonicNs() - times.intended_start_ns);
    {
      EDGEWISE_MEASURE("publish");
      if (!broker.Publish(answers_topic, answer)) {
        ++unanswered;
        continue;
      }
    }
    if (!checksum) {
      ++rejected;
      continue;
    }
    times.end_ns = MonotonicNs();
    times.cpu_ns =
        static_cast<int64_t>(edgewise_thread_cpu_ns() - cpu_start_ns);
    if (RecordItem(kItemName, times, options.deadline_ns)) {
      ++*outcome.deadline_misses;
    }
    fps.Tick();
    all.Add(*checksum);
    ++outcome.items;
    last_end_ns = times.end_ns;
  }
  if (outcome.items > 0) {
    outcome.elapsed_s = static_cast<double>(last_end_ns - first_ns) /
                        static_cast<double>(kNsPerSecond);
  }
  outcome.checksum = all.value();
  outcome.facts.emplace_back("rejected", rejected);
  outcome.facts.emplace_back("unanswered", unanswered);
  outcome.facts.emplace_back("dropped", broker.dropped());
  if (rejected > 0) {
    outcome.notes.push_back(FormatCount(rejected, "message") +
                            " could not be read and got an error as answer");
  }
  return outcome;
}

}  // namespace edgewise::apps
