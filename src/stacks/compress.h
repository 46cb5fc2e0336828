// Compressing bytes in memory, by zlib.
#ifndef EDGEWISE_STACKS_COMPRESS_H_
#define EDGEWISE_STACKS_COMPRESS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace edgewise::stacks {

// A zlib stream (RFC 1950).
std::string Deflated(std::string_view bytes);
// What was deflated; nullopt unless it is a whole stream of exactly
// `expected_bytes`. Never takes more memory than that, and refuses sizes that
// no stream of this length can have.
std::optional<std::string> Inflated(std::string_view deflated,
                                    size_t expected_bytes);
// A gzip file (RFC 1952) without name and time, so that equal bytes give
// equal files.
std::string Gzipped(std::string_view bytes);

}  // namespace edgewise::stacks

#endif  // EDGEWISE_STACKS_COMPRESS_H_
