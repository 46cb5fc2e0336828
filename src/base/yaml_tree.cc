#include "base/yaml_tree.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "base/utf8.h"

namespace edgewise {

// Builds a tree while the library reads, and refuses what nests too deep or
// uses aliases, with which a small file can stand for a huge one.
class YamlTreeBuilder : public YAML::EventHandler {
 public:
  explicit YamlTreeBuilder(std::string_view what) : what_(what) {}

  // What is wrong with the document; empty if nothing is.
  const std::string& problem() const { return problem_; }
  int line() const { return line_; }
  YamlNode TakeRoot() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    Add(Node(YamlNode::Kind::kNull, mark, ""));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    Note(mark, fmt::format("aliases (*name) are not allowed in a {}; write the "
                           "value out",
                           what_));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& value) override {
    YamlNode node = Node(YamlNode::Kind::kScalar, mark, tag);
    node.scalar_ = value;
    Add(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag,
                       YAML::anchor_t, YAML::EmitterStyle::value) override {
    Open(Node(YamlNode::Kind::kSequence, mark, tag), mark);
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag,
                  YAML::anchor_t, YAML::EmitterStyle::value) override {
    Open(Node(YamlNode::Kind::kMap, mark, tag), mark);
  }
  void OnMapEnd() override { Close(); }

 private:
  static constexpr int kMaxDepth = 16;

  // A sequence or map whose end has not come.
  struct Unfinished {
    YamlNode node;
    std::optional<YamlNode> key;  // of a map, until its value comes
  };

  static YamlNode Node(YamlNode::Kind kind, const YAML::Mark& mark,
                       const std::string& tag) {
    YamlNode node;
    node.kind_ = kind;
    node.line_ = mark.line + 1;
    // The library's own for plain and for quoted ones.
    node.tag_ = tag == "?" || tag == "!" ? "" : tag;
    return node;
  }
  void Note(const YAML::Mark& mark, std::string problem) {
    if (problem_.empty()) {
      problem_ = std::move(problem);
      line_ = mark.line + 1;
    }
  }
  // After a problem nothing is kept.
  void Add(YamlNode node) {
    if (!problem_.empty()) {
      return;
    }
    if (unfinished_.empty()) {
      root_ = std::move(node);
      return;
    }
    Unfinished& in = unfinished_.back();
    if (in.node.IsSequence()) {
      in.node.items_.push_back(std::move(node));
    } else if (!in.key) {
      in.key = std::move(node);
    } else {
      in.node.entries_.emplace_back(std::move(*in.key), std::move(node));
      in.key.reset();
    }
  }
  void Open(YamlNode node, const YAML::Mark& mark) {
    if (unfinished_.size() == kMaxDepth) {
      Note(mark, fmt::format("nested more than {} deep", kMaxDepth));
    }
    if (problem_.empty()) {
      unfinished_.push_back({std::move(node), std::nullopt});
    }
  }
  void Close() {
    if (problem_.empty()) {
      YamlNode node = std::move(unfinished_.back().node);
      unfinished_.pop_back();
      Add(std::move(node));
    }
  }

  std::string what_;
  std::vector<Unfinished> unfinished_;
  YamlNode root_;
  int line_ = 0;
  std::string problem_;
};

class YamlTreeEmitter {
 public:
  static void Emit(const YamlNode& node, YAML::Emitter& out) {
    if (!node.tag_.empty()) {
      out << YAML::VerbatimTag(node.tag_);
    }
    switch (node.kind_) {
      case YamlNode::Kind::kNull:
        out << YAML::Null;
        break;
      case YamlNode::Kind::kScalar:
        out << node.scalar_;
        break;
      case YamlNode::Kind::kSequence:
        out << YAML::BeginSeq;
        for (const YamlNode& item : node.items_) {
          Emit(item, out);
        }
        out << YAML::EndSeq;
        break;
      case YamlNode::Kind::kMap:
        out << YAML::BeginMap;
        for (const auto& [key, value] : node.entries_) {
          out << YAML::Key;
          Emit(key, out);
          out << YAML::Value;
          Emit(value, out);
        }
        out << YAML::EndMap;
        break;
    }
  }
};

namespace {

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
  YamlTreeBuilder builder(what);
  if (!parser.HandleNextDocument(builder)) {
    return Invalid(
        fmt::format("{}:1: the {} is empty; it needs at least "
                    "`name: …`",
                    origin, what));
  }
  if (!builder.problem().empty()) {
    return Invalid(
        fmt::format("{}:{}: {}", origin, builder.line(), builder.problem()));
  }
  YamlTreeBuilder second(what);
  if (parser.HandleNextDocument(second)) {
    return Invalid(fmt::format(
        "{}: there is a second document (after ---); one file holds one {}",
        origin, what));
  }
  return builder.TakeRoot();
}

}  // namespace

std::string YamlNode::InFlow() const {
  YAML::Emitter out;
  out.SetMapFormat(YAML::Flow);
  out.SetSeqFormat(YAML::Flow);
  YamlTreeEmitter::Emit(*this, out);
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
