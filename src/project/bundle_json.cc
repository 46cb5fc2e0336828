#include <nlohmann/json.hpp>

#include "project/bundle.h"

namespace edgewise {

std::string BundleJson(const Bundle& bundle) {
  using Json = nlohmann::ordered_json;
  Json json;
  json["name"] = bundle.name;
  json["headline"] = BundleHeadline(bundle);
  json["complete"] = MissingOf(bundle).empty();
  json["deliverables"] = Json::array();
  for (const Deliverable& each : bundle.deliverables) {
    Json one;
    one["title"] = each.title;
    one["optional"] = each.optional;
    one["there"] = each.there;
    one["summary"] = each.summary;
    one["runs"] = each.runs;
    one["commands"] = each.commands;
    one["files"] = Json::array();
    for (const ArchivedFile& file : each.files) {
      one["files"].push_back(file.name);
    }
    json["deliverables"].push_back(std::move(one));
  }
  json["runs"] = Json::array();
  for (const Run& run : bundle.runs) {
    json["runs"].push_back(run.id);
  }
  json["files"] = Json::array({std::string(kBundlePage)});
  for (const ArchivedFile& file : bundle.files) {
    json["files"].push_back(file.name);
  }
  json["warnings"] = bundle.warnings;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace edgewise
