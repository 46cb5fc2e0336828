#include "store/run_json.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "store/gpu_fields.h"
#include "store/run_names.h"

namespace edgewise {
namespace {

using Json = nlohmann::ordered_json;

// Fields(io, x) calls io(name, field) for every field of x. It is the one
// list of names, used by the writer (x const) and by the reader alike.

template <typename Io, typename T>
requires std::is_same_v<std::remove_const_t<T>, Machine>
void Fields(Io& io, T& machine) {
  io("hostname", machine.hostname);
  io("architecture", machine.architecture);
  io("cpu_model", machine.cpu_model);
  io("board", machine.board);
  io("kernel", machine.kernel);
  io("os", machine.os);
  io("cores", machine.cores);
  io("memory_bytes", machine.memory_bytes);
  io("governor", machine.governor);
  io("virtualization", machine.virtualization);
  io("fingerprint", machine.fingerprint);
}

template <typename Io, typename T>
requires std::is_same_v<std::remove_const_t<T>, Conditions>
void Fields(Io& io, T& conditions) {
  io("cpus", conditions.cpus);
  io("frequency_khz", conditions.frequency_khz);
  io("threads", conditions.threads);
  io("env", conditions.env);
  io("cwd", conditions.cwd);
  io("nice", conditions.nice);
  io("policy", conditions.policy);
  io("cpu_quota_cores", conditions.cpu_quota_cores);
  io("memory_limit_bytes", conditions.memory_limit_bytes);
  io("warmup_ns", conditions.warmup_ns);
  io("duration_ns", conditions.duration_ns);
  io("timeout_ns", conditions.timeout_ns);
  io("sample_hz", conditions.sample_hz);
  io("stack_hz", conditions.stack_hz);
  io("prepare", conditions.prepare);
  io("cleanup", conditions.cleanup);
}

template <typename Io, typename T>
requires std::is_same_v<std::remove_const_t<T>, Totals>
void Fields(Io& io, T& totals) {
  io("wall_s", totals.wall_s);
  io("cpu_user_s", totals.cpu_user_s);
  io("cpu_system_s", totals.cpu_system_s);
  io("max_rss_bytes", totals.max_rss_bytes);
  io("tree_peak_bytes", totals.tree_peak_bytes);
  io("max_pss_bytes", totals.max_pss_bytes);
  io("minor_faults", totals.minor_faults);
  io("major_faults", totals.major_faults);
  io("voluntary_switches", totals.voluntary_switches);
  io("involuntary_switches", totals.involuntary_switches);
  io("migrations", totals.migrations);
  io("run_queue_wait_s", totals.run_queue_wait_s);
  io("block_read_bytes", totals.block_read_bytes);
  io("block_write_bytes", totals.block_write_bytes);
  io("net_receive_bytes", totals.net_receive_bytes);
  io("net_transmit_bytes", totals.net_transmit_bytes);
  io("max_threads", totals.max_threads);
  io("max_processes", totals.max_processes);
  io("throttled_periods", totals.throttled_periods);
  io("throttled_s", totals.throttled_s);
  io("psi_cpu_some_s", totals.psi_cpu_some_s);
  io("psi_memory_some_s", totals.psi_memory_some_s);
  io("psi_io_some_s", totals.psi_io_some_s);
  io("steal_s", totals.steal_s);
  io("energy_j", totals.energy_j);
}

template <typename Io, typename T>
requires std::is_same_v<std::remove_const_t<T>, CounterValue>
void Fields(Io& io, T& counter) {
  io("name", counter.name);
  io("value", counter.value);
  io("running_share", counter.running_share);
}

template <typename Io, typename T>
requires std::is_same_v<std::remove_const_t<T>, ThreadUse>
void Fields(Io& io, T& thread) {
  io("pid", thread.pid);
  io("tid", thread.tid);
  io("name", thread.name);
  io("cpu_s", thread.cpu_s);
  io("run_queue_wait_s", thread.run_queue_wait_s);
  io("affinity", thread.affinity);
}

template <typename Io, typename T>
requires std::is_same_v<std::remove_const_t<T>, ClientAccount>
void Fields(Io& io, T& client) {
  io("pid", client.pid);
  io("name", client.name);
  io("records", client.records);
  io("dropped", client.dropped);
  io("metadata_cut", client.metadata_cut);
  io("open_spans", client.open_spans);
}

template <typename Io, typename T>
requires std::is_same_v<std::remove_const_t<T>, Unavailable>
void Fields(Io& io, T& unavailable) {
  io("what", unavailable.what);
  io("why", unavailable.why);
}

template <typename Io, typename T>
requires std::is_same_v<std::remove_const_t<T>, ProfilerCost>
void Fields(Io& io, T& cost) {
  io("cpu_s", cost.cpu_s);
  io("max_rss_bytes", cost.max_rss_bytes);
}

template <typename Io, typename T>
requires std::is_same_v<std::remove_const_t<T>, Run>
void Fields(Io& io, T& run) {
  io("id", run.id);
  io("group", run.group);
  io("group_role", run.group_role);
  io("experiment", run.experiment);
  io("repeat_index", run.repeat_index);
  io("kind", run.kind);
  io("label", run.label);
  io("note", run.note);
  io("command", run.command);
  io("conditions", run.conditions);
  io("machine", run.machine);
  io("edgewise_version", run.edgewise_version);
  io("state", run.state);
  io("started_utc_ns", run.started_utc_ns);
  io("started_monotonic_ns", run.started_monotonic_ns);
  io("end_reason", run.end_reason);
  io("exit_code", run.exit_code);
  io("signal", run.signal);
  io("totals", run.totals);
  io("counters", run.counters);
  io("threads", run.threads);
  io("clients", run.clients);
  io("output_tail", run.output_tail);
  io("output_bytes", run.output_bytes);
  io("profiler", run.profiler);
  io("gpu", run.gpu);
  io("details", run.details);
  io("unavailable", run.unavailable);
  io("warnings", run.warnings);
}

template <typename T>
Json ToJson(const T& value);

struct Writer {
  Json object = Json::object();
  template <typename T>
  void operator()(const char* name, const T& field) {
    object[name] = ToJson(field);
  }
};

template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <typename T>
struct IsVector : std::false_type {};
template <typename T>
struct IsVector<std::vector<T>> : std::true_type {};
using TextMap = std::map<std::string, std::string>;

template <typename T>
Json ToJson(const T& value) {
  if constexpr (IsOptional<T>::value) {
    return value ? ToJson(*value) : Json(nullptr);
  } else if constexpr (IsVector<T>::value) {
    Json array = Json::array();
    for (const auto& element : value) {
      array.push_back(ToJson(element));
    }
    return array;
  } else if constexpr (std::is_same_v<T, RunState>) {
    return std::string(RunStateName(value));
  } else if constexpr (std::is_same_v<T, EndReason>) {
    return std::string(EndReasonName(value));
  } else if constexpr (std::is_arithmetic_v<T> ||
                       std::is_same_v<T, std::string> ||
                       std::is_same_v<T, TextMap>) {
    return value;
  } else {
    Writer writer;
    Fields(writer, value);
    return std::move(writer.object);
  }
}

// Sets `value` if the JSON fits; false leaves it as it was.
template <typename T>
bool FromJson(const Json& json, T& value);

struct Reader {
  const Json& object;
  template <typename T>
  void operator()(const char* name, T& field) {
    if (const auto found = object.find(name); found != object.end()) {
      FromJson(*found, field);
    }
  }
};

template <typename T>
bool IntegerFromJson(const Json& json, T& value) {
  if (!json.is_number_integer() ||
      (json.is_number_unsigned() &&
       json.get<uint64_t>() >
           static_cast<uint64_t>(std::numeric_limits<T>::max()))) {
    return false;
  }
  const auto integer = json.get<int64_t>();
  if (integer < std::numeric_limits<T>::min() ||
      integer > std::numeric_limits<T>::max()) {
    return false;
  }
  value = static_cast<T>(integer);
  return true;
}

template <typename T>
bool FromJson(const Json& json, T& value) {
  if constexpr (IsOptional<T>::value) {
    typename T::value_type inner{};
    if (!FromJson(json, inner)) {
      return false;
    }
    value = std::move(inner);
    return true;
  } else if constexpr (IsVector<T>::value) {
    if (!json.is_array()) {
      return false;
    }
    value.clear();
    for (const Json& element : json) {
      typename T::value_type inner{};
      if (FromJson(element, inner)) {
        value.push_back(std::move(inner));
      }
    }
    return true;
  } else if constexpr (std::is_same_v<T, RunState>) {
    if (json.is_string()) {
      value = RunStateFromName(json.get_ref<const std::string&>());
    }
    return json.is_string();
  } else if constexpr (std::is_same_v<T, EndReason>) {
    const auto reason =
        json.is_string() ? EndReasonFromName(json.get_ref<const std::string&>())
                         : std::nullopt;
    if (reason) {
      value = *reason;
    }
    return reason.has_value();
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!json.is_string()) {
      return false;
    }
    value = json.get_ref<const std::string&>();
    return true;
  } else if constexpr (std::is_same_v<T, TextMap>) {
    if (!json.is_object()) {
      return false;
    }
    for (const auto& [name, element] : json.items()) {
      FromJson(element, value[name]);
    }
    return true;
  } else if constexpr (std::is_floating_point_v<T>) {
    if (!json.is_number()) {
      return false;
    }
    value = json.get<T>();
    return true;
  } else if constexpr (std::is_integral_v<T>) {
    return IntegerFromJson(json, value);
  } else {
    if (!json.is_object()) {
      return false;
    }
    Reader reader{json};
    Fields(reader, value);
    return true;
  }
}

}  // namespace

std::string RunToJson(const Run& run) {
  return ToJson(run).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Run> RunFromJson(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  Run run;
  if (json.is_discarded() || !FromJson(json, run)) {
    return Error{ErrorCode::kCorrupt,
                 "a Run's document in the store is damaged, it is no JSON "
                 "object"};
  }
  return run;
}

}  // namespace edgewise
