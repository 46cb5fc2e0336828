// Paths and small files without allocation, for the guardian program, which
// must stay tiny: what it launches inherits its peak memory.
#ifndef EDGEWISE_CONTROLS_SMALL_FILE_H_
#define EDGEWISE_CONTROLS_SMALL_FILE_H_

#include <climits>
#include <cstddef>
#include <cstdint>

namespace edgewise {

// A path in a fixed buffer. One that would not fit becomes empty and stays so,
// and every use of it fails with ENOENT.
class FixedPath {
 public:
  FixedPath() = default;
  explicit FixedPath(const char* text) { Append(text); }
  FixedPath(const char* folder, const char* name) {
    Append(folder).Append("/").Append(name);
  }

  FixedPath& Append(const char* text);
  FixedPath& Append(int64_t number);

  const char* c_str() const { return text_; }
  size_t size() const { return size_; }
  // Cuts back to an earlier size().
  void Truncate(size_t size);

 private:
  char text_[PATH_MAX] = {};
  size_t size_ = 0;
  bool overflowed_ = false;
};

// Reads at most size-1 bytes and ends them with a zero; false if the file
// cannot be read.
bool ReadSmallFile(const char* path, char* buffer, size_t size);
// Writes `text` with one write(2) into an existing file. Returns 0 or errno.
int WriteExisting(const char* path, const char* text);

// The decimal number at `text`, which is moved behind it; 0 if there is none.
int64_t ReadNumber(const char*& text);

// CLOCK_MONOTONIC.
int64_t NowNs();
void PauseMs(int milliseconds);

// Removes a folder with all that is in it, or a file; never follows a symbolic
// link. Returns 0 or the errno of the first thing that could not be removed.
// Absence is success.
int RemoveTree(const char* path);

}  // namespace edgewise

#endif  // EDGEWISE_CONTROLS_SMALL_FILE_H_
