#include "controls/kept_values.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "controls/restore.h"

namespace edgewise::guardian {
namespace {

// Two for each core of a large server. Pages of unused entries are never
// touched, and so cost no memory.
constexpr int kMaxValues = 512;

struct KeptValue {
  char path[kMaxRestorePath];
  int32_t value;
};

KeptValue g_values[kMaxValues];
int g_value_count = 0;

}  // namespace

int KeepValue(const char* path, int32_t* value) {
  if (!IsRestorable(path)) {
    return EINVAL;
  }
  if (g_value_count == kMaxValues) {
    return E2BIG;
  }
  // Never closed: the lock lasts as long as this process.
  const int lock = LockValue(path);
  if (lock < 0) {
    return -lock;
  }
  const int64_t now = ReadValue(path);
  if (now < 0) {
    close(lock);
    return EINVAL;
  }
  KeptValue& kept = g_values[g_value_count++];
  memcpy(kept.path, path, strlen(path) + 1);
  kept.value = static_cast<int32_t>(now);
  *value = kept.value;
  return 0;
}

int PutValuesBack() {
  return UndoBackwards(static_cast<size_t>(g_value_count), [](size_t i) {
    const int error = WriteValue(g_values[i].path, g_values[i].value);
    return IsGone(error) ? 0 : error;
  });
}

}  // namespace edgewise::guardian
