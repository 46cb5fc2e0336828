// YAML texts as a tree of nodes with their lines, within bounds: what cards and
// plans are read from. The one place that knows a YAML library.
#ifndef EDGEWISE_BASE_YAML_TREE_H_
#define EDGEWISE_BASE_YAML_TREE_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace edgewise {

class YamlNode {
 public:
  bool IsNull() const { return kind_ == Kind::kNull; }
  bool IsScalar() const { return kind_ == Kind::kScalar; }
  bool IsSequence() const { return kind_ == Kind::kSequence; }
  bool IsMap() const { return kind_ == Kind::kMap; }

  int line() const { return line_; }  // of the text, from 1
  // Of a scalar, without its quotes; else empty.
  const std::string& Scalar() const { return scalar_; }
  // Of a sequence; else empty.
  const std::vector<YamlNode>& items() const { return items_; }
  // Of a map, in order, keys as they are (also twice); else empty.
  const std::vector<std::pair<YamlNode, YamlNode>>& entries() const {
    return entries_;
  }
  // As YAML on one line.
  std::string InFlow() const;

 private:
  friend class YamlTreeBuilder;
  friend class YamlTreeEmitter;
  enum class Kind { kNull, kScalar, kSequence, kMap };

  Kind kind_ = Kind::kNull;
  int line_ = 0;
  std::string tag_;  // as written: empty for most
  std::string scalar_;
  std::vector<YamlNode> items_;
  std::vector<std::pair<YamlNode, YamlNode>> entries_;
};

// `origin` is the file's name for messages ("cards/app.yaml:3: …"), `what` what
// it should hold: "card". Refused: bytes that are not
// UTF-8 text, more than `most_mib`, nothing or more than one document, aliases,
// and nesting more than 16 deep.
Result<YamlNode> ReadYaml(std::string_view yaml, std::string_view origin,
                          std::string_view what, size_t most_mib = 1);

}  // namespace edgewise

#endif  // EDGEWISE_BASE_YAML_TREE_H_
