// Names as archives and object stores have them, and whether they stay inside
// the folder that they are put into.
#ifndef EDGEWISE_DATASETS_ENTRY_NAME_H_
#define EDGEWISE_DATASETS_ENTRY_NAME_H_

#include <string>
#include <string_view>

#include "base/result.h"

namespace edgewise {

// `name` as a path below a folder: "./a//b/" is "a/b", and "./" is "". kCorrupt
// for one that leads out of it ("../x", "/etc/passwd") or that no file can
// have; the error begins with the name.
Result<std::string> EntryName(std::string_view name);

// Whether a link under `name` (as EntryName gives it) stays inside whichever
// links it passes: relative, never up but at its beginning, and not too far.
bool LinkStaysInside(std::string_view name, std::string_view target);

}  // namespace edgewise

#endif  // EDGEWISE_DATASETS_ENTRY_NAME_H_
