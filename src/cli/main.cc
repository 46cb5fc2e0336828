#include "cli/app.h"

int main(int argc, char** argv) { return edgewise::cli::Main(argc, argv); }
