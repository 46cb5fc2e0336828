// The starter folder: sample pipelines, a script for every step, and places
// for what comes out.
#ifndef EDGEWISE_PROJECT_STARTER_H_
#define EDGEWISE_PROJECT_STARTER_H_

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace edgewise {

struct StarterFile {
  std::string_view path;  // within the folder
  std::string_view content;
};

// What share/init had when edgewise was built.
std::span<const StarterFile> StarterFiles();

struct StarterOutcome {
  std::vector<std::string> made;  // folders end with "/"
  std::vector<std::string> same;  // were there, with the same content
  // Were there with other content, which they keep.
  std::vector<std::string> kept;
};

// Makes the folder, or fills it up: no file that is there is ever changed.
// Refused: a path that is a file; a folder with something in it, unless `into`.
Result<StarterOutcome> MakeStarter(const std::filesystem::path& folder,
                                   bool into);

}  // namespace edgewise

#endif  // EDGEWISE_PROJECT_STARTER_H_
