/* Where CPython's own headers say that things are. */
#ifndef EDGEWISE_TESTS_PROBES_PYTHON_OFFSETS_H_
#define EDGEWISE_TESTS_PROBES_PYTHON_OFFSETS_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct PythonOffset {
  const char* name; /* as in struct Layout */
  size_t value;
};

/* Ends with a null name. */
extern const struct PythonOffset kPythonOffsets[];
extern const int kPythonMinor;

#ifdef __cplusplus
}
#endif

#endif /* EDGEWISE_TESTS_PROBES_PYTHON_OFFSETS_H_ */
