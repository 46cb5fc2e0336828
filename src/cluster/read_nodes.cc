#include "cluster/read_nodes.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace edgewise::cluster {
namespace {

const std::vector<Sample>& Of(const Answers& answers, Series series) {
  return answers[static_cast<size_t>(series)];
}

std::string WithoutPort(const std::string& instance) {
  const size_t colon = instance.rfind(':');
  const bool is_port =
      colon != std::string::npos && colon + 1 < instance.size() &&
      instance.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  return is_port ? instance.substr(0, colon) : instance;
}

// The names under which an instance of node exporter may be known as a node.
class InstanceNames {
 public:
  explicit InstanceNames(const std::vector<Sample>& host_names) {
    for (const Sample& sample : host_names) {
      host_names_[sample.Label("instance")] = sample.Label("nodename");
    }
  }
  // Values of a series by every name its instances have; the plainest wins.
  std::map<std::string, double> ByName(
      const std::vector<Sample>& samples) const {
    std::map<std::string, double> values;
    for (const Sample& sample : samples) {
      values[sample.Label("instance")] = sample.value;
    }
    const std::map<std::string, double> by_instance = values;
    for (const auto& [instance, value] : by_instance) {
      values.emplace(WithoutPort(instance), value);
    }
    for (const auto& [instance, value] : by_instance) {
      const auto host = host_names_.find(instance);
      if (host != host_names_.end() && !host->second.empty()) {
        values.emplace(host->second, value);
      }
    }
    return values;
  }

 private:
  std::map<std::string, std::string> host_names_;
};

std::optional<double> Find(const std::map<std::string, double>& values,
                           const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? std::nullopt : std::optional(found->second);
}

std::map<std::string, NodeState> NamedNodes(const Answers& answers) {
  std::map<std::string, NodeState> nodes;
  std::map<std::string, double> newest;
  const auto time_of = [&](const Sample& device) {
    for (const Sample& time : Of(answers, Series::kDeviceTime)) {
      if (time.Label("char_node_uuid") == device.Label("char_node_uuid") &&
          time.Label("char_node_name") == device.Label("char_node_name")) {
        return time.value;
      }
    }
    return 0.0;
  };
  for (const Sample& sample : Of(answers, Series::kDevice)) {
    const std::string name = sample.Label("char_node_name");
    const double time = time_of(sample);
    // Of several (an agent that was replaced), the newest is the node's.
    if (name.empty() || (nodes.contains(name) && newest[name] >= time)) {
      continue;
    }
    newest[name] = time;
    NodeState& node = nodes[name];
    node.name = name;
    node.uuid = sample.Label("char_node_uuid");
    node.device_class = sample.Label("char_node_class");
    node.device_model = sample.Label("char_node_device_model_name");
    if (time > 0) {
      node.age_s = std::max(0.0, sample.time_s - time);
    }
  }
  return nodes;
}

void AddCharacteristics(const Answers& answers,
                        std::map<std::string, NodeState>& nodes) {
  for (const Sample& sample : Of(answers, Series::kMemoryTotal)) {
    const auto node = nodes.find(sample.Label("char_node_name"));
    if (node != nodes.end() && sample.value > 0) {
      node->second.memory_total_bytes = sample.value;
    }
  }
  for (const Sample& sample : Of(answers, Series::kCores)) {
    const auto node = nodes.find(sample.Label("char_node_name"));
    if (node != nodes.end() && sample.value >= 1 && sample.value < 1e5) {
      node->second.cores = static_cast<int>(sample.value);
      node->second.cpu_brand = sample.LabelEndingWith("brand");
      node->second.architecture = sample.LabelEndingWith("arch");
    }
  }
}

std::optional<double> Percent(std::optional<double> share) {
  return share ? std::optional(std::clamp(*share, 0.0, 1.0) * 100)
               : std::nullopt;
}

void AddLoad(const Answers& answers, std::map<std::string, NodeState>& nodes) {
  const InstanceNames names(Of(answers, Series::kHostNames));
  const auto busy = names.ByName(Of(answers, Series::kCpuBusy));
  const auto memory = names.ByName(Of(answers, Series::kMemoryAvailable));
  const auto disk = names.ByName(Of(answers, Series::kDiskUsed));
  const auto& times = Of(answers, Series::kLoadTime);
  const auto ages = names.ByName(times);
  const double now_s = times.empty() ? 0 : times.front().time_s;
  for (auto& [name, node] : nodes) {
    node.cpu_busy_percent = Percent(Find(busy, name));
    node.disk_used_percent = Percent(Find(disk, name));
    node.memory_available_bytes = Find(memory, name);
    if (const auto time = Find(ages, name)) {
      node.age_s = std::max(node.age_s.value_or(0), now_s - *time);
    }
  }
}

}  // namespace

std::string QueryFor(Series series, const std::string& window) {
  switch (series) {
    case Series::kDevice:
      return "char_node_device_model";
    case Series::kDeviceTime:
      return "timestamp(char_node_device_model)";
    case Series::kMemoryTotal:
      return "char_node_ram_total_bytes";
    case Series::kCores:
      return "char_node_cpu_total_cores";
    case Series::kCpuBusy:
      // Idle time as a share of all modes' time, not of the clock's: of series
      // that are younger than the window, rate() makes too little of both.
      return "1 - sum by (instance) "
             "(rate(node_cpu_seconds_total{mode=\"idle\"}[" +
             window + "])) / sum by (instance) (rate(node_cpu_seconds_total[" +
             window + "]))";
    case Series::kLoadTime:
      return "max by (instance) "
             "(timestamp(node_cpu_seconds_total{mode=\"idle\"}))";
    case Series::kMemoryAvailable:
      return "min by (instance) (node_memory_MemAvailable_bytes)";
    case Series::kDiskUsed:
      return "max by (instance) (1 - "
             "node_filesystem_avail_bytes{mountpoint=\"/\"} / "
             "node_filesystem_size_bytes{mountpoint=\"/\"})";
    case Series::kHostNames:
      return "node_uname_info";
  }
  return "";
}

std::vector<NodeState> NodesFrom(const Answers& answers) {
  std::map<std::string, NodeState> nodes = NamedNodes(answers);
  AddCharacteristics(answers, nodes);
  AddLoad(answers, nodes);
  std::vector<NodeState> list;
  for (auto& [name, node] : nodes) {
    list.push_back(std::move(node));
  }
  return list;
}

}  // namespace edgewise::cluster
