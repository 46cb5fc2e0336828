// Unavailable: something that could not be measured or controlled, and why.
#ifndef EDGEWISE_BASE_UNAVAILABLE_H_
#define EDGEWISE_BASE_UNAVAILABLE_H_

#include <string>

namespace edgewise {

struct Unavailable {
  std::string what;  // "PSS", "cycles"
  std::string why;   // one sentence, with what would help where that is known
};

}  // namespace edgewise

#endif  // EDGEWISE_BASE_UNAVAILABLE_H_
