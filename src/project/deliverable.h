// Deliverable: one of the things that a project hands in, with where it comes
// from and how it is made again.
#ifndef EDGEWISE_PROJECT_DELIVERABLE_H_
#define EDGEWISE_PROJECT_DELIVERABLE_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "project/chosen_runs.h"
#include "project/project_folder.h"
#include "project/zip_archive.h"
#include "report/experiment_page.h"
#include "store/store.h"

namespace edgewise {

struct Deliverable {
  std::string title;
  bool optional = false;
  bool there = false;
  std::string summary;  // what there is, or why there is nothing; sentences
  std::vector<std::string> runs;      // ids that it comes from
  std::vector<std::string> commands;  // that make it again, or that would
  // A first one without a heading stands under the title.
  std::vector<PageSection> sections;
  std::vector<ArchivedFile> files;
  std::vector<std::string> warnings;
};

// Where deliverables come from; all must outlive what is made of them.
struct DeliverableSource {
  const Store& store;
  const ProjectFolder& folder;
  const ChosenRuns& runs;
};

// The lab's list, in its order. Errors are those of the store.
Result<Deliverable> CardDeliverable(const DeliverableSource& source);
Result<Deliverable> LogDeliverable(const DeliverableSource& source);
Result<Deliverable> ScalingDeliverable(const DeliverableSource& source);
Result<Deliverable> MqttDeliverable(const DeliverableSource& source);
Result<Deliverable> PlanDeliverable(const DeliverableSource& source);
Result<Deliverable> ExecDeliverable(const DeliverableSource& source);
Result<Deliverable> FlameDeliverable(const DeliverableSource& source);
Result<Deliverable> PrecisionDeliverable(const DeliverableSource& source);

}  // namespace edgewise

#endif  // EDGEWISE_PROJECT_DELIVERABLE_H_
