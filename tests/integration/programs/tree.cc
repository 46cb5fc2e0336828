// tree HOW CHILDREN CPU_MS: a tree of processes that each use CPU time; prints
// what the cgroup it is in accounts for when all are done.
//   waited     children that are waited for
//   forgotten  children that nobody waits for (SIGCHLD is ignored)
//   orphans    grandchildren whose parents are gone (adopted by a subreaper)
//   daemon     one process that daemonises; the main process exits at once
#include <sys/wait.h>

#include <csignal>
#include <string_view>
#include <vector>

#include "own_account.h"

namespace {

std::string FirstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// CPU time of the cgroup this process is in, wherever it is mounted; -1 if it
// cannot be read.
double CgroupCpuSeconds() {
  std::ifstream groups("/proc/self/cgroup");
  double unified_s = -1;
  for (std::string line; std::getline(groups, line);) {
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controllers.find("cpuacct") != std::string::npos) {
      const std::string usage =
          FirstLine("/sys/fs/cgroup/" + controllers + path + "/cpuacct.usage");
      if (!usage.empty()) {
        return std::atof(usage.c_str()) / 1e9;
      }
    }
    if (controllers.empty()) {
      for (const char* mount : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}) {
        const std::string usage = FirstLine(mount + path + "/cpu.stat");
        if (usage.rfind("usage_usec ", 0) == 0) {
          unified_s = std::atof(usage.c_str() + 11) / 1e6;
        }
      }
    }
  }
  return unified_s;
}

// Starts one worker; `done` is closed when it ends.
void StartWorker(std::string_view how, int64_t cpu_ms, const int (&done)[2]) {
  const pid_t child = fork();
  if (child != 0) {
    if (how != "waited" && how != "forgotten") {
      waitpid(child, nullptr, 0);
    }
    return;
  }
  close(done[0]);
  if (how == "orphans" || how == "daemon") {
    if (how == "daemon") {
      setsid();
    }
    if (fork() != 0) {
      _exit(0);
    }
  }
  programs::BurnUntil(cpu_ms);
  _exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    return 2;
  }
  const std::string_view how = argv[1];
  const int children = std::atoi(argv[2]);
  const int64_t cpu_ms = std::atoll(argv[3]);
  if (how == "forgotten") {
    std::signal(SIGCHLD, SIG_IGN);
  }
  int done[2];
  if (pipe(done) != 0) {
    return 1;
  }
  for (int i = 0; i < children; ++i) {
    StartWorker(how, cpu_ms, done);
  }
  if (how == "daemon") {
    std::puts("{}");
    return 0;
  }
  // End of file: every worker has ended.
  close(done[1]);
  char byte = 0;
  while (read(done[0], &byte, 1) > 0) {
  }
  while (wait(nullptr) > 0) {
  }
  std::printf("{\"cgroup_cpu_s\": %.6f}\n", CgroupCpuSeconds());
}
