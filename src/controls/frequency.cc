#include "controls/frequency.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "base/text.h"
#include "base/units.h"
#include "controls/restore.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

constexpr char kCpuFolder[] = "devices/system/cpu";
constexpr char kMinFile[] = "scaling_min_freq";
constexpr char kMaxFile[] = "scaling_max_freq";

// A clock in a list may be this far from what was asked for.
constexpr double kNear = 0.05;
// As far as a clock is off when people type it as it was shown to them; also
// how far the kernel may round.
constexpr double kRounding = 0.001;

std::string Text(int64_t khz) {
  return FormatFrequency(static_cast<double>(khz));
}

std::string CoresText(const std::vector<int>& cpus) {
  return (cpus.size() == 1 ? "core " : "cores ") + FormatCpuList(cpus);
}

bool Within(int64_t khz, int64_t of_khz, double share) {
  return std::abs(static_cast<double>(khz - of_khz)) <=
         share * static_cast<double>(of_khz);
}

std::optional<int64_t> ReadKhz(const fs::path& file) {
  const int64_t khz = ReadValue(file.c_str());
  return khz > 0 ? std::optional(khz) : std::nullopt;
}

std::vector<int> AllCpus(const fs::path& folder) {
  std::vector<int> cpus;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename();
    const auto number =
        name.starts_with("cpu") ? ParseInt(name.substr(3)) : std::nullopt;
    // Cores that are switched off have no clock.
    if (number && *number >= 0 && fs::exists(entry->path() / "cpufreq")) {
      cpus.push_back(static_cast<int>(*number));
    }
  }
  std::sort(cpus.begin(), cpus.end());
  return cpus;
}

// The policies of some cores, each with those of the cores that it governs.
Result<std::map<fs::path, std::vector<int>>> PoliciesOf(
    const std::vector<int>& cpus, const fs::path& sysfs_root) {
  const fs::path folder = sysfs_root / kCpuFolder;
  std::map<fs::path, std::vector<int>> policies;
  for (const int cpu : cpus.empty() ? AllCpus(folder) : cpus) {
    // A link to a policy's folder; on old kernels one core has the folder and
    // those that share it have links.
    std::error_code error;
    const fs::path policy = fs::canonical(
        folder / ("cpu" + std::to_string(cpu)) / "cpufreq", error);
    if (error) {
      policies.clear();
      break;
    }
    policies[policy].push_back(cpu);
  }
  if (policies.empty()) {
    return Error{ErrorCode::kUnsupported,
                 "--frequency: the kernel has no control over the clock of " +
                     (cpus.empty() ? "this machine's cores" : CoresText(cpus)) +
                     " (no cpufreq, as in most virtual machines): leave it "
                     "out, or measure on the board itself"};
  }
  return policies;
}

std::vector<int64_t> ListedKhz(const fs::path& policy) {
  std::vector<int64_t> listed;
  for (const char* file :
       {"scaling_available_frequencies", "scaling_boost_frequencies"}) {
    const std::string text = TryReadFile(policy / file).value_or("");
    for (const std::string_view field : SplitFields(text)) {
      if (const auto khz = ParseInt(field); khz && *khz > 0) {
        listed.push_back(*khz);
      }
    }
  }
  std::sort(listed.begin(), listed.end());
  listed.erase(std::unique(listed.begin(), listed.end()), listed.end());
  return listed;
}

// The clock to hold a policy at.
Result<int64_t> Choose(int64_t asked_khz, const fs::path& policy,
                       const std::vector<int>& cpus) {
  const auto least_khz = ReadKhz(policy / "cpuinfo_min_freq");
  const auto most_khz = ReadKhz(policy / "cpuinfo_max_freq");
  if (!least_khz || !most_khz || *most_khz < *least_khz) {
    return Error{ErrorCode::kUnsupported,
                 "--frequency: the kernel does not say which clocks " +
                     CoresText(cpus) + " can have (" + policy.string() +
                     "): leave it out"};
  }
  const int64_t khz = std::clamp(asked_khz, *least_khz, *most_khz);
  if (!Within(khz, asked_khz, kRounding)) {
    return Error{ErrorCode::kInvalid, "--frequency: " + CoresText(cpus) +
                                          " cannot run at " + Text(asked_khz) +
                                          ": choose from " + Text(*least_khz) +
                                          " to " + Text(*most_khz)};
  }
  const std::vector<int64_t> listed = ListedKhz(policy);
  if (listed.empty()) {
    return khz;
  }
  const int64_t nearest = *std::min_element(
      listed.begin(), listed.end(), [khz](int64_t a, int64_t b) {
        return std::abs(a - khz) < std::abs(b - khz);
      });
  if (!Within(nearest, asked_khz, kNear)) {
    std::vector<std::string> choices;
    for (const int64_t choice : listed) {
      choices.push_back(Text(choice));
    }
    return Error{ErrorCode::kInvalid,
                 "--frequency: " + CoresText(cpus) + " have no clock near " +
                     Text(asked_khz) + ": choose from " + Join(choices, ", ")};
  }
  return nearest;
}

Result<void> CheckWritable(const fs::path& file) {
  if (access(file.c_str(), W_OK) == 0) {
    return {};
  }
  const int error = errno;
  const std::string start = "--frequency: " + file.string() + " ";
  if (error == EROFS) {
    return Error{ErrorCode::kPermission,
                 start +
                     "is read-only here, as in a container: start edgewise "
                     "outside of it"};
  }
  if (error == ENOENT) {
    return Error{ErrorCode::kUnsupported,
                 start +
                     "is not there, so this kernel cannot hold the clock: "
                     "leave it out"};
  }
  return Error{ErrorCode::kPermission,
               start + "may not be written (" + ErrnoText(error) +
                   "): run as root, or make the scaling_min_freq and "
                   "scaling_max_freq files there yours with chown"};
}

// While the kernel cools by lowering the clock, scaling_max_freq shows that
// limit instead of the one that was set.
Result<void> CheckCool(const fs::path& sysfs_root) {
  std::error_code error;
  for (fs::directory_iterator device(sysfs_root / "class/thermal", error), end;
       !error && device != end; device.increment(error)) {
    const fs::path& folder = device->path();
    const std::string type = TryReadFile(folder / "type").value_or("");
    const bool lowers_clock =
        type.find("cpufreq") != std::string::npos || Trim(type) == "Processor";
    if (folder.filename().string().starts_with("cooling_device") &&
        lowers_clock && ReadValue((folder / "cur_state").c_str()) > 0) {
      return Error{ErrorCode::kBusy,
                   "--frequency: the kernel keeps the clock down because of "
                   "heat (" +
                       folder.string() +
                       "): let the board cool down, then try again"};
    }
  }
  return {};
}

}  // namespace

Result<FrequencyPlan> PlanFrequency(int64_t asked_khz,
                                    const std::vector<int>& cpus,
                                    const fs::path& sysfs_root) {
  const auto policies = PoliciesOf(cpus, sysfs_root);
  if (!policies) {
    return policies.error();
  }
  FrequencyPlan plan;
  const std::vector<int>* first = nullptr;
  for (const auto& [folder, governed] : *policies) {
    const auto khz = Choose(asked_khz, folder, governed);
    if (!khz) {
      return khz.error();
    }
    if (first != nullptr && *khz != plan.khz) {
      return Error{ErrorCode::kInvalid,
                   "--frequency: the nearest clock is " + Text(plan.khz) +
                       " for " + CoresText(*first) + " and " + Text(*khz) +
                       " for " + CoresText(governed) +
                       ": choose one that both have, or cores with --cpus"};
    }
    first = first == nullptr ? &governed : first;
    plan.khz = *khz;
    plan.policies.push_back(folder);
    for (const char* file : {kMinFile, kMaxFile}) {
      if (auto writable = CheckWritable(folder / file); !writable) {
        return writable.error();
      }
    }
  }
  if (auto cool = CheckCool(sysfs_root); !cool) {
    return cool.error();
  }
  return plan;
}

Result<void> SetFrequency(const FrequencyPlan& plan, const NoteOldValue& note) {
  std::vector<fs::path> files;
  for (const fs::path& policy : plan.policies) {
    files.push_back(policy / kMaxFile);
    files.push_back(policy / kMinFile);
    // Going below the minimum begins with it.
    if (plan.khz < ReadKhz(files.back()).value_or(0)) {
      std::swap(files.back(), files[files.size() - 2]);
    }
  }
  for (const fs::path& file : files) {
    if (auto noted = note(file); !noted) {
      return noted;
    }
  }
  for (const fs::path& file : files) {
    if (const int error = WriteValue(file.c_str(), plan.khz); error != 0) {
      return Error{ErrorCodeFromErrno(error),
                   "--frequency: the kernel does not take " + Text(plan.khz) +
                       " in " + file.string() + ": " + ErrnoText(error)};
    }
  }
  for (const fs::path& file : files) {
    const auto khz = ReadKhz(file);
    if (!khz || !Within(*khz, plan.khz, kRounding)) {
      return Error{ErrorCode::kUnsupported,
                   "--frequency: " + file.string() + " is " +
                       (khz ? Text(*khz) : "--") + " after " + Text(plan.khz) +
                       " was set: something else governs the clock; stop it, "
                       "or choose another"};
    }
  }
  return {};
}

}  // namespace edgewise
