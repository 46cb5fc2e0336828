#include "base/yaml_tree.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <sstream>

#include "base/utf8.h"

namespace edgewise {

// Copies a tree of the library's.
class YamlTreeBuilder {
 public:
  static YamlNode Build(const YAML::Node& from) {
    YamlNode node;
    node.line_ = from.Mark().line + 1;
    node.source_ = std::make_shared<const YAML::Node>(from);
    switch (from.Type()) {
      case YAML::NodeType::Scalar:
        node.kind_ = YamlNode::Kind::kScalar;
        node.scalar_ = from.Scalar();
        break;
      case YAML::NodeType::Sequence:
        node.kind_ = YamlNode::Kind::kSequence;
        for (const YAML::Node& item : from) {
          node.items_.push_back(Build(item));
        }
        break;
      case YAML::NodeType::Map:
        node.kind_ = YamlNode::Kind::kMap;
        for (const auto& entry : from) {
          node.entries_.emplace_back(Build(entry.first), Build(entry.second));
        }
        break;
      case YAML::NodeType::Null:
      case YAML::NodeType::Undefined:
        break;
    }
    return node;
  }
};

namespace {

constexpr int kMaxDepth = 16;

// Looks at a document before it is built: how deep it nests, and whether it
// uses aliases, with which a small file can stand for a huge one.
class Inspector : public YAML::EventHandler {
 public:
  explicit Inspector(std::string_view what) : what_(what) {}

  // What is wrong with the document; empty if nothing is.
  const std::string& problem() const { return problem_; }
  int line() const { return line_; }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    Note(mark, fmt::format("aliases (*name) are not allowed in a {}; write the "
                           "value out",
                           what_));
  }
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark& mark, const std::string&,
                       YAML::anchor_t, YAML::EmitterStyle::value) override {
    Deeper(mark);
  }
  void OnSequenceEnd() override { --depth_; }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    Deeper(mark);
  }
  void OnMapEnd() override { --depth_; }

 private:
  void Note(const YAML::Mark& mark, std::string problem) {
    if (problem_.empty()) {
      problem_ = std::move(problem);
      line_ = mark.line + 1;
    }
  }
  void Deeper(const YAML::Mark& mark) {
    if (++depth_ > kMaxDepth) {
      Note(mark, fmt::format("nested more than {} deep", kMaxDepth));
    }
  }

  std::string what_;
  int depth_ = 0;
  int line_ = 0;
  std::string problem_;
};

// Where the first byte is that YAML does not allow: yaml-cpp takes some of them
// for marks of its own.
size_t FindNotText(std::string_view yaml) {
  const auto is_control = [](unsigned char c) {
    return (c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0x7F;
  };
  const auto control = std::find_if(yaml.begin(), yaml.end(), is_control);
  return std::min(FindNotUtf8(yaml),
                  static_cast<size_t>(control - yaml.begin()));
}

Error Invalid(std::string message) {
  return Error{ErrorCode::kInvalid, std::move(message)};
}

Result<YamlNode> Parse(std::string_view yaml, std::string_view origin,
                       std::string_view what) {
  std::istringstream in{std::string(yaml)};
  YAML::Parser parser(in);
  Inspector inspector(what);
  if (!parser.HandleNextDocument(inspector)) {
    return Invalid(
        fmt::format("{}:1: the {} is empty; it needs at least "
                    "`name: …`",
                    origin, what));
  }
  if (!inspector.problem().empty()) {
    return Invalid(fmt::format("{}:{}: {}", origin, inspector.line(),
                               inspector.problem()));
  }
  if (parser.HandleNextDocument(inspector)) {
    return Invalid(fmt::format(
        "{}: there is a second document (after ---); one file holds one {}",
        origin, what));
  }
  return YamlTreeBuilder::Build(YAML::Load(std::string(yaml)));
}

}  // namespace

std::string YamlNode::InFlow() const {
  YAML::Emitter out;
  out.SetMapFormat(YAML::Flow);
  out.SetSeqFormat(YAML::Flow);
  if (source_ != nullptr) {
    out << *static_cast<const YAML::Node*>(source_.get());
  }
  return out.c_str();
}

Result<YamlNode> ReadYaml(std::string_view yaml, std::string_view origin,
                          std::string_view what, size_t most_mib) {
  if (yaml.size() > most_mib << 20) {
    return Invalid(fmt::format("{} has more than {} MiB; that is no {}", origin,
                               most_mib, what));
  }
  if (const size_t at = FindNotText(yaml); at < yaml.size()) {
    const auto line = 1 + std::count(yaml.begin(), yaml.begin() + at, '\n');
    return Invalid(
        fmt::format("{}:{}: there are bytes that are not UTF-8 "
                    "text; save the {} as UTF-8",
                    origin, line, what));
  }
  try {
    return Parse(yaml, origin, what);
  } catch (const YAML::Exception& error) {
    return Invalid(fmt::format("{}:{}: this is no YAML: {}", origin,
                               error.mark.line + 1, error.msg));
  }
}

}  // namespace edgewise
