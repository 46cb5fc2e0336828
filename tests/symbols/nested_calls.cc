#include "nested_calls.h"

#include <csignal>

namespace nested {
namespace {

volatile int unread = 0;

// What follows a call keeps it from becoming a jump.
int After() {
  unread = unread + 1;
  return unread;
}

const Work* handler_work = nullptr;

__attribute__((noinline)) int Local(const Work& work) {
  work();
  return After();
}

void Handler(int /*signal*/) {
  (*handler_work)();
  After();
}

inline __attribute__((always_inline)) int InlinedInner(const Work& work) {
  work();  // line of InlinedInner
  return After();
}

inline __attribute__((always_inline)) int InlinedOuter(const Work& work) {
  return InlinedInner(work) + After();
}

}  // namespace

template <typename T>
__attribute__((noinline)) T Middle(const Work& work) {
  volatile char much[700];
  much[0] = 1;
  return static_cast<T>(Local(work) + much[0]);
}

__attribute__((noinline)) int Outermost(const Work& work) {
  return Middle<int>(work) + After();
}

__attribute__((noinline)) int CallsInlined(const Work& work) {
  return InlinedOuter(work) + After();
}

__attribute__((noinline)) int Interrupted(const Work& work) {
  handler_work = &work;
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = Handler;
  sigaction(SIGUSR1, &action, &before);
  raise(SIGUSR1);
  sigaction(SIGUSR1, &before, nullptr);
  return After();
}

}  // namespace nested
