// Puts the functions of a Python program where the interpreter runs them.
#ifndef EDGEWISE_SYMBOLS_PYTHON_MERGE_H_
#define EDGEWISE_SYMBOLS_PYTHON_MERGE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "symbols/frame_namer.h"

namespace edgewise::symbols {

// A Python function that was running.
struct PythonFrame {
  int32_t id = 0;         // of a ProfileBuilder
  bool is_entry = false;  // the outermost of one native call of the evaluator
};

// One stack, outermost first, of the native frames (`native`, innermost first)
// and the Python frames (`python`, innermost first, not empty).
//
// Each native frame of the evaluator becomes the Python functions it ran. Of
// the interpreter's other frames only named functions that a program may have
// called stay, and these only innermost; how the program and its threads were
// started is left out. Frames of other files stay.
//
// The two were not taken at the same instant. Where the evaluator's frames and
// the groups of Python frames differ in number, they are matched from the
// outermost on (from the innermost on if the native stack is not `complete`),
// and Python frames that find no match follow the interpreter's last frame.
std::vector<int32_t> MergePython(
    std::span<const FrameNamer::Frames* const> native,
    std::span<const PythonFrame> python, bool complete);

}  // namespace edgewise::symbols

#endif  // EDGEWISE_SYMBOLS_PYTHON_MERGE_H_
