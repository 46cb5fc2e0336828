#include <algorithm>
#include <set>

#include "base/text.h"
#include "base/units.h"
#include "base/yaml_reader.h"
#include "jobs/job_rules.h"

namespace edgewise {
namespace {

constexpr double kMostQueued = 100000;
constexpr int64_t kMostLogBytes = int64_t{64} << 20;

void TakeMounts(YamlReader& reader, const YamlNode& item,
                std::vector<AllowedMount>& mounts) {
  auto mount = ParseAllowedMount(item.Scalar());
  if (mount) {
    mounts.push_back(std::move(*mount));
  } else {
    reader.Refuse(item, mount.error().message);
  }
}

void TakeSlot(YamlReader& reader, const YamlNode& item, JobRules& rules) {
  const auto cores = ParseCpuList(item.Scalar());
  if (!cores) {
    reader.Refuse(item, cores.error().message);
    return;
  }
  for (const std::vector<int>& other : rules.slots) {
    for (const int core : *cores) {
      if (std::find(other.begin(), other.end(), core) != other.end()) {
        reader.Refuse(item, "core " + std::to_string(core) +
                                " is in two slots: jobs would disturb each "
                                "other");
        return;
      }
    }
  }
  rules.slots.push_back(*cores);
}

YamlReader::Take WholeNumber(YamlReader& reader, int64_t& number) {
  return reader.WithNumber(1, kMostQueued, [&number](double value) {
    number = static_cast<int64_t>(value);
  });
}

}  // namespace

Result<AllowedMount> ParseAllowedMount(std::string_view text) {
  AllowedMount mount;
  if (text.ends_with(":rw")) {
    mount.writable = true;
    text.remove_suffix(3);
  } else if (text.ends_with(":ro")) {
    text.remove_suffix(3);
  }
  mount.path = std::filesystem::path(text).lexically_normal();
  if (!mount.path.is_absolute()) {
    return Error{ErrorCode::kInvalid,
                 "\"" + std::string(text) +
                     "\" is no absolute path: write /folder or /folder:rw"};
  }
  return mount;
}

Result<JobRules> ReadJobRules(std::string_view yaml,
                              const std::string& origin) {
  const auto root = ReadYaml(yaml, origin, "configuration of jobs");
  if (!root) {
    return root.error();
  }
  YamlReader reader(origin);
  JobRules rules;
  std::string folder;
  reader.ReadMap(*root, "a configuration of jobs",
                 {{"images", reader.Texts(rules.images)},
                  {"mounts", reader.Each([&](const YamlNode& item) {
                     TakeMounts(reader, item, rules.mounts);
                   })},
                  {"data", reader.Texts(rules.data)},
                  {"devices", reader.Texts(rules.devices)},
                  {"networks", reader.Texts(rules.networks)},
                  {"commands", reader.Flag(rules.commands)},
                  {"folder", reader.Text(folder)},
                  {"queue", WholeNumber(reader, rules.queue_limit)},
                  {"keep", WholeNumber(reader, rules.keep)},
                  {"log",
                   [&](std::string_view, const YamlNode& value) {
                     const auto bytes = ParseBytes(value.Scalar());
                     if (bytes && *bytes <= kMostLogBytes) {
                       rules.log_bytes = *bytes;
                     } else {
                       reader.Refuse(value,
                                     bytes ? "log: at most 64MiB"
                                           : "log: " + bytes.error().message);
                     }
                   }},
                  {"slots", reader.Each([&](const YamlNode& item) {
                     TakeSlot(reader, item, rules);
                   })}});
  rules.folder = folder;
  if (!reader.problem() && !folder.empty() && !rules.folder.is_absolute()) {
    reader.Refuse(*root, "folder must be an absolute path");
  }
  if (reader.problem()) {
    return *reader.problem();
  }
  return rules;
}

}  // namespace edgewise
