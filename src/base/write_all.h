// Writing the whole of something to a descriptor.
#ifndef EDGEWISE_BASE_WRITE_ALL_H_
#define EDGEWISE_BASE_WRITE_ALL_H_

#include <string_view>

namespace edgewise {

// Waits for a descriptor that does not block. 0, or the errno of the write that
// failed; some of the bytes may have gone out before it.
[[nodiscard]] int WriteAll(int fd, std::string_view bytes);

}  // namespace edgewise

#endif  // EDGEWISE_BASE_WRITE_ALL_H_
