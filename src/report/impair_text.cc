#include "report/impair_text.h"

#include "base/units.h"
#include "report/figures.h"
#include "report/json_writer.h"
#include "report/paragraphs.h"
#include "stats/proportion.h"

namespace edgewise {
namespace {

// "12 of 1,000 (1.2%, 0.69% to 2.1%)".
std::string LostText(const ProxyCounts& counts) {
  if (counts.segments == 0) {
    return std::string(kUnknown);
  }
  const auto lost = static_cast<double>(counts.lost_segments);
  const auto all = static_cast<double>(counts.segments);
  const stats::Interval share = stats::WilsonInterval(lost, all);
  return FormatCount(counts.lost_segments) + " of " +
         FormatCount(counts.segments) + " (" + PercentText(100 * lost / all) +
         ", " + PercentText(100 * share.low) + " to " +
         PercentText(100 * share.high) + ")";
}

}  // namespace

std::string ImpairText(const ProxyCounts& counts, ImpairMeans means,
                       const TextStyle& style) {
  const auto bytes = [](int64_t count) {
    return FormatBytes(static_cast<double>(count));
  };
  std::vector<Fact> facts;
  facts.push_back({"connections", {FormatCount(counts.connections)}, {}});
  if (counts.disconnects + counts.refused > 0) {
    facts.back().pieces.push_back(FormatCount(counts.disconnects) +
                                  " reset on schedule");
    facts.back().pieces.push_back(FormatCount(counts.refused) + " refused");
  }
  if (counts.upstream_failures > 0) {
    facts.back().pieces.push_back(FormatCount(counts.upstream_failures) +
                                  " without server (" +
                                  counts.last_upstream_error + ")");
  }
  facts.push_back({"carried",
                   {bytes(counts.bytes_to_upstream) + " to the server",
                    bytes(counts.bytes_to_client) + " to clients"},
                   {}});
  facts.push_back(
      {means == ImpairMeans::kNetem ? "packets lost" : "segments lost",
       {LostText(counts)},
       {}});
  const stats::Sketch& delays = counts.added_delay_ns;
  if (delays.count() > 0) {
    facts.push_back({"added delay",
                     {"p50 " + FormatDuration(*delays.Quantile(0.5)),
                      "p99 " + FormatDuration(*delays.Quantile(0.99)),
                      "max " + FormatDuration(*delays.max())},
                     {}});
  }
  return FactLines(facts, style);
}

std::string ImpairJson(const ProxyCounts& counts, ImpairMeans means) {
  const stats::Sketch& delays = counts.added_delay_ns;
  const bool known = counts.segments > 0;
  return JsonObject()
      .AddString("means", ImpairMeansName(means))
      .AddInt("connections", counts.connections)
      .AddInt("bytes_to_server", counts.bytes_to_upstream)
      .AddInt("bytes_to_clients", counts.bytes_to_client)
      .Add("segments", known ? std::to_string(counts.segments) : "null")
      .Add("lost_segments",
           known ? std::to_string(counts.lost_segments) : "null")
      .AddInt("disconnects", counts.disconnects)
      .AddInt("refused", counts.refused)
      .AddInt("server_failures", counts.upstream_failures)
      .AddString("last_server_error", counts.last_upstream_error)
      .AddNumber("added_delay_p50_ns", delays.Quantile(0.5))
      .AddNumber("added_delay_p99_ns", delays.Quantile(0.99))
      .AddNumber("added_delay_max_ns", delays.max())
      .text();
}

}  // namespace edgewise
