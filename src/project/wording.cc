#include "project/wording.h"

#include <string_view>

#include "base/text.h"

namespace edgewise {

std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  return text;
}

std::string Sentences(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& each : sentences) {
    const std::string_view sentence = Trim(each);
    if (sentence.empty()) {
      continue;
    }
    text += (text.empty() ? "" : " ") + std::string(sentence);
    if (std::string_view(".!?:").find(sentence.back()) ==
        std::string_view::npos) {
      text += '.';
    }
  }
  return text;
}

}  // namespace edgewise
