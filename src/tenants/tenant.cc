#include "tenants/tenant.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/nearest.h"
#include "base/text.h"
#include "tenants/measurements.h"

namespace edgewise::tenants {
namespace {

struct Known {
  const char* name;
  int64_t memory_mib;  // of a replica, with its libraries
  double service_ms;   // on one core of a small machine
};

constexpr int64_t kMiB = int64_t{1} << 20;

constexpr Known kNine[] = {
    {"gcn", 80, 4},         {"forest", 80, 5},        {"lstm", 80, 3},
    {"gru-kalman", 80, 4},  {"mobilenetv3", 160, 11}, {"efficientnet", 170, 18},
    {"mobilevit", 110, 12}, {"bert-small", 130, 10},  {"bert-tiny", 90, 3},
};

Tenant Of(const Known& known) {
  Tenant tenant;
  tenant.name = known.name;
  tenant.service = known.name;
  tenant.memory_bytes = known.memory_mib * kMiB;
  tenant.service_ms_hint = known.service_ms;
  return tenant;
}

std::vector<std::string> ServiceNames() {
  std::vector<std::string> names;
  for (const Known& known : kNine) {
    names.emplace_back(known.name);
  }
  return names;
}

Result<std::vector<Tenant>> FromWord(const std::string& word) {
  if (word == "nine") {
    return NineTenants();
  }
  for (const Known& known : kNine) {
    if (word == known.name) {
      return std::vector<Tenant>{Of(known)};
    }
  }
  const auto text = ReadFile(word);
  if (text) {
    return ReadTenants(*text, word);
  }
  std::vector<std::string> names = ServiceNames();
  names.emplace_back("nine");
  const auto near = Nearest(word, names);
  return Error{ErrorCode::kInvalid,
               "--tenants: there is no file and no service \"" + word + "\"" +
                   (near ? "; did you mean " + *near + "?"
                         : ": write nine, names of services (tenant --list "
                           "shows them), or a tenant.yaml")};
}

}  // namespace

std::optional<std::string> NoService(const std::string& name) {
  const std::vector<std::string> names = ServiceNames();
  if (std::find(names.begin(), names.end(), name) != names.end()) {
    return std::nullopt;
  }
  const auto near = Nearest(name, names);
  return near ? ": did you mean " + *near + "?"
              : ": there are " + Join(names, ", ");
}

std::vector<Tenant> NineTenants() {
  std::vector<Tenant> tenants;
  for (const Known& known : kNine) {
    tenants.push_back(Of(known));
  }
  return tenants;
}

Result<std::vector<Tenant>> TenantsFrom(const std::vector<std::string>& words) {
  std::vector<Tenant> tenants;
  std::set<std::string> names;
  for (const std::string& word : words) {
    for (const std::string_view part : Split(word, ',')) {
      auto some = FromWord(std::string(Trim(part)));
      if (!some) {
        return some.error();
      }
      for (Tenant& tenant : *some) {
        if (!names.insert(tenant.name).second) {
          return Error{ErrorCode::kInvalid,
                       "--tenants: \"" + tenant.name +
                           "\" is there twice: give one of them another name"};
        }
        tenants.push_back(std::move(tenant));
      }
    }
  }
  return tenants;
}

}  // namespace edgewise::tenants
