// spans HOW [N]: an application with the in-app library.
//   steady N   N frames with every kind of record
//   slow N     N frames that use more time than those of `steady`
//   open       stays inside two spans until it is killed
//   flood N    N spans of one name as fast as it can
//   flood2 N   the same with two names
//   endless    frames until it is killed; a byte to stdout after each 100
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <edgewise/edgewise.hpp>
#include <string>
#include <string_view>

namespace {

void Work(int rounds) {
  volatile unsigned sink = 0;
  for (int i = 0; i < rounds; ++i) {
    sink = sink + static_cast<unsigned>(i);
  }
}

void Frames(int count, int rounds) {
  edgewise::Gauge temperature("temperature_c");
  edgewise::Counter seen("seen");
  edgewise::Rate fps("fps");
  edgewise::Periodic control("control", std::chrono::microseconds(500));
  for (int i = 0; i < count; ++i) {
    EDGEWISE_MEASURE("frame", {{"src", i % 2 == 0 ? "left" : "right"}});
    {
      edgewise::Timer timer("step");
      Work(rounds);
    }
    auto job = control.Next();
    Work(rounds);
    temperature.Set(40 + i % 3);
    seen.Add();
    fps.Tick();
  }
}

[[noreturn]] void StayInside() {
  EDGEWISE_MEASURE("outer");
  EDGEWISE_MEASURE("inner");
  std::puts("inside");
  std::fflush(stdout);
  while (true) {
    pause();
  }
}

[[noreturn]] void FramesForEver() {
  while (true) {
    for (int i = 0; i < 100; ++i) {
      EDGEWISE_MEASURE("frame");
      Work(1000);
    }
    if (write(STDOUT_FILENO, ".", 1) != 1) {
      _exit(3);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view how = argc > 1 ? argv[1] : "";
  const int count = argc > 2 ? std::atoi(argv[2]) : 0;
  if (how == "steady") {
    Frames(count, 2'000);
  } else if (how == "slow") {
    Frames(count, 40'000);
  } else if (how == "open") {
    StayInside();
  } else if (how == "flood") {
    for (int i = 0; i < count; ++i) {
      EDGEWISE_MEASURE("drop");
    }
  } else if (how == "flood2") {
    for (int i = 0; i < count / 2; ++i) {
      EDGEWISE_MEASURE("outside");
      EDGEWISE_MEASURE("inside");
    }
  } else if (how == "endless") {
    FramesForEver();
  } else {
    return 2;
  }
}
