// Functions that call each other and, innermost, whatever they are told to.
// Built with optimisation, without frame pointers and with debug information.
#ifndef EDGEWISE_TESTS_SYMBOLS_NESTED_CALLS_H_
#define EDGEWISE_TESTS_SYMBOLS_NESTED_CALLS_H_

#include <functional>

namespace nested {

using Work = std::function<void()>;

// Outermost > Middle<int> > Local (static) > `work`.
int Outermost(const Work& work);
// CallsInlined > (inlined) InlinedOuter > (inlined) InlinedInner > `work`.
int CallsInlined(const Work& work);
// Interrupted is interrupted by a signal whose handler, Handler, runs `work`.
int Interrupted(const Work& work);

}  // namespace nested

#endif  // EDGEWISE_TESTS_SYMBOLS_NESTED_CALLS_H_
