// What a Kubernetes scheduler asks its extender (ExtenderArgs of
// k8s.io/kube-scheduler/extender/v1), and how it is answered.
#ifndef EDGEWISE_SERVER_EXTENDER_ARGS_H_
#define EDGEWISE_SERVER_EXTENDER_ARGS_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "server/problem.h"

namespace edgewise {

struct ExtenderArgs {
  std::string pod;                                 // "default/camera-7d9"
  std::map<std::string, std::string> annotations;  // of the pod
  std::vector<std::string> nodes;                  // names
  // The nodes as they were sent, each as JSON; empty if only names were.
  std::vector<std::string> node_objects;
  bool names_only = false;
};

// Members are found whatever their case, as Go does it.
OrProblem<ExtenderArgs> ReadExtenderArgs(std::string_view json);

// What is said of one node.
struct NodeVerdict {
  bool fits = false;
  // Not even if everything else left the node.
  bool hopeless = false;
  std::string why_not;  // empty if it fits
  int score = 0;        // 0 to 10
};

// ExtenderFilterResult; verdicts are in the order of args.nodes.
std::string FilterResultJson(const ExtenderArgs& args,
                             const std::vector<NodeVerdict>& verdicts);
// The same where nothing can be said: the scheduler tries again later.
std::string FilterErrorJson(std::string_view why);
// HostPriorityList.
std::string PrioritiesJson(const ExtenderArgs& args,
                           const std::vector<NodeVerdict>& verdicts);

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_EXTENDER_ARGS_H_
