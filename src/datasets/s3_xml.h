// XmlReader: as much of XML as object stores write.
#ifndef EDGEWISE_DATASETS_S3_XML_H_
#define EDGEWISE_DATASETS_S3_XML_H_

#include <optional>
#include <string>
#include <string_view>

namespace edgewise {

// Elements and text, in turn. Attributes, comments, instructions and prefixes
// of names are passed over; entities are resolved, unknown ones stay. The text
// must outlive it.
class XmlReader {
 public:
  explicit XmlReader(std::string_view text) : rest_(text) {}

  struct Event {
    enum class Kind { kOpen, kClose, kText };
    Kind kind = Kind::kText;
    std::string text;  // the element's name, or text
  };
  // nullopt: the end, or no XML any more.
  std::optional<Event> Next();
  // Whether the end came where it should: outside all elements.
  bool AtProperEnd() const { return rest_.empty() && depth_ == 0 && !failed_; }

 private:
  std::optional<Event> Fail();
  std::optional<Event> Tag();

  std::string_view rest_;
  int depth_ = 0;
  bool failed_ = false;
  std::string pending_close_;  // of <element/>
};

}  // namespace edgewise

#endif  // EDGEWISE_DATASETS_S3_XML_H_
