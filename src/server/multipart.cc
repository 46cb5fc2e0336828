#include "server/multipart.h"

#include <strings.h>

#include <algorithm>

#include "base/text.h"

namespace edgewise {
namespace {

constexpr size_t kMostParts = 32;
constexpr size_t kLongestBoundary = 70;
constexpr size_t kLongestHead = 4096;
constexpr std::string_view kLineEnd = "\r\n";

Problem NotAForm(const std::string& why) {
  return {400, "invalid_form", "", "the form cannot be read: " + why};
}

// The value of NAME=VALUE or NAME="VALUE" among parameters that ";" separates;
// empty if there is none.
std::string ParameterOf(std::string_view header, std::string_view name) {
  for (size_t at = header.find(';'); at != std::string_view::npos;
       at = header.find(';', at + 1)) {
    std::string_view rest = header.substr(at + 1);
    while (rest.starts_with(' ')) {
      rest.remove_prefix(1);
    }
    if (rest.size() <= name.size() || rest[name.size()] != '=' ||
        ::strncasecmp(rest.data(), name.data(), name.size()) != 0) {
      continue;
    }
    rest.remove_prefix(name.size() + 1);
    if (rest.starts_with('"')) {
      rest.remove_prefix(1);
      return std::string(rest.substr(0, rest.find('"')));
    }
    return std::string(Trim(rest.substr(0, rest.find(';'))));
  }
  return "";
}

// What a part's headers say of it.
FormPart HeadOf(std::string_view head) {
  constexpr std::string_view kDisposition = "content-disposition:";
  FormPart part;
  while (!head.empty()) {
    const size_t end = std::min(head.find(kLineEnd), head.size());
    const std::string_view line = head.substr(0, end);
    if (line.size() > kDisposition.size() &&
        ::strncasecmp(line.data(), kDisposition.data(), kDisposition.size()) ==
            0) {
      part.name = ParameterOf(line, "name");
      part.file_name = ParameterOf(line, "filename");
    }
    head.remove_prefix(std::min(head.size(), end + kLineEnd.size()));
  }
  return part;
}

}  // namespace

OrProblem<std::vector<FormPart>> ReadForm(std::string_view content_type,
                                          std::string_view body) {
  const std::string boundary = ParameterOf(content_type, "boundary");
  if (boundary.empty() || boundary.size() > kLongestBoundary) {
    return NotAForm("its content type names no boundary");
  }
  const std::string separator = "\r\n--" + boundary;
  const std::string_view first = std::string_view(separator).substr(2);
  size_t at = body.starts_with(first) ? first.size() : std::string_view::npos;
  if (at == std::string_view::npos) {
    const size_t found = body.find(separator);
    if (found == std::string_view::npos) {
      return NotAForm("its boundary does not occur");
    }
    at = found + separator.size();
  }
  std::vector<FormPart> form;
  while (!body.substr(at).starts_with("--")) {
    const size_t begin = body.find(kLineEnd, at);
    const size_t head_end = body.find("\r\n\r\n", at);
    const size_t end = body.find(separator, at);
    if (begin == std::string_view::npos || head_end == std::string_view::npos ||
        end == std::string_view::npos || head_end + 4 > end + 2 ||
        head_end - at > kLongestHead) {
      return NotAForm("a part of it does not end");
    }
    if (form.size() == kMostParts) {
      return NotAForm("it has more than " + std::to_string(kMostParts) +
                      " parts");
    }
    const size_t head_begin = std::min(begin + 2, head_end);
    FormPart part = HeadOf(body.substr(head_begin, head_end - head_begin));
    const size_t body_begin = head_end + 4;
    part.body = body.substr(body_begin, end - std::min(end, body_begin));
    form.push_back(std::move(part));
    at = end + separator.size();
  }
  return form;
}

const FormPart* FindPart(const std::vector<FormPart>& form,
                         std::string_view name) {
  const auto found =
      std::find_if(form.begin(), form.end(),
                   [name](const FormPart& part) { return part.name == name; });
  return found == form.end() ? nullptr : &*found;
}

}  // namespace edgewise
