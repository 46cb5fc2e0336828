// ProjectFolder: what lies in a project's folder that a bundle collects.
//
// The room `project` knows what such a folder starts with (starter.h) and what
// is delivered from it (bundle.h). It must not know how Runs are made.
#ifndef EDGEWISE_PROJECT_PROJECT_FOLDER_H_
#define EDGEWISE_PROJECT_PROJECT_FOLDER_H_

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "cards/card.h"
#include "project/zip_archive.h"
#include "scheduling/plan.h"

namespace edgewise {

struct ProjectCard {
  ArchivedFile file;
  Card card;
};

struct ProjectPlan {
  ArchivedFile file;
  Plan plan;
};

// Names are relative to the folder; each list is in their order.
struct ProjectFolder {
  std::vector<ProjectCard> cards;   // cards/*.yaml, cards/*.yml
  std::vector<ProjectPlan> plans;   // plan*.yaml, plan/*.yaml
  std::vector<ArchivedFile> logs;   // logs/*.csv, profile_log*.csv
  std::vector<ArchivedFile> plots;  // plots/**: .svg, .png, .jpg, .jpeg
  // What was left out, and why: one sentence each.
  std::vector<std::string> problems;
};

// A file that cannot be read, or is no card or plan, is a problem and no error;
// only a folder that is not there is one. Links out of the folder are followed,
// pipes and devices are not read.
Result<ProjectFolder> ReadProjectFolder(const std::filesystem::path& folder);

}  // namespace edgewise

#endif  // EDGEWISE_PROJECT_PROJECT_FOLDER_H_
