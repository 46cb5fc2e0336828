// Values of the kernel that a session may change and that are put back: the
// limits of the cores' clocks, in kHz.
//
// Free of allocation and of the C++ library: the guardian program uses it too.
// Whoever changes such a value holds a lock (flock) on its file as long as the
// change lasts, so that no session takes another one's value for the old one.
#ifndef EDGEWISE_CONTROLS_RESTORE_H_
#define EDGEWISE_CONTROLS_RESTORE_H_

#include <cstddef>
#include <cstdint>

namespace edgewise {

inline constexpr size_t kMaxRestorePath = 256;  // with its zero
inline constexpr int64_t kMaxRestoreValue = INT32_MAX;

// Whether a file may be restored at all: an absolute path without ".", ".." or
// empty parts that ends in cpufreq/FILE or cpufreq/policyN/FILE, where FILE is
// scaling_min_freq or scaling_max_freq. Nothing else is ever written to.
bool IsRestorable(const char* path);

// Replaces the value of an existing file; never follows a symbolic link as the
// last part. Returns 0 or errno.
int WriteValue(const char* path, int64_t value);
// The file's value; -1 if it cannot be read or is none from 1 to
// kMaxRestoreValue.
int64_t ReadValue(const char* path);
// A descriptor that holds the lock of the file until it is closed, or -errno:
// -EBUSY if somebody else holds it.
int LockValue(const char* path);

// Takes the lock and puts a value back; 0 or errno. A file that is gone has
// taken its change with it: that is success.
int RestoreValue(const char* path, int64_t value);
// Whether an errno says that a file of the kernel is gone.
bool IsGone(int error);

// Undoes changes in the reverse of their order, in which no minimum is ever
// above its maximum: `put(i)` for each, returning 0 or errno. What fails is
// tried once more. Returns the first errno that remains.
template <typename Put>
int UndoBackwards(size_t count, Put put) {
  int first_error = 0;
  for (int round = 0; round < 2; ++round) {
    first_error = 0;
    for (size_t i = count; i > 0; --i) {
      const int error = put(i - 1);
      first_error = first_error == 0 ? error : first_error;
    }
    if (first_error == 0) {
      break;
    }
  }
  return first_error;
}

}  // namespace edgewise

#endif  // EDGEWISE_CONTROLS_RESTORE_H_
