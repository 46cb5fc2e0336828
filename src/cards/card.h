// Card: what one app needs on one kind of machine, as YAML for people and for
// scheduling.
//
// The room `cards` knows how Runs become a Card and how a Card is written
// down; it must not know how Runs are made or plans computed. The lab's eight
// keys come first; a card written by hand with these alone is complete.
// docs/formats/card.md describes every key.
#ifndef EDGEWISE_CARDS_CARD_H_
#define EDGEWISE_CARDS_CARD_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cards/resources.h"

namespace edgewise {

// What wcet_ms is.
enum class WcetKind {
  kUnstated,       // written by hand, no word on where it comes from
  kObservedMax,    // the largest value seen: no bound on what may come
  kQuantileBound,  // upper bound of a quantile, at a confidence
  kPwcet,          // extreme-value estimate of an exceedance probability
};

// "observed_max", "quantile_bound", "pwcet"; empty for kUnstated.
std::string_view WcetKindName(WcetKind kind);

struct CardQuantile {
  double p = 0;  // 0.99
  double value_ms = 0;
  std::optional<double> low_ms;   // ends of the 95% interval, where the
  std::optional<double> high_ms;  // samples support them
};

// Where the figures come from.
struct CardEvidence {
  std::vector<std::string> runs;  // ids
  std::string span;               // empty: the whole program
  int64_t n = 0;                  // samples
  std::optional<double> n_effective;
  std::vector<CardQuantile> quantiles;
  // Conditions and machine as "key: value", in order.
  std::vector<std::pair<std::string, std::string>> conditions;
  std::vector<std::pair<std::string, std::string>> machine;
};

// How long one item takes, alone or beside others.
struct CardContention {
  std::optional<double> p50_ms;
  std::optional<double> p95_ms;
  std::string beside;             // who; empty: alone
  std::vector<std::string> runs;  // ids
};

struct Card {
  std::string name;
  std::optional<double> period_ms;
  std::optional<double> deadline_ms;
  std::optional<double> wcet_ms;  // of one span or job: wall time, or CPU time
  std::optional<double> avg_ms;
  std::optional<double> rss_mb;             // MiB
  std::optional<double> cpu_share_percent;  // of one core, all threads
  std::string notes;

  // On GPUs; left out for apps that use none.
  std::optional<double> gpu_memory_mb;      // MiB, peak
  std::optional<double> gpu_bandwidth_gbs;  // 10^9 bytes a second, the most

  std::string command;
  // Set where an execution broke a bound that was proven from this card: when,
  // and how. Such a card should be measured again.
  std::string falsified;
  WcetKind wcet_kind = WcetKind::kUnstated;
  std::string wcet_time;  // "wall" or "cpu"; empty: not said
  std::optional<double> wcet_confidence;
  // kQuantileBound: the p of the quantile.
  std::optional<double> wcet_quantile;
  // kObservedMax: at that confidence the next one exceeds it with at most this
  // probability. kPwcet: the probability that it was estimated for.
  std::optional<double> wcet_exceedance;
  std::optional<CardEvidence> evidence;
  std::optional<CardResources> resources;
  std::optional<CardContention> isolated;
  // In the worst company that was measured: what to plan with.
  std::optional<CardContention> contended;
  // Keys that edgewise does not know, with their YAML; written back at the end.
  std::map<std::string, std::string> others;
};

// Reads a card. `origin` is the file's name for messages ("cards/app.yaml:3:
// …"). Refused: no `name`, texts where numbers belong, numbers that are not
// finite and positive (wcet_ms, rss_mb and so on), a deadline or period below
// 0, keys twice, a key that looks like a misspelt one, bytes that are not
// UTF-8 text, more than 1 MiB. `warnings`, if given, is told of keys that are
// not known.
Result<Card> ReadCard(std::string_view yaml, std::string_view origin,
                      std::vector<std::string>* warnings = nullptr);

// YAML with a comment on units on top and keys in a fixed order.
std::string WriteCard(const Card& card);

}  // namespace edgewise

#endif  // EDGEWISE_CARDS_CARD_H_
