#include "server/cluster_view.h"

#include <charconv>
#include <cmath>

#include "base/text.h"
#include "report/json_text.h"
#include "report/json_writer.h"

namespace edgewise {
namespace {

constexpr size_t kReasonsShown = 3;
constexpr int kDigits = 6;
constexpr size_t kBytesPerNode = 240;

// Six significant digits, without a string of its own: there are hundreds in
// an answer.
void AppendSeconds(std::optional<double> ms, std::string& json) {
  if (!ms || !std::isfinite(*ms)) {
    json += "null";
    return;
  }
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, *ms / 1000,
                                 std::chars_format::general, kDigits);
  json.append(digits, end.ptr);
}

void AppendRanking(const ClusterView& view,
                   const std::vector<RankedNode>& ranking, std::string& json) {
  json += '[';
  for (const RankedNode& ranked : ranking) {
    json += &ranked == &ranking.front() ? "{" : ",{";
    json += view.cluster->ranked_members[ranked.node];
    json += ",\"basis\":\"";
    json += BasisName(ranked.basis);
    json += "\",\"predicted_execution_time\":";
    AppendSeconds(ranked.ms, json);
    if (ranked.low_ms && ranked.high_ms) {
      json += ",\"interval_90\":[";
      AppendSeconds(ranked.low_ms, json);
      json += ',';
      AppendSeconds(ranked.high_ms, json);
      json += ']';
    } else {
      json += ",\"interval_90\":null";
    }
    if (ranked.why_not.empty()) {
      json += ",\"placeable\":true}";
    } else {
      json += ",\"placeable\":false,\"why_not\":";
      json += JsonString(ranked.why_not);
      json += "}";
    }
  }
  json += ']';
}

}  // namespace

PreparedCluster::PreparedCluster(
    std::shared_ptr<const cluster::ClusterState> state,
    const Hardware& hardware, const PlacementRules& rules)
    : placement(std::move(state), hardware, rules) {
  for (const cluster::NodeState& node : placement.state().nodes) {
    std::string text = JsonObject()
                           .AddString("class", node.device_class)
                           .AddString("device_model", Trim(node.device_model))
                           .AddString("node", node.name)
                           .AddString("node_uuid", node.uuid)
                           .text();
    members.push_back(text.substr(1, text.size() - 2));
    text = JsonObject()
               .AddString("node", node.name)
               .AddString("device_model", Trim(node.device_model))
               .text();
    ranked_members.push_back(text.substr(1, text.size() - 2));
  }
}

std::string SecondsJson(double ms) {
  std::string json = JsonNumber(ms / 1000);
  if (json.find_first_of(".en") == std::string::npos) {
    json += ".0";
  }
  return json;
}

std::string IntervalJson(std::optional<double> low_ms,
                         std::optional<double> high_ms) {
  return low_ms && high_ms ? "[" + JsonFigure(*low_ms / 1000) + "," +
                                 JsonFigure(*high_ms / 1000) + "]"
                           : "null";
}

std::string RankingJson(const ClusterView& view,
                        const std::vector<RankedNode>& ranking) {
  std::string json;
  json.reserve(ranking.size() * kBytesPerNode);
  AppendRanking(view, ranking, json);
  return json;
}

std::string PlacementJson(const ClusterView& view,
                          const std::vector<RankedNode>& ranking,
                          const std::string& model) {
  const RankedNode& best = ranking.front();
  const cluster::NodeState& node =
      view.cluster->placement.state().nodes[best.node];
  JsonObject more;
  more.AddString("basis", BasisName(best.basis))
      .Add("interval_90", IntervalJson(best.low_ms, best.high_ms))
      .Add("load_assumed", best.load_assumed ? "true" : "false")
      .AddNumber("metrics_age_s", view.age_s + node.age_s.value_or(0))
      .AddString("model", model)
      .Add("out_of_distribution", best.out_of_distribution ? "true" : "false")
      .Add("predicted_execution_time", SecondsJson(*best.ms));
  if (!view.warning.empty()) {
    more.AddString("warning", view.warning);
  }
  std::string json;
  json.reserve((ranking.size() + 4) * kBytesPerNode);
  json += more.text();
  json.back() = ',';  // goes on
  json += view.cluster->members[best.node];
  json += ",\"ranking\":";
  AppendRanking(view, ranking, json);
  json += '}';
  return json;
}

std::string WhyNoneFits(const ClusterView& view,
                        const std::vector<RankedNode>& ranking) {
  std::vector<std::string> reasons;
  for (const RankedNode& ranked : ranking) {
    if (reasons.size() == kReasonsShown) {
      reasons.push_back(std::to_string(ranking.size() - kReasonsShown) +
                        " more");
      break;
    }
    reasons.push_back(view.cluster->placement.state().nodes[ranked.node].name +
                      ": " + ranked.why_not);
  }
  return Join(reasons, "; ");
}

}  // namespace edgewise
