// The parts of app files that several of their maps have. Part of the room's
// inside.
#ifndef EDGEWISE_APPFILE_APP_PARTS_H_
#define EDGEWISE_APPFILE_APP_PARTS_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "appfile/app_file.h"
#include "base/yaml_reader.h"

namespace edgewise {

// Takes values into fields as YamlReader does; the reader must outlive what is
// handed out.
class AppParts {
 public:
  explicit AppParts(YamlReader& reader) : reader_(reader) {}

  // Letters, digits, '.', '_' and '-', at most 63: it becomes part of names of
  // containers.
  YamlReader::Take Name(std::string& name);
  // A list of texts, or one text that is split as a shell would.
  YamlReader::Take Words(std::vector<std::string>& words);
  YamlReader::Take Environment(std::map<std::string, std::string>& env);
  YamlReader::Take Image(std::string& image);
  // With a unit; `zero_is_none` allows 0 for no limit at all.
  YamlReader::Take Duration(std::optional<int64_t>& ns, bool zero_is_none);
  YamlReader::Take Ready(std::optional<Readiness>& ready);
  YamlReader::Take LimitsOf(Limits& limits);
  // {source, sha256, mount}, or the source alone.
  YamlReader::Take Data(std::optional<AppData>& data);
  YamlReader::Take Network(Impairment& network);
  YamlReader::Take Metrics(AppFile& app);
  YamlReader::Take Companions(std::vector<Companion>& needs);

 private:
  void TakeCompanion(const YamlNode& item, std::vector<Companion>& needs);

  YamlReader& reader_;
};

}  // namespace edgewise

#endif  // EDGEWISE_APPFILE_APP_PARTS_H_
