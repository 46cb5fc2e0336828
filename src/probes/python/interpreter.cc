#include "probes/python/interpreter.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "base/unique_fd.h"
#include "probes/python/python_elf.h"
#include "probes/python/refusal.h"
#include "probes/python/remote_memory.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;
using python::MappedFile;
using python::PythonElf;
using python::Version;

constexpr size_t kMaxNativeTids = 4096;

// Of a thread, in the pid namespaces it is in, outermost first.
std::vector<std::string_view> NamespacePids(std::string_view status) {
  for (const std::string_view line : Split(status, '\n')) {
    constexpr std::string_view kKey = "NSpid:";
    if (line.starts_with(kKey)) {
      return SplitFields(line.substr(kKey.size()));
    }
  }
  return {};
}

// The links of /proc are right even if the file was deleted or lies in another
// mount namespace, but not everybody may use map_files.
UniqueFd Open(const fs::path& process, const MappedFile& file,
              const std::string& executable) {
  const std::string by_name = (process / "root").string() + file.path;
  for (const std::string& path :
       {file.path == executable ? (process / "exe").string() : std::string(),
        (process / "map_files" / file.range).string(), by_name}) {
    UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (fd.valid()) {
      return fd;
    }
  }
  return {};
}

Error UnknownVersion(const std::string& who, std::optional<Version> version) {
  const std::string shown = version ? std::to_string(version->major) + "." +
                                          std::to_string(version->minor)
                                    : "of an unknown version";
  return {
      ErrorCode::kUnsupported,
      who + " runs Python " + shown +
          ", whose functions cannot be told: only 3.11 and 3.12 are known."};
}

// The value of Py_Version, which is the version in hexadecimal digits.
Version VersionFromHex(uint64_t hex) {
  return {static_cast<int>((hex >> 24) & 0xff),
          static_cast<int>((hex >> 16) & 0xff)};
}

}  // namespace

Result<std::optional<PythonProcess>> PythonProcess::Attach(
    pid_t pid, PythonCodes* codes, const fs::path& proc_root) {
  const fs::path process = proc_root / std::to_string(pid);
  const auto maps = ReadFile(process / "maps");
  if (!maps) {
    return python::WhyRefused(pid, maps.error().code, proc_root);
  }
  std::error_code error;
  const std::string executable =
      fs::read_symlink(process / "exe", error).string();
  const python::ReadPieces read = python::ProcessMemory(pid);
  for (const MappedFile& file : python::FindPythonFiles(*maps, executable)) {
    const bool python_by_name = MayHoldPython(file.path);
    const std::optional<Version> named = python::VersionInName(file.path);
    const UniqueFd fd = Open(process, file, executable);
    const std::optional<PythonElf> elf =
        fd.valid() ? python::ReadPythonElf(python::FileReader(fd.get()),
                                           /*only_marked=*/!python_by_name)
                   : std::nullopt;
    const auto bias = elf ? elf->Bias(file.start, file.file_offset)
                          : std::optional<uint64_t>();
    if (!bias) {
      // Versions before 3.7 have no _PyRuntime.
      if (named && (named->major < 3 || named->minor < 7)) {
        return UnknownVersion(python::NameProcess(pid, proc_root), named);
      }
      continue;
    }
    // Read even where only the name tells the version, because it shows whether
    // the memory may be read.
    uint64_t value = 0;
    errno = 0;
    if (!python::ReadValue(read, elf->version.value_or(elf->runtime) + *bias,
                           &value)) {
      return python::WhyRefused(pid, ErrorCodeFromErrno(errno), proc_root);
    }
    const std::optional<Version> version =
        elf->version ? VersionFromHex(value) : named;
    const python::Layout* const layout = version && version->major == 3
                                             ? python::LayoutOf(version->minor)
                                             : nullptr;
    if (layout == nullptr) {
      return UnknownVersion(python::NameProcess(pid, proc_root), version);
    }
    const python::RuntimePlace place{
        .runtime = elf->runtime + *bias,
        .code_type = elf->code_type ? *elf->code_type + *bias : 0};
    return std::optional<PythonProcess>(
        PythonProcess(pid, *layout, place, codes, proc_root));
  }
  return std::optional<PythonProcess>();
}

PythonProcess::PythonProcess(pid_t pid, const python::Layout& layout,
                             const python::RuntimePlace& place,
                             PythonCodes* codes, fs::path proc_root)
    : pid_(pid),
      layout_(&layout),
      place_(place),
      codes_(codes),
      proc_root_(std::move(proc_root)),
      reader_(std::make_unique<python::FrameReader>(python::ProcessMemory(pid),
                                                    layout, place, codes)) {
  const auto status = TryReadFile(proc_root_ / std::to_string(pid) / "status");
  own_pid_namespace_ = status && NamespacePids(*status).size() > 1;
}

PythonProcess PythonProcess::ForFork(pid_t child) const {
  return {child, *layout_, place_, codes_, proc_root_};
}

std::optional<std::vector<stacks::SpooledPythonFrame>> PythonProcess::Read(
    pid_t tid) {
  const auto native_tid = NativeTid(tid);
  if (!native_tid) {
    return std::nullopt;
  }
  auto frames = reader_->Read(*native_tid);
  if (!frames) {
    native_tids_.erase(tid);  // the number may be another thread's by now
  }
  return frames;
}

std::optional<pid_t> PythonProcess::NativeTid(pid_t tid) {
  if (!own_pid_namespace_) {
    return tid;
  }
  if (const auto known = native_tids_.find(tid); known != native_tids_.end()) {
    return known->second;
  }
  const auto status = TryReadFile(proc_root_ / std::to_string(pid_) / "task" /
                                  std::to_string(tid) / "status");
  const auto pids =
      status ? NamespacePids(*status) : std::vector<std::string_view>();
  const auto native = pids.empty() ? std::nullopt : ParseInt(pids.back());
  if (!native) {
    return std::nullopt;
  }
  if (native_tids_.size() >= kMaxNativeTids) {
    native_tids_.clear();  // of threads that ended, for the most part
  }
  return native_tids_[tid] = static_cast<pid_t>(*native);
}

}  // namespace edgewise
