// How large the last-level cache is.
#ifndef EDGEWISE_STRESS_CACHE_SIZE_H_
#define EDGEWISE_STRESS_CACHE_SIZE_H_

#include <cstdint>
#include <filesystem>
#include <optional>

namespace edgewise {

inline constexpr int64_t kCacheLineBytes = 64;
// Taken where the kernel does not tell, as on several small boards.
inline constexpr int64_t kUsualCacheBytes = int64_t{1} << 20;

// The largest data cache of the highest level that core 0 has, from
// SYS/devices/system/cpu/cpu0/cache; nullopt where the kernel does not tell.
std::optional<int64_t> LastLevelCacheBytes(
    const std::filesystem::path& sys_root = "/sys");

}  // namespace edgewise

#endif  // EDGEWISE_STRESS_CACHE_SIZE_H_
