// Files that survive a crash of who writes them: whole lines are appended, and
// a content is replaced by another or stays.
#ifndef EDGEWISE_TENANTS_CAMPAIGN_FILES_H_
#define EDGEWISE_TENANTS_CAMPAIGN_FILES_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace edgewise::tenants {

// Appends after the last whole line: half a one was cut off by a crash. A new
// file gets its header first. On disk when it returns.
Result<void> AppendLines(const std::filesystem::path& path,
                         std::string_view header, const std::string& lines);

// From the first line that begins with `begin` to the end; nothing if there is
// none.
Result<void> CutFromLine(const std::filesystem::path& path,
                         const std::string& begin);

// The old content or the new one, never a part of it.
Result<void> ReplaceFile(const std::filesystem::path& path,
                         std::string_view content);

}  // namespace edgewise::tenants

#endif  // EDGEWISE_TENANTS_CAMPAIGN_FILES_H_
