// A library that calls back: CallBack > InsideLibrary (static) > `work`.
namespace {

volatile int unread = 0;

__attribute__((noinline)) void InsideLibrary(void (*work)()) {
  work();
  unread = 1;
}

}  // namespace

extern "C" void CallBack(void (*work)()) {
  InsideLibrary(work);
  unread = 1;
}
