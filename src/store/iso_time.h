// Time stamps as ISO 8601 text.
#ifndef EDGEWISE_STORE_ISO_TIME_H_
#define EDGEWISE_STORE_ISO_TIME_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace edgewise {

// UTC nanoseconds of "2024-07-09T13:31:31.123456Z" and its relatives: a blank
// for the T, any number of decimals (cut at nine), an offset such as +02:00 or
// none for UTC. Years 1970 to 2199; nullopt for anything else.
std::optional<int64_t> ParseIsoUtcNs(std::string_view text);

}  // namespace edgewise

#endif  // EDGEWISE_STORE_ISO_TIME_H_
