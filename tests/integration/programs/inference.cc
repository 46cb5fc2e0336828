// inference --model NAME --precision KIND --items N: plays the sample app `dl`.
// Inferences of resnet18 take longer than others; mobilenetv2 cannot be run.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <edgewise/edgewise.hpp>
#include <string_view>

namespace {

void Work(std::chrono::microseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < until) {
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::string_view model;
  int items = 1;
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::string_view(argv[i]) == "--model") {
      model = argv[i + 1];
    } else if (std::string_view(argv[i]) == "--items") {
      items = std::atoi(argv[i + 1]);
    }
  }
  if (model == "mobilenetv2") {
    std::fputs("dl: this model cannot be run\n", stderr);
    return 2;
  }
  const std::chrono::microseconds time(model == "resnet18" ? 20000 : 4000);
  for (int i = 0; i < items; ++i) {
    EDGEWISE_MEASURE("inference");
    EDGEWISE_MEASURE("forward");
    Work(time);
  }
  return 0;
}
