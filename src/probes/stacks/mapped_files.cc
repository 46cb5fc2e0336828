#include "probes/stacks/mapped_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>
#include <charconv>
#include <utility>

#include "base/result.h"
#include "base/text.h"
#include "probes/process_members.h"

namespace edgewise {
namespace {

constexpr std::string_view kDeleted = " (deleted)";

// A regular file, which opening cannot block on.
UniqueFd OpenRegular(const std::filesystem::path& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (fd.valid() &&
      (::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode))) {
    fd.reset();
    errno = EINVAL;
  }
  return fd;
}

// On some file systems (overlays) the kernel's device is not the one that
// stat tells.
bool SameInode(int fd, uint64_t inode) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 && status.st_ino == inode;
}

// The pid by which a process knows itself; it names its files after it.
pid_t OwnPid(pid_t pid, const std::filesystem::path& proc_root) {
  const auto status = TryReadFile(proc_root / std::to_string(pid) / "status");
  if (status) {
    for (const std::string_view line : Split(*status, '\n')) {
      if (line.starts_with("NSpid:")) {
        const auto fields = SplitFields(line);
        return static_cast<pid_t>(ParseInt(fields.back()).value_or(pid));
      }
    }
  }
  return pid;
}

std::optional<uint64_t> ParseHex(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return error == std::errc() && end == text.data() + text.size()
             ? std::optional(value)
             : std::nullopt;
}

}  // namespace

MappedFiles::MappedFiles(std::filesystem::path proc_root)
    : proc_root_(std::move(proc_root)) {}

UniqueFd MappedFiles::Open(const PerfRecord& map, std::string* why_not) const {
  if (open_.size() >= kMostOpen) {
    *why_not = "too many files are mapped to hold all of them open";
    return {};
  }
  const std::filesystem::path process = proc_root_ / std::to_string(map.pid);
  std::string path(map.name);
  if (path.ends_with(kDeleted)) {
    path.resize(path.size() - kDeleted.size());
  }
  // By its mapping: also what was deleted or replaced since, in any mount
  // namespace. Needs privileges; the paths do not.
  for (const std::filesystem::path& candidate :
       {process / "map_files" /
            fmt::format("{:x}-{:x}", map.start, map.start + map.length),
        process / "root" / path.substr(path.starts_with('/') ? 1 : 0),
        std::filesystem::path(path)}) {
    UniqueFd fd = OpenRegular(candidate);
    if (fd.valid() && SameInode(fd.get(), map.inode)) {
      return fd;
    }
    *why_not = fd.valid() ? "was replaced since it was mapped"
                          : "cannot be opened: " + ErrnoText();
  }
  return {};
}

uint32_t MappedFiles::Add(stacks::SpooledFile file, UniqueFd fd,
                          stacks::SpoolWriter& spool) {
  file.id = next_id_++;
  spool.Add(file);
  if (fd.valid()) {
    open_.emplace(file.id, std::move(fd));
  }
  return file.id;
}

uint32_t MappedFiles::IdOf(const PerfRecord& map, stacks::SpoolWriter& spool) {
  const bool is_file = map.inode != 0 && map.name.starts_with('/') &&
                       !map.name.starts_with("//");
  const auto key = is_file ? std::tuple(map.device, map.inode,
                                        map.inode_generation, std::string())
                           : std::tuple(uint64_t{0}, uint64_t{0}, uint64_t{0},
                                        std::string(map.name));
  if (const auto known = ids_.find(key); known != ids_.end()) {
    return known->second;
  }
  stacks::SpooledFile file;
  file.device = map.device;
  file.inode = map.inode;
  file.path = map.name;
  UniqueFd fd;
  if (is_file) {
    fd = Open(map, &file.why_not);
    if (fd.valid()) {
      file.why_not.clear();
    }
  }
  const uint32_t id = Add(std::move(file), std::move(fd), spool);
  ids_.emplace(key, id);
  return id;
}

uint32_t MappedFiles::PerfMapOf(pid_t pid, stacks::SpoolWriter& spool) {
  if (open_.size() >= kMostOpen) {
    return 0;
  }
  const std::string name =
      "tmp/perf-" + std::to_string(OwnPid(pid, proc_root_)) + ".map";
  UniqueFd fd = OpenRegular(proc_root_ / std::to_string(pid) / "root" / name);
  if (!fd.valid()) {
    fd = OpenRegular("/" + name);  // the process is gone, its file may not be
  }
  if (!fd.valid()) {
    return 0;
  }
  stacks::SpooledFile file;
  file.path = "/" + name;
  return Add(std::move(file), std::move(fd), spool);
}

std::map<uint32_t, int> MappedFiles::Descriptors() const {
  std::map<uint32_t, int> descriptors;
  for (const auto& [id, fd] : open_) {
    descriptors.emplace(id, fd.get());
  }
  return descriptors;
}

std::vector<PerfRecord> ReadExecutableMaps(
    pid_t pid, std::vector<std::string>* names,
    const std::filesystem::path& proc_root) {
  std::vector<PerfRecord> maps;
  const std::string text =
      TryReadFile(proc_root / std::to_string(pid) / "maps").value_or("");
  names->clear();
  // 7f00-7f10 r-xp 00001000 08:01 1234   /usr/lib/libc.so.6
  for (const std::string_view line : Split(text, '\n')) {
    const auto fields = SplitFields(line);
    if (fields.size() < 5 || fields[1].size() < 3 || fields[1][2] != 'x') {
      continue;
    }
    const auto range = Split(fields[0], '-');
    const auto device = Split(fields[3], ':');
    if (range.size() != 2 || device.size() != 2) {
      continue;
    }
    PerfRecord map;
    map.kind = RecordKind::kMap;
    map.pid = pid;
    map.tid = pid;
    map.start = ParseHex(range[0]).value_or(0);
    map.length = ParseHex(range[1]).value_or(0) - map.start;
    map.file_offset = ParseHex(fields[2]).value_or(0);
    map.device =
        makedev(static_cast<unsigned>(ParseHex(device[0]).value_or(0)),
                static_cast<unsigned>(ParseHex(device[1]).value_or(0)));
    map.inode = ParseUint(fields[4]).value_or(0);
    names->emplace_back(fields.size() > 5 ? line.substr(static_cast<size_t>(
                                                fields[5].data() - line.data()))
                                          : std::string_view("//anon"));
    maps.push_back(std::move(map));
  }
  for (size_t i = 0; i < maps.size(); ++i) {
    maps[i].name = (*names)[i];
  }
  return maps;
}

std::vector<stacks::SpooledLife> ReadThreadNames(
    pid_t pid, const std::filesystem::path& proc_root) {
  std::vector<stacks::SpooledLife> names;
  const std::filesystem::path tasks = proc_root / std::to_string(pid) / "task";
  for (const pid_t tid : NumberedEntries(tasks)) {
    stacks::SpooledLife life;
    life.event = stacks::LifeEvent::kThread;
    life.pid = pid;
    life.tid = tid;
    life.name =
        Trim(TryReadFile(tasks / std::to_string(tid) / "comm").value_or(""));
    names.push_back(std::move(life));
  }
  return names;
}

}  // namespace edgewise
