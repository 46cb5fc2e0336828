// Blocks: many records of one series as compact bytes.
//
// Column by column, each value as the difference to its predecessor or to a
// neighbouring column, in variable-length integers, with a checksum at the
// end; docs/formats/store.md has the layout with a worked example. Decoding
// trusts nothing: any bytes give either records or an error, and no more
// memory is taken than the bytes can account for.
#ifndef EDGEWISE_STORE_BLOCK_H_
#define EDGEWISE_STORE_BLOCK_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/run.h"

namespace edgewise {

// The most records in one block.
inline constexpr size_t kMaxBlockRecords = 8192;

// At most kMaxBlockRecords records. A negative cpu_ns is stored as -1.
std::string EncodeBlock(std::span<const Span> spans);
std::string EncodeBlock(std::span<const Job> jobs);
std::string EncodeBlock(std::span<const Point> points);

// Appends the records of a block to `records`, which is unchanged on error.
Result<void> DecodeBlock(std::string_view bytes, std::vector<Span>& records);
Result<void> DecodeBlock(std::string_view bytes, std::vector<Job>& records);
Result<void> DecodeBlock(std::string_view bytes, std::vector<Point>& records);

}  // namespace edgewise

#endif  // EDGEWISE_STORE_BLOCK_H_
