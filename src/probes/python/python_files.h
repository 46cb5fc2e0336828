// Finding CPython among the files that a process has mapped.
#ifndef EDGEWISE_PROBES_PYTHON_PYTHON_FILES_H_
#define EDGEWISE_PROBES_PYTHON_PYTHON_FILES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace edgewise::python {

struct Version {
  int major = 0;
  int minor = 0;

  bool operator==(const Version&) const = default;
};

// What a file's name says: "libpython3.11.so.1.0" and "python3.11" are 3.11.
// nullopt where the name has no version of both parts.
std::optional<Version> VersionInName(std::string_view path);

// The first mapping of a file.
struct MappedFile {
  std::string path;   // as the process sees it
  std::string range;  // "start-end" as in /proc/PID/maps
  uint64_t start = 0;
  uint64_t file_offset = 0;
};

// Of the text of /proc/PID/maps: files that by their name may hold CPython, in
// order of their addresses, and then `executable` if it is not among them.
std::vector<MappedFile> FindPythonFiles(std::string_view maps,
                                        std::string_view executable);

}  // namespace edgewise::python

namespace edgewise {

// Does the name of a file say that it may hold CPython ("python3.11",
// "libpython3.11.so.1.0", "/opt/venv/bin/python")? When a process maps such a
// file it is time to attach to it.
bool MayHoldPython(std::string_view path);

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_PYTHON_PYTHON_FILES_H_
