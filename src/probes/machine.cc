#include "probes/machine.h"

#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <optional>
#include <vector>

#include "base/text.h"
#include "base/units.h"
#include "probes/cpufreq.h"
#include "probes/small_files.h"

namespace edgewise {
namespace {

struct ArmPart {
  int implementer;
  int part;
  std::string_view name;
};

constexpr ArmPart kArmParts[] = {
    {0x41, 0xc07, "Cortex-A7"},    {0x41, 0xd03, "Cortex-A53"},
    {0x41, 0xd04, "Cortex-A35"},   {0x41, 0xd05, "Cortex-A55"},
    {0x41, 0xd07, "Cortex-A57"},   {0x41, 0xd08, "Cortex-A72"},
    {0x41, 0xd09, "Cortex-A73"},   {0x41, 0xd0a, "Cortex-A75"},
    {0x41, 0xd0b, "Cortex-A76"},   {0x41, 0xd0c, "Neoverse-N1"},
    {0x41, 0xd0d, "Cortex-A77"},   {0x41, 0xd40, "Neoverse-V1"},
    {0x41, 0xd41, "Cortex-A78"},   {0x41, 0xd42, "Cortex-A78AE"},
    {0x41, 0xd44, "Cortex-X1"},    {0x41, 0xd46, "Cortex-A510"},
    {0x41, 0xd47, "Cortex-A710"},  {0x41, 0xd49, "Neoverse-N2"},
    {0x41, 0xd4f, "Neoverse-V2"},  {0x4e, 0x003, "NVIDIA Denver 2"},
    {0x4e, 0x004, "NVIDIA Carmel"}};

// "0x41" or "41".
std::optional<int> ParseHex(std::string_view text) {
  if (text.starts_with("0x")) {
    text.remove_prefix(2);
  }
  int value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, 16);
  return error == std::errc() && stop == end ? std::optional(value)
                                             : std::nullopt;
}

std::string ArmPartName(int implementer, int part) {
  for (const ArmPart& known : kArmParts) {
    if (known.implementer == implementer && known.part == part) {
      return std::string(known.name);
    }
  }
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "ARM implementer 0x%02x part 0x%03x",
                static_cast<unsigned>(implementer),
                static_cast<unsigned>(part));
  return text.data();
}

std::string ReadBoard(const std::filesystem::path& root) {
  const std::string model = ReadName(root / "proc/device-tree/model");
  if (!model.empty()) {
    return model;
  }
  const std::filesystem::path dmi = root / "sys/class/dmi/id";
  const std::string vendor = ReadName(dmi / "sys_vendor");
  const std::string product = ReadName(dmi / "product_name");
  return vendor.empty() || product.empty() ? vendor + product
                                           : vendor + " " + product;
}

std::string ReadHypervisor(const std::filesystem::path& root,
                           std::string_view cpuinfo) {
  const std::string type = ReadName(root / "sys/hypervisor/type");
  if (!type.empty()) {
    return type;
  }
  const std::string tree =
      ReadName(root / "proc/device-tree/hypervisor/compatible");
  if (!tree.empty()) {
    return tree.find("kvm") != std::string::npos ? "kvm" : tree;
  }
  const std::string vendor = ReadName(root / "sys/class/dmi/id/sys_vendor");
  static constexpr std::pair<std::string_view, std::string_view> kVendors[] = {
      {"QEMU", "kvm"},
      {"Amazon EC2", "kvm"},
      {"Google", "kvm"},
      {"VMware, Inc.", "vmware"},
      {"innotek GmbH", "oracle"},
      {"Xen", "xen"}};
  bool flagged = false;
  for (const std::string_view line : Split(cpuinfo, '\n')) {
    if (line.starts_with("flags")) {
      const auto flags = SplitFields(line);
      flagged =
          std::find(flags.begin(), flags.end(), "hypervisor") != flags.end();
      break;
    }
  }
  if (!flagged && vendor != "QEMU") {
    return {};  // cloud vendors rent bare machines too
  }
  for (const auto& [name, hypervisor] : kVendors) {
    if (vendor == name) {
      return std::string(hypervisor);
    }
  }
  const std::string clocks = ReadName(
      root /
      "sys/devices/system/clocksource/clocksource0/available_clocksource");
  if (clocks.find("kvm-clock") != std::string::npos) {
    return "kvm";
  }
  if (clocks.find("hyperv") != std::string::npos) {
    return "hyper-v";
  }
  return "hypervisor";
}

std::string ReadContainer(const std::filesystem::path& root) {
  if (Exists(root / "run/.containerenv")) {
    return "container:podman";
  }
  if (Exists(root / ".dockerenv")) {
    return "container:docker";
  }
  const auto environ = TryReadFile(root / "proc/1/environ");
  for (const std::string_view entry :
       environ ? Split(*environ, '\0') : std::vector<std::string_view>()) {
    constexpr std::string_view kKey = "container=";
    if (entry.starts_with(kKey)) {
      return "container:" + std::string(entry.substr(kKey.size()));
    }
  }
  return {};
}

int CountCores(const std::filesystem::path& root, std::string_view cpuinfo) {
  const std::string online = ReadName(root / "sys/devices/system/cpu/online");
  if (const auto cpus = ParseCpuList(online)) {
    return static_cast<int>(cpus->size());
  }
  const auto lines = Split(cpuinfo, '\n');
  return static_cast<int>(std::count_if(
      lines.begin(), lines.end(),
      [](std::string_view line) { return line.starts_with("processor"); }));
}

}  // namespace

std::string ParseCpuModel(std::string_view cpuinfo) {
  std::vector<std::string> models;
  const auto add = [&models](std::string model) {
    if (!model.empty() &&
        std::find(models.begin(), models.end(), model) == models.end()) {
      models.push_back(std::move(model));
    }
  };
  std::optional<int> implementer;
  for (const std::string_view line : Split(cpuinfo, '\n')) {
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      continue;
    }
    const std::string_view key = Trim(line.substr(0, colon));
    const std::string_view value = Trim(line.substr(colon + 1));
    if (key == "model name") {
      add(std::string(value));
    } else if (key == "CPU implementer") {
      implementer = ParseHex(value);
    } else if (key == "CPU part" && implementer) {
      if (const auto part = ParseHex(value)) {
        add(ArmPartName(*implementer, *part));
      }
    }
  }
  // 32-bit ARM kernels name only the architecture; the part says more.
  if (models.size() > 1) {
    std::erase_if(models, [](const std::string& model) {
      return model.starts_with("ARMv");
    });
  }
  return Join(models, " + ");
}

std::string ParseOsName(std::string_view os_release) {
  constexpr std::string_view kKey = "PRETTY_NAME=";
  for (const std::string_view line : Split(os_release, '\n')) {
    if (line.starts_with(kKey)) {
      std::string_view name = Trim(line.substr(kKey.size()));
      if (name.size() >= 2 && (name.front() == '"' || name.front() == '\'') &&
          name.back() == name.front()) {
        name = name.substr(1, name.size() - 2);
      }
      return std::string(name);
    }
  }
  return {};
}

std::string MachineFingerprint(const Machine& machine) {
  constexpr int64_t kStepBytes = int64_t{512} << 20;
  const std::string facts =
      machine.architecture + '\n' + machine.cpu_model + '\n' +
      std::to_string(machine.cores) + '\n' +
      std::to_string((machine.memory_bytes + kStepBytes / 2) / kStepBytes);
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : facts) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx",
                static_cast<unsigned long long>(hash));
  return text.data();
}

Machine ReadMachine(const std::filesystem::path& root) {
  Machine machine;
  utsname names{};
  if (::uname(&names) == 0) {
    machine.architecture = names.machine;
  }
  const std::filesystem::path kernel = root / "proc/sys/kernel";
  machine.hostname = ReadName(kernel / "hostname");
  machine.kernel = ReadName(kernel / "osrelease");
  const std::string cpuinfo =
      TryReadFile(root / "proc/cpuinfo").value_or(std::string());
  machine.cpu_model = ParseCpuModel(cpuinfo);
  machine.board = ReadBoard(root);
  auto os_release = TryReadFile(root / "etc/os-release");
  if (!os_release) {
    os_release = TryReadFile(root / "usr/lib/os-release");
  }
  machine.os = ParseOsName(os_release.value_or(std::string()));
  machine.cores = CountCores(root, cpuinfo);
  const auto meminfo = TryReadFile(root / "proc/meminfo");
  machine.memory_bytes =
      (meminfo ? FindKeyedInt(*meminfo, "MemTotal") : std::nullopt)
          .value_or(0) *
      1024;
  machine.governor = ReadGovernor(root / "sys").value_or(std::string());
  const std::string container = ReadContainer(root);
  machine.virtualization = ReadHypervisor(root, cpuinfo);
  if (!container.empty()) {
    machine.virtualization +=
        (machine.virtualization.empty() ? "" : ", ") + container;
  }
  machine.fingerprint = MachineFingerprint(machine);
  return machine;
}

}  // namespace edgewise
