// JSON written piece by piece, for files too large to hold in memory.
#ifndef EDGEWISE_REPORT_JSON_TEXT_H_
#define EDGEWISE_REPORT_JSON_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace edgewise {

// The text in quotes, escaped; bytes that are no UTF-8 become U+FFFD.
std::string JsonString(std::string_view text);
// The shortest form that reads back as the same number; null if not finite.
std::string JsonNumber(double value);
// A count of thousandths as a decimal: 1500 is 1.5. Exact, unlike a double.
std::string JsonThousandths(int64_t thousandths);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_JSON_TEXT_H_
