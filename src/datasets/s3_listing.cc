#include "datasets/s3_listing.h"

#include <optional>

#include "base/text.h"
#include "datasets/s3_xml.h"

namespace edgewise {
namespace {

using Kind = XmlReader::Event::Kind;

Error NoListing() {
  return {ErrorCode::kCorrupt,
          "the object store answers with no list of objects: check that its "
          "address (AWS_ENDPOINT_URL) is one of an S3-compatible store"};
}

// Calls visit(PATH, TEXT) when an element ends; PATH names it and what it lies
// in. False where the text is no XML.
template <typename Visit>
bool ForEachElement(std::string_view xml, Visit visit) {
  XmlReader reader(xml);
  std::vector<std::string> path;
  std::string text;
  while (const auto event = reader.Next()) {
    switch (event->kind) {
      case Kind::kOpen:
        path.push_back(event->text);
        text.clear();
        break;
      case Kind::kText:
        text += event->text;
        break;
      case Kind::kClose:
        if (path.empty() || path.back() != event->text) {
          return false;
        }
        visit(path, text);
        path.pop_back();
        text.clear();
        break;
    }
  }
  return reader.AtProperEnd();
}

}  // namespace

Result<S3Page> ParseS3Page(std::string_view xml) {
  S3Page page;
  S3Object object;
  bool is_listing = false;
  bool is_whole = true;
  bool is_truncated = false;
  std::optional<int64_t> bytes;
  const bool is_xml = ForEachElement(
      xml, [&](const std::vector<std::string>& path, const std::string& text) {
        if (path.front() != "ListBucketResult") {
          return;
        }
        is_listing = true;
        const std::string& name = path.back();
        if (path.size() == 3 && path[1] == "Contents") {
          if (name == "Key") {
            object.key = text;
          } else if (name == "ETag") {
            object.etag = text;
          } else if (name == "Size") {
            bytes = ParseInt(text);
          }
        } else if (path.size() == 2 && name == "Contents") {
          is_whole = is_whole && !object.key.empty() && bytes && *bytes >= 0;
          object.bytes = bytes.value_or(0);
          page.objects.push_back(std::exchange(object, {}));
          bytes.reset();
        } else if (path.size() == 2 && name == "NextContinuationToken") {
          page.next_token = text;
        } else if (path.size() == 2 && name == "IsTruncated") {
          is_truncated = text == "true";
        }
      });
  if (!is_xml || !is_listing || !is_whole ||
      (is_truncated && page.next_token.empty())) {
    return NoListing();
  }
  if (!is_truncated) {
    page.next_token.clear();
  }
  return page;
}

S3Failure ParseS3Failure(std::string_view xml) {
  S3Failure failure;
  ForEachElement(
      xml, [&](const std::vector<std::string>& path, const std::string& text) {
        if (path.size() != 2 || path.front() != "Error") {
          return;
        }
        if (path.back() == "Code") {
          failure.code = text;
        } else if (path.back() == "Message") {
          failure.message = text;
        } else if (path.back() == "Region") {
          failure.region = text;
        }
      });
  return failure;
}

}  // namespace edgewise
