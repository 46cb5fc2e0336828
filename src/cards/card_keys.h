// The keys of a card's YAML, in the order in which they are written. Private
// to this room.
#ifndef EDGEWISE_CARDS_CARD_KEYS_H_
#define EDGEWISE_CARDS_CARD_KEYS_H_

#include <array>
#include <optional>
#include <string_view>

#include "cards/card.h"

namespace edgewise {

// A key whose value is one number, positive and finite.
struct NumberKey {
  std::string_view key;
  std::optional<double> Card::*field;
  double limit;  // the largest value that makes sense
};

inline constexpr double kNoLimit = 1e15;
inline constexpr std::array<NumberKey, 6> kNeedKeys{{
    {"period_ms", &Card::period_ms, kNoLimit},
    {"deadline_ms", &Card::deadline_ms, kNoLimit},
    {"wcet_ms", &Card::wcet_ms, kNoLimit},
    {"avg_ms", &Card::avg_ms, kNoLimit},
    {"rss_mb", &Card::rss_mb, kNoLimit},
    {"cpu_share_percent", &Card::cpu_share_percent, kNoLimit},
}};
inline constexpr std::array<NumberKey, 2> kGpuKeys{{
    {"gpu_memory_mb", &Card::gpu_memory_mb, kNoLimit},
    {"gpu_bandwidth_gbs", &Card::gpu_bandwidth_gbs, kNoLimit},
}};
inline constexpr std::array<NumberKey, 3> kWcetKeys{{
    {"wcet_confidence", &Card::wcet_confidence, 1},
    {"wcet_quantile", &Card::wcet_quantile, 1},
    {"wcet_exceedance", &Card::wcet_exceedance, 1},
}};

// A key whose value is one text.
struct TextKey {
  std::string_view key;
  std::string Card::*field;
};
inline constexpr std::array<TextKey, 5> kTextKeys{{
    {"name", &Card::name},
    {"notes", &Card::notes},
    {"command", &Card::command},
    {"falsified", &Card::falsified},
    {"wcet_time", &Card::wcet_time},
}};

inline constexpr std::string_view kWcetKindKey = "wcet_kind";
inline constexpr std::string_view kEvidenceKey = "evidence";
inline constexpr std::string_view kResourcesKey = "resources";

// A key whose value is how long items take in some company.
struct ContentionKey {
  std::string_view key;
  std::optional<CardContention> Card::*field;
};
inline constexpr std::array<ContentionKey, 2> kContentionKeys{{
    {"isolated", &Card::isolated},
    {"contended", &Card::contended},
}};

inline constexpr std::array<WcetKind, 3> kStatedKinds{
    WcetKind::kObservedMax, WcetKind::kQuantileBound, WcetKind::kPwcet};

}  // namespace edgewise

#endif  // EDGEWISE_CARDS_CARD_KEYS_H_
