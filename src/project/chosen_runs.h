// Which stored Runs belong to a project: those its cards name, and the latest
// experiments of its programs.
#ifndef EDGEWISE_PROJECT_CHOSEN_RUNS_H_
#define EDGEWISE_PROJECT_CHOSEN_RUNS_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "project/project_folder.h"
#include "store/store.h"

namespace edgewise {

// What Run::experiment begins with where messages were measured.
inline constexpr std::string_view kMqttExperiment = "mqtt";

struct ChosenRuns {
  std::vector<Run> evidence;        // that cards name, in their order
  std::vector<std::string> gone;    // that cards name and the store has not
  std::vector<Run> named;           // by the user, other than experiments
  std::vector<std::string> sweeps;  // groups
  // Groups in which some plan was executed, those to be looked at first in
  // front: named ones, then both ways, then the latest.
  std::vector<std::string> executions;
  std::vector<Run> mqtt;  // of one group, in the order in which they were made
  std::vector<Run> sampled;  // with call stacks
};

// The program that a command line is about, for telling whether two are about
// the same: the file's name; of an interpreter that of its script.
std::string ProgramOf(const std::vector<std::string>& command);

// `references` as Store::Find takes them; a Run of an experiment stands for all
// of it. Of sweeps (one of each program and set of knobs) and stacks (one of
// each program) the latest are taken whose program a card is about; without
// any card, the latest of all.
Result<ChosenRuns> ChooseRuns(const Store& store, const ProjectFolder& folder,
                              const std::vector<std::string>& references);

}  // namespace edgewise

#endif  // EDGEWISE_PROJECT_CHOSEN_RUNS_H_
