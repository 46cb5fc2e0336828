#include "controls/kept_values.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "controls/netem_queue.h"
#include "controls/restore.h"
#include "controls/small_file.h"

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

constexpr int kMaxNetems = 16;

struct KeptNetem {
  int32_t interface;
  int32_t handle;
};

KeptNetem g_netems[kMaxNetems];
int g_netem_count = 0;

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

int KeepNetem(int32_t interface, const char* handle) {
  const int64_t number = ReadNumber(handle);
  if (interface <= 0 || *handle != 0 || number < kLeastNetemHandle ||
      number > kMostNetemHandle) {
    return EINVAL;
  }
  if (g_netem_count == kMaxNetems) {
    return E2BIG;
  }
  g_netems[g_netem_count++] = {interface, static_cast<int32_t>(number)};
  return 0;
}

int RemoveNetems() {
  int first_error = 0;
  for (int i = 0; i < g_netem_count; ++i) {
    const int error = RemoveNetem(g_netems[i].interface, g_netems[i].handle);
    first_error = first_error == 0 ? error : first_error;
  }
  return first_error;
}

int PutValuesBack() {
  return UndoBackwards(static_cast<size_t>(g_value_count), [](size_t i) {
    const int error = WriteValue(g_values[i].path, g_values[i].value);
    return IsGone(error) ? 0 : error;
  });
}

}  // namespace edgewise::guardian
