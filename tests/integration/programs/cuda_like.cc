// Does what CUDA's driver does when a program starts to use it: loads the
// library that $CUDA_INJECTION64_PATH names and lets it begin.
//
//   cuda_like [crash|fork]   crash: dies at once, without the exit handlers;
//                            fork: has children that end as programs do
#include <dlfcn.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

int main(int argc, char** argv) {
  const char* const path = std::getenv("CUDA_INJECTION64_PATH");
  if (path == nullptr) {
    std::puts("no injection");
    return 0;
  }
  void* const library = ::dlopen(path, RTLD_NOW);
  if (library == nullptr) {
    std::fprintf(stderr, "cuda_like: %s\n", ::dlerror());
    return 1;
  }
  const auto begin =
      reinterpret_cast<int (*)()>(::dlsym(library, "InitializeInjection"));
  if (begin == nullptr || begin() != 1) {
    std::fputs("cuda_like: the library did not begin\n", stderr);
    return 1;
  }
  if (argc > 1 && std::string_view(argv[1]) == "crash") {
    ::raise(SIGKILL);
  }
  if (argc > 1 && std::string_view(argv[1]) == "fork") {
    for (int i = 0; i < 20; ++i) {
      if (::fork() == 0) {
        std::exit(0);
      }
    }
    while (::wait(nullptr) > 0) {
    }
  }
  return 0;
}
