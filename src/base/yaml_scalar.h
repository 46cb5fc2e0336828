// Texts as YAML scalars.
#ifndef EDGEWISE_BASE_YAML_SCALAR_H_
#define EDGEWISE_BASE_YAML_SCALAR_H_

#include <string>
#include <string_view>

namespace edgewise {

// A text as YAML: plain where no reader can take it for anything else, else in
// quotes.
std::string YamlScalar(std::string_view text);

}  // namespace edgewise

#endif  // EDGEWISE_BASE_YAML_SCALAR_H_
