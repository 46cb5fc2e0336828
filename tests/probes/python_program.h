// A Python program to look into: it runs a script, says on its standard output
// how far it is, and goes on when it gets a line.
#ifndef EDGEWISE_TESTS_PROBES_PYTHON_PROGRAM_H_
#define EDGEWISE_TESTS_PROBES_PYTHON_PROGRAM_H_

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "probes/python/interpreter.h"

namespace edgewise {

class TempFolder {
 public:
  TempFolder() {
    std::string name = std::filesystem::temp_directory_path() / "python-XXXXXX";
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    path_ = name;
  }
  ~TempFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

class Program {
 public:
  // `new_pid_namespace`: as in a container; needs root.
  explicit Program(const std::vector<std::string>& command,
                   bool new_pid_namespace = false) {
    int in[2];
    int out[2];
    EXPECT_EQ(pipe2(in, O_CLOEXEC), 0);
    EXPECT_EQ(pipe2(out, O_CLOEXEC), 0);
    child_ = fork();
    if (child_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      dup2(in[0], 0);
      dup2(out[1], 1);
      if (new_pid_namespace) {
        Enter();
      }
      Exec(command);
    }
    in_.reset(in[1]);
    out_.reset(out[0]);
    close(in[0]);
    close(out[1]);
    pid_ = new_pid_namespace ? std::stoi("0" + ReadLine()) : child_;
  }
  ~Program() {
    kill(pid_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t pid() const { return pid_; }
  // What the program printed next; empty at its end.
  std::string ReadLine() {
    std::string line;
    char c = 0;
    while (read(out_.get(), &c, 1) == 1 && c != '\n') {
      line += c;
    }
    return line;
  }
  void GoOn() { EXPECT_EQ(write(in_.get(), "\n", 1), 1); }

 private:
  // Goes on in a process of a new pid namespace, whose number outside of it is
  // printed.
  static void Enter() {
    if (unshare(CLONE_NEWPID) != 0) {
      _exit(1);
    }
    const pid_t inner = fork();
    if (inner == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      return;
    }
    dprintf(1, "%d\n", inner);
    waitpid(inner, nullptr, 0);
    _exit(0);
  }
  [[noreturn]] static void Exec(const std::vector<std::string>& command) {
    std::vector<char*> words;
    for (const std::string& word : command) {
      words.push_back(const_cast<char*>(word.c_str()));
    }
    words.push_back(nullptr);
    execv(words[0], words.data());
    _exit(127);
  }

  pid_t child_ = -1;
  pid_t pid_ = -1;
  UniqueFd in_;
  UniqueFd out_;
};

// What a script calls as wait(TEXT): prints a line, and waits for one.
inline constexpr char kScriptStart[] =
    "import os, sys, threading\n"
    "def wait(text='ready'): os.write(1, (str(text) + '\\n').encode()); "
    "os.read(0, 1)\n";

class PythonProgram {
 public:
  PythonProgram(const std::string& interpreter, const std::string& script,
                bool new_pid_namespace = false)
      : text_(kScriptStart + script),
        path_(folder_.path() / "script.py"),
        program_((std::ofstream(path_) << text_ << std::flush,
                  std::vector<std::string>{interpreter, path_.string()}),
                 new_pid_namespace) {}

  Program* operator->() { return &program_; }
  const std::filesystem::path& path() const { return path_; }
  // The line of the script that holds the text.
  int LineOf(const std::string& text) const {
    const size_t at = text_.find(text);
    EXPECT_NE(at, std::string::npos) << text;
    return 1 + static_cast<int>(std::count(
                   text_.begin(), text_.begin() + static_cast<ptrdiff_t>(at),
                   '\n'));
  }

 private:
  TempFolder folder_;
  std::string text_;
  std::filesystem::path path_;
  Program program_;
};

// A frame with what its code says.
struct NamedFrame {
  std::string function;
  std::string file;
  int line = 0;
  int first_line = 0;
  bool is_entry = false;
};

// Attaches to a process and puts frames and codes together.
class Watcher {
 public:
  explicit Watcher(pid_t pid) {
    auto attached = PythonProcess::Attach(pid, &codes_);
    EXPECT_TRUE(attached.ok()) << attached.error().message;
    if (attached.ok()) {
      EXPECT_TRUE(attached->has_value()) << "not seen as Python";
      process_ = std::move(*attached);
    }
  }

  PythonProcess& process() { return *process_; }
  PythonCodes& codes() { return codes_; }
  std::vector<NamedFrame> Read(pid_t tid) { return ReadOf(*process_, tid); }
  std::vector<NamedFrame> ReadOf(PythonProcess& process, pid_t tid) {
    const auto frames = process.Read(tid);
    EXPECT_TRUE(frames.has_value()) << "the memory made no sense";
    for (const stacks::SpooledPythonCode& code : codes_.TakeNew()) {
      EXPECT_TRUE(known_.emplace(code.id, code).second) << "told twice";
    }
    std::vector<NamedFrame> named;
    for (const stacks::SpooledPythonFrame& frame :
         frames.value_or(std::vector<stacks::SpooledPythonFrame>())) {
      const stacks::SpooledPythonCode& code = known_.at(frame.code);
      named.push_back({code.function, code.file, frame.line, code.first_line,
                       frame.is_entry != 0});
    }
    return named;
  }

 private:
  PythonCodes codes_;
  std::optional<PythonProcess> process_;
  std::map<uint32_t, stacks::SpooledPythonCode> known_;
};

}  // namespace edgewise

#endif  // EDGEWISE_TESTS_PROBES_PYTHON_PROGRAM_H_
