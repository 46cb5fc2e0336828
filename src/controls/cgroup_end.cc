#include "controls/cgroup_end.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "controls/small_file.h"

namespace edgewise {
namespace {

// Calls `visit(path)` for each cgroup below `path`, deepest first, then for
// `path` itself. `path` is changed and restored.
template <typename Visit>
void VisitCgroups(FixedPath* path, const Visit& visit) {
  const size_t size = path->size();
  if (DIR* entries = opendir(path->c_str())) {
    while (const dirent* entry = readdir(entries)) {
      if (entry->d_type == DT_DIR && entry->d_name[0] != '.') {
        path->Append("/").Append(entry->d_name);
        if (path->size() > size) {
          VisitCgroups(path, visit);
          path->Truncate(size);
        }
      }
    }
    closedir(entries);
  }
  visit(*path);
}

// Calls `act(pid)` for each process directly in one cgroup.
template <typename Act>
void ForEachProcess(const FixedPath& folder, const Act& act) {
  const FixedPath path(folder.c_str(), "cgroup.procs");
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return;
  }
  char buffer[2048];
  pid_t pid = 0;
  ssize_t got = 0;
  while ((got = read(fd, buffer, sizeof(buffer))) > 0) {
    for (ssize_t i = 0; i < got; ++i) {
      if (buffer[i] >= '0' && buffer[i] <= '9') {
        pid = pid * 10 + (buffer[i] - '0');
      } else {
        // 0 stands for a process that this pid namespace cannot name.
        if (pid > 0) {
          act(pid);
        }
        pid = 0;
      }
    }
  }
  close(fd);
}

// Kills the processes in the cgroup and below one by one; returns how many
// were there.
int KillEach(const char* folder) {
  int count = 0;
  FixedPath path(folder);
  VisitCgroups(&path, [&count](const FixedPath& each) {
    ForEachProcess(each, [&count](pid_t pid) {
      ++count;
      if (pid != getpid()) {
        kill(pid, SIGKILL);
      }
    });
  });
  return count;
}

bool Exists(const char* path) {
  struct stat status {};
  return stat(path, &status) == 0;
}

}  // namespace

bool KillCgroupAtOnce(const char* folder) {
  return WriteExisting(FixedPath(folder, "cgroup.kill").c_str(), "1") == 0;
}

bool EmptyCgroup(const char* folder, int64_t deadline_ns) {
  if (!Exists(folder)) {
    return true;
  }
  const bool at_once = KillCgroupAtOnce(folder);
  const FixedPath freezer(folder, "cgroup.freeze");
  const bool frozen = !at_once && WriteExisting(freezer.c_str(), "1") == 0;
  bool empty = false;
  for (int pause_ms = 0;; pause_ms = pause_ms < 16 ? pause_ms * 2 + 1 : 16) {
    // After cgroup.kill the signals are only a reminder to stragglers that
    // were moved in meanwhile.
    empty = KillEach(folder) == 0;
    if (empty || NowNs() >= deadline_ns) {
      break;
    }
    PauseMs(pause_ms);
  }
  if (frozen) {
    WriteExisting(freezer.c_str(), "0");
  }
  return empty;
}

int RemoveCgroup(const char* folder, int64_t deadline_ns) {
  for (int pause_ms = 0;; pause_ms = pause_ms < 16 ? pause_ms * 2 + 1 : 16) {
    int error = 0;
    FixedPath path(folder);
    VisitCgroups(&path, [&](const FixedPath& each) {
      error = rmdir(each.c_str()) == 0 || errno == ENOENT ? 0 : errno;
    });
    // EBUSY: the last process is gone, but not yet out of the kernel's books.
    if (error != EBUSY || NowNs() >= deadline_ns) {
      return error;
    }
    PauseMs(pause_ms);
  }
}

}  // namespace edgewise
