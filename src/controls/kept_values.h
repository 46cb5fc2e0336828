// What the guardian must put back at the end; a part of the guardian program,
// free of allocation.
#ifndef EDGEWISE_CONTROLS_KEPT_VALUES_H_
#define EDGEWISE_CONTROLS_KEPT_VALUES_H_

#include <cstdint>

namespace edgewise::guardian {

// Locks a file and notes its value, which is handed back. Returns 0 or errno:
// EBUSY if another session holds it, EINVAL if it may not be restored or has
// no value, E2BIG if there are too many.
int KeepValue(const char* path, int32_t* value);

// Notes a queue that is to be removed at the end; `handle` is a number as text.
// Returns 0 or errno: EINVAL if it cannot be one of a session, E2BIG if there
// are too many.
int KeepNetem(int32_t interface, const char* handle);

// Removes every queue noted. Returns 0 or the first errno.
int RemoveNetems();

// Puts every value back, the last one noted first. Returns 0 or the first
// errno that remains.
int PutValuesBack();

}  // namespace edgewise::guardian

#endif  // EDGEWISE_CONTROLS_KEPT_VALUES_H_
