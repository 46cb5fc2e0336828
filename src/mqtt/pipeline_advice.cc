// What a measurement of the pipeline says, in sentences.
#include <algorithm>
#include <cmath>
#include <string>

#include "base/text.h"
#include "base/units.h"
#include "mqtt/pipeline_report.h"

namespace edgewise::mqtt {
namespace {

// A broker that waits for answers before it sends on (Nagle's algorithm with
// delayed acknowledgements) shows as transport times of milliseconds.
constexpr double kSlowTransportNs = 1e6;
constexpr double kHidden = 0.8;

std::string Duration(double ns) { return FormatDuration(ns); }

std::string Percent(double share) {
  return std::to_string(std::llround(share * 100)) + "%";
}

std::optional<double> Median(const PipelineCell& cell, Stage stage) {
  const StageFigures* const figures = cell.Find(stage);
  return figures != nullptr && figures->ns.p50
             ? std::optional(figures->ns.p50->value)
             : std::nullopt;
}

void SayLargest(const PipelineCell& cell, std::vector<std::string>* to) {
  const StageFigures* largest = nullptr;
  for (const StageFigures& each : cell.stages) {
    if (each.share &&
        (largest == nullptr || each.share->value > largest->share->value)) {
      largest = &each;
    }
  }
  auto total = Median(cell, Stage::kTotal);
  const std::string from =
      total ? " from when it was due" : " from its publish call";
  total = total ? total : Median(cell, Stage::kNaive);
  if (largest == nullptr || !total) {
    return;
  }
  to->push_back(cell.name + ": a message takes " + Duration(*total) + from +
                " (p50); the largest share, " + Percent(largest->share->value) +
                ", is \"" + StageName(largest->stage) + "\" (" +
                std::string(StageText(largest->stage)) + ").");
}

std::string OfThem(const char* what, std::optional<int64_t> count) {
  return count.value_or(0) > 0 ? "; " + FormatCount(*count) + " " + what : "";
}

void SayLosses(const PipelineCell& cell, std::vector<std::string>* to) {
  const MessageAccount& account = cell.account;
  if (account.lost.value_or(0) > 0) {
    to->push_back(
        cell.name + ": " + FormatCount(*account.lost) + " of " +
        FormatCount(*account.sent, "message") + " never came" +
        OfThem("were due without a connection", account.refused) +
        OfThem("were dropped by the processor's full queue", account.dropped) +
        OfThem("failed in the work", account.failed) +
        OfThem("were refused by the broker", account.rejected) +
        OfThem("results could not be published", account.unreplied) + ".");
  }
  if (account.unsent.value_or(0) > 0) {
    to->push_back(cell.name + ": " + FormatCount(*account.unsent, "message") +
                  " could not be published at all before time was over: the "
                  "rate is more than this path carries.");
  }
  if (account.duplicated.value_or(0) > 0) {
    to->push_back(
        cell.name + ": " + FormatCount(*account.duplicated) +
        " came more than once, as " +
        (cell.qos == "1" ? "QoS 1 may" : "happens when a broker forgets") +
        "; consumers must expect it.");
  }
}

void SayHidden(const PipelineCell& cell, std::vector<std::string>* to) {
  const StageFigures* const total = cell.Find(Stage::kTotal);
  const StageFigures* const naive = cell.Find(Stage::kNaive);
  if (total == nullptr || naive == nullptr || !total->ns.p99 ||
      !naive->ns.p99 ||
      naive->ns.p99->value >= kHidden * total->ns.p99->value) {
    return;
  }
  to->push_back(cell.name + ": counted from the publish call p99 would be " +
                Duration(naive->ns.p99->value) +
                "; from when messages were due it is " +
                Duration(total->ns.p99->value) +
                ". The difference is what a stalled producer hides.");
}

void SayTransport(const PipelineCell& cell, std::vector<std::string>* to) {
  const auto detail = [&cell](const char* name) {
    const auto found = cell.run.details.find(name);
    return found != cell.run.details.end() ? found->second : std::string();
  };
  if (detail("tcp_nodelay") == "no") {
    to->push_back(cell.name +
                  ": TCP_NODELAY is off on the producer's connection; small "
                  "messages wait for each other.");
  }
  const auto way = Median(cell, Stage::kToConsumer);
  const std::string broker = detail("broker");
  if (way && *way > kSlowTransportNs && cell.impairment == "none" &&
      (broker.starts_with("localhost") || broker.starts_with("127.")) &&
      detail("broker_version").find("mosquitto") != std::string::npos &&
      broker.find("(its own)") == std::string::npos) {
    to->push_back(
        cell.name + ": " + Duration(*way) +
        " from the broker next door is long; mosquitto waits for "
        "acknowledgements before it sends on unless its configuration has "
        "set_tcp_nodelay true.");
  }
}

// Whether the kernel impaired, or a proxy that models what it cannot do.
void SayMeans(const PipelineCell& cell, std::vector<std::string>* to) {
  const auto how = cell.run.details.find("impaired_how");
  if (how == cell.run.details.end()) {
    return;
  }
  const std::string sentence = cell.impairment + ": " + how->second;
  if (std::find(to->begin(), to->end(), sentence) == to->end()) {
    to->push_back(sentence);
  }
}

void SayClocks(const PipelineCell& cell, std::vector<std::string>* to) {
  const MessageAccount& account = cell.account;
  // Negative times are of single stages, whose bounds differ.
  std::optional<double> bound_ns;
  for (const StageFigures& stage : cell.stages) {
    if (stage.bound_ns) {
      bound_ns = std::max(bound_ns.value_or(0), *stage.bound_ns);
    }
  }
  if (account.negative.value_or(0) > 0 && account.most_negative_ns) {
    const double least = -*account.most_negative_ns;
    std::string sentence = cell.name + ": " +
                           FormatCount(*account.negative, "one-way time") +
                           " came out negative, by " + Duration(least) +
                           " at most, and count as 0: ";
    if (bound_ns && least <= *bound_ns) {
      sentence +=
          "that is within what the clocks of the hosts may be wrong by "
          "(±" +
          Duration(*bound_ns) + ").";
    } else if (bound_ns) {
      sentence += "the clocks disagree by more than the exchange allows (±" +
                  Duration(*bound_ns) +
                  "); one of them was probably set during the measurement.";
    } else {
      sentence +=
          "the wall clocks of the programs disagree; one-way times are only as "
          "good as these.";
    }
    to->push_back(std::move(sentence));
  }
  if (account.unplaced.value_or(0) > 0) {
    to->push_back(cell.name + ": " + FormatCount(*account.unplaced, "message") +
                  " of other hosts came before anything was known of their "
                  "clocks, and are in no figure.");
  }
}

}  // namespace

std::vector<std::string> PipelineAdvice(const PipelineReport& report) {
  std::vector<std::string> sentences;
  for (const PipelineCell& cell : report.cells) {
    SayLargest(cell, &sentences);
  }
  for (const PipelineCell& cell : report.cells) {
    SayLosses(cell, &sentences);
    SayHidden(cell, &sentences);
    SayTransport(cell, &sentences);
    SayClocks(cell, &sentences);
    SayMeans(cell, &sentences);
    if (cell.account.foreign.value_or(0) > 0) {
      sentences.push_back(cell.name + ": " +
                          FormatCount(*cell.account.foreign, "message") +
                          " on the topic were not ours, and are ignored.");
    }
  }
  return sentences;
}

}  // namespace edgewise::mqtt
