// Names of functions as people write them.
#ifndef EDGEWISE_SYMBOLS_DEMANGLE_H_
#define EDGEWISE_SYMBOLS_DEMANGLE_H_

#include <string>
#include <string_view>

namespace edgewise::symbols {

// C++ and Rust (both manglings) without parameter lists and without Rust's
// hash, template arguments kept; what compilers and linkers append (".cold",
// ".constprop.0", "@@GLIBC_2.14") left out. Other names come back as they are.
// Names of absurd length are cut.
std::string Demangle(std::string_view symbol);

}  // namespace edgewise::symbols

#endif  // EDGEWISE_SYMBOLS_DEMANGLE_H_
