// A program to be measured. `client_app spans N` records N spans.
#include <cstdlib>
#include <cstring>

#include "edgewise/edgewise.hpp"

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "spans") == 0) {
    for (int i = 0; i < std::atoi(argv[2]); ++i) {
      EDGEWISE_MEASURE("app", {{"index", i % 2 == 0 ? "even" : "odd"}});
    }
    return 0;
  }
  return 2;
}
