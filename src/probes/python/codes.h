// PythonCodes: the functions of all Python processes of one collection.
//
// Processes that run the same program (workers that were forked, say) share
// ids. Knows nothing of where a function was found. Not thread-safe.
#ifndef EDGEWISE_PROBES_PYTHON_CODES_H_
#define EDGEWISE_PROBES_PYTHON_CODES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "stacks/spool.h"

namespace edgewise {

class PythonCodes {
 public:
  // A program cannot make the collector remember more text than this, in
  // bytes; functions that come later share the id of "[more functions]".
  static constexpr size_t kMaxTextBytes = size_t{4} << 20;

  // The id of a function, the same for the same texts. The file may be empty,
  // the line 0.
  uint32_t Intern(std::string_view function, std::string_view file,
                  int32_t first_line);

  // Those that were new since the last call, in order of their ids.
  std::vector<stacks::SpooledPythonCode> TakeNew();

 private:
  uint32_t Add(std::string key, std::string_view function,
               std::string_view file, int32_t first_line);

  std::unordered_map<std::string, uint32_t> ids_;
  std::vector<stacks::SpooledPythonCode> new_;
  size_t text_bytes_ = 0;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_PYTHON_CODES_H_
