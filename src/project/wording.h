// Words for pages: lists and sentences.
#ifndef EDGEWISE_PROJECT_WORDING_H_
#define EDGEWISE_PROJECT_WORDING_H_

#include <string>
#include <vector>

namespace edgewise {

// "a, b and c".
std::string Listed(const std::vector<std::string>& names);
// One paragraph; each of them ends with a full stop.
std::string Sentences(const std::vector<std::string>& sentences);

}  // namespace edgewise

#endif  // EDGEWISE_PROJECT_WORDING_H_
