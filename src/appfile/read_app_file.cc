// ReadAppFile: see app_file.h.
#include <algorithm>
#include <set>
#include <utility>

#include "appfile/app_file.h"
#include "appfile/app_parts.h"
#include "base/yaml_reader.h"

namespace edgewise {
namespace {

constexpr size_t kMostTargets = 1000;

class AppReader {
 public:
  explicit AppReader(const std::string& origin)
      : reader_(origin), parts_(reader_) {}

  Result<AppFile> Read(const YamlNode& root);

 private:
  // This program's own form.
  void ReadOwn(const YamlNode& root);
  // `profiling:` within a description with other keys, which are ignored.
  void ReadRepository(const YamlNode& root, const YamlNode& profiling);
  // Called when all that the targets share is read.
  void ReadTargets(const YamlNode& root);
  AppTarget ReadTarget(const YamlNode& item);
  void CheckTargets(const YamlNode& root);

  YamlReader reader_;
  AppParts parts_;
  AppFile app_;
  AppTarget shared_;
  std::vector<const YamlNode*> target_items_;
  bool zero_is_none_ = false;
};

const YamlNode* Find(const YamlNode& map, std::string_view key) {
  for (const auto& [name, value] : map.entries()) {
    if (name.Scalar() == key) {
      return &value;
    }
  }
  return nullptr;
}

void AppReader::ReadOwn(const YamlNode& root) {
  reader_.ReadMap(root, "an app file",
                  {{"name", parts_.Name(app_.name)},
                   {"version", reader_.Text(app_.version)},
                   {"image", parts_.Image(app_.image)},
                   {"command", parts_.Words(app_.command)},
                   {"args", parts_.Words(shared_.args)},
                   {"engine", reader_.Word(app_.engine, ParseEngineChoice,
                                           "auto, podman or docker")},
                   {"engine_args", parts_.Words(app_.engine_args)},
                   {"data", parts_.Data(shared_.data)},
                   {"env", parts_.Environment(shared_.env)},
                   {"ready", parts_.Ready(app_.ready)},
                   {"needs", parts_.Companions(app_.needs)},
                   {"network", parts_.Network(app_.network)},
                   {"limits", parts_.LimitsOf(app_.limits)},
                   {"timeout", parts_.Duration(shared_.timeout_ns, false)},
                   {"metrics", parts_.Metrics(app_)},
                   {"targets", reader_.Each([this](const YamlNode& item) {
                      target_items_.push_back(&item);
                    })}});
  if (app_.image.empty() == app_.command.empty()) {
    reader_.Refuse(root, "an app file needs either `image` or `command`");
  }
}

void AppReader::ReadRepository(const YamlNode& root,
                               const YamlNode& profiling) {
  zero_is_none_ = true;
  for (const auto& [key, take] :
       YamlReader::Keys{{"name", parts_.Name(app_.name)},
                        {"version", reader_.Text(app_.version)},
                        {"image", parts_.Image(app_.image)}}) {
    if (const YamlNode* value = Find(root, key)) {
      take(key, *value);
    }
  }
  reader_.ReadMap(profiling, "`profiling`",
                  {{"image", parts_.Image(app_.image)},
                   {"command", parts_.Words(app_.command)},
                   {"dataset", parts_.Data(shared_.data)},
                   {"metrics", parts_.Metrics(app_)},
                   {"targets", reader_.Each([this](const YamlNode& item) {
                      target_items_.push_back(&item);
                    })}});
}

AppTarget AppReader::ReadTarget(const YamlNode& item) {
  AppTarget target = shared_;
  reader_.ReadMap(
      item, "a target",
      {{"name", parts_.Name(target.name)},
       {"args", parts_.Words(target.args)},
       {"env", parts_.Environment(target.env)},
       {"data", parts_.Data(target.data)},
       {"timeout", parts_.Duration(target.timeout_ns, zero_is_none_)}});
  return target;
}

void AppReader::ReadTargets(const YamlNode& root) {
  if (target_items_.size() > kMostTargets) {
    reader_.Refuse(root, "there are more than 1000 targets");
    return;
  }
  for (const YamlNode* item : target_items_) {
    app_.targets.push_back(ReadTarget(*item));
    if (app_.targets.back().name.empty() && target_items_.size() > 1) {
      app_.targets.back().name = std::to_string(app_.targets.size());
    }
  }
  if (app_.targets.empty()) {
    app_.targets.push_back(shared_);
  }
}

void AppReader::CheckTargets(const YamlNode& root) {
  std::set<std::string> names;
  for (const AppTarget& target : app_.targets) {
    if (!names.insert(target.name).second) {
      reader_.Refuse(root, "the target " + target.name + " is there twice");
    }
    const bool uses_data = std::any_of(
        target.args.begin(), target.args.end(), [](const auto& arg) {
          return arg.find("{data}") != std::string::npos;
        });
    if (uses_data && !target.data) {
      reader_.Refuse(root,
                     "`args` uses {data}, but there is no `data`: say where "
                     "the dataset comes from");
    }
  }
}

Result<AppFile> AppReader::Read(const YamlNode& root) {
  const YamlNode* profiling = Find(root, "profiling");
  if (profiling != nullptr) {
    ReadRepository(root, *profiling);
  } else {
    ReadOwn(root);
  }
  if (app_.name.empty()) {
    reader_.Refuse(root, "an app file needs a `name`");
  }
  if (!reader_.problem()) {
    ReadTargets(root);
  }
  CheckTargets(root);
  if (reader_.problem()) {
    return *reader_.problem();
  }
  return app_;
}

}  // namespace

Result<AppFile> ReadAppFile(std::string_view yaml, const std::string& origin) {
  const auto root = ReadYaml(yaml, origin, "app file");
  if (!root) {
    return root.error();
  }
  return AppReader(origin).Read(*root);
}

}  // namespace edgewise
