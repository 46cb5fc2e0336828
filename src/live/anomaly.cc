#include "live/anomaly.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "base/units.h"

namespace edgewise::live {
namespace {

std::string Percent(double value) {
  return std::to_string(static_cast<int64_t>(value + 0.5)) + "%";
}

// What the card allows for the p95 of a span; nullopt if it does not say.
struct Allowed {
  double ns = 0;
  std::string what;
};
std::optional<Allowed> AllowedP95(const Card& card) {
  if (card.evidence) {
    for (const CardQuantile& quantile : card.evidence->quantiles) {
      if (quantile.p == 0.95) {
        return Allowed{quantile.high_ms.value_or(quantile.value_ms) * 1e6,
                       "the card's p95"};
      }
    }
  }
  if (card.deadline_ms && *card.deadline_ms > 0) {
    return Allowed{*card.deadline_ms * 1e6, "the card's deadline"};
  }
  if (card.wcet_ms) {
    return Allowed{*card.wcet_ms * 1e6, "the card's worst case"};
  }
  return std::nullopt;
}

// The span that the card is about: named, or the only one.
const LiveMetric* SpanOf(const LiveApp& app, const Card& card) {
  const LiveMetric* found = nullptr;
  for (const auto& [key, metric] : app.metrics) {
    if (!metric->is_duration()) {
      continue;
    }
    if (card.evidence && metric->name() == card.evidence->span) {
      return metric.get();
    }
    if (found != nullptr) {
      return nullptr;  // several; nobody says which
    }
    found = metric.get();
  }
  return !card.evidence || card.evidence->span.empty() ? found : nullptr;
}

// Of an app that grows towards what its card says; above it, it is marked as
// such.
std::optional<Anomaly> GrowthTowards(const LiveApp& app, double card_bytes) {
  const std::optional<MemoryGrowth> growth = app.memory.Growth();
  if (!growth) {
    return std::nullopt;
  }
  const double left_s =
      (card_bytes - growth->now_bytes) / growth->bytes_per_s.low;
  if (left_s < 0 || left_s > kGrowthHorizon_s) {
    return std::nullopt;
  }
  const auto per_minute = [](double bytes_per_s) {
    return FormatBytes(bytes_per_s * 60);
  };
  return Anomaly{"memory growth",
                 "its memory grew all the time in the last " +
                     FormatDuration(growth->over_s * 1e9) + ", by " +
                     per_minute(growth->bytes_per_s.slope) + " a minute (" +
                     per_minute(growth->bytes_per_s.low) + " to " +
                     per_minute(growth->bytes_per_s.high) + "), and is " +
                     FormatBytes(growth->now_bytes) +
                     "; it would pass the card's " + FormatBytes(card_bytes) +
                     " within " + FormatDuration(left_s * 1e9)};
}

}  // namespace

std::vector<Anomaly> CompareWithCard(const LiveApp& app, const Card& card,
                                     std::optional<double> cpu_percent,
                                     int64_t now_ns) {
  std::vector<Anomaly> anomalies;
  const auto allowed = AllowedP95(card);
  const LiveMetric* span = SpanOf(app, card);
  if (allowed && span != nullptr) {
    const WindowFigures figures = span->rolling().Read(Window::k1min, now_ns);
    if (figures.count >= kLeastSpans && figures.p95->low &&
        *figures.p95->low > allowed->ns) {
      anomalies.push_back(
          {"latency", "p95 of \"" + span->name() + "\" over a minute is " +
                          FormatDuration(figures.p95->value) + " (at least " +
                          FormatDuration(*figures.p95->low) + "), above " +
                          allowed->what + " of " +
                          FormatDuration(allowed->ns)});
    }
  }
  if (card.rss_mb && app.reading && app.reading->processes > 0) {
    const double card_bytes = *card.rss_mb * 1024 * 1024;
    const auto rss = static_cast<double>(app.reading->rss_bytes);
    if (rss > card_bytes * (1 + kResourceMargin)) {
      anomalies.push_back({"memory", "it holds " + FormatBytes(rss) +
                                         ", the card says " +
                                         FormatBytes(card_bytes)});
    } else if (auto growth = GrowthTowards(app, card_bytes)) {
      anomalies.push_back(std::move(*growth));
    }
  }
  if (card.cpu_share_percent && cpu_percent &&
      *cpu_percent > *card.cpu_share_percent * (1 + kResourceMargin)) {
    anomalies.push_back({"cpu", "it uses " + Percent(*cpu_percent) +
                                    " of a core, the card says " +
                                    Percent(*card.cpu_share_percent)});
  }
  return anomalies;
}

Result<std::map<std::string, Card>> ReadCards(
    const std::filesystem::path& folder) {
  std::map<std::string, Card> cards;
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (std::filesystem::directory_iterator at(folder, error), end;
       !error && at != end; at.increment(error)) {
    const std::string ending = at->path().extension();
    if (ending == ".yaml" || ending == ".yml") {
      files.push_back(at->path());
    }
  }
  if (error) {
    return Error{ErrorCode::kNotFound,
                 "the folder of cards " + folder.string() +
                     " cannot be read: " + error.message()};
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    auto text = ReadFile(file);
    if (!text) {
      return text.error();
    }
    auto card = ReadCard(*text, file.string());
    if (!card) {
      return card.error();
    }
    std::string name = card->name;
    cards.insert_or_assign(std::move(name), std::move(*card));
  }
  return cards;
}

}  // namespace edgewise::live
