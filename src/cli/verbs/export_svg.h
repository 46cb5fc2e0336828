// `edgewise export --format svg`: the charts of a Run as pictures.
#ifndef EDGEWISE_CLI_VERBS_EXPORT_SVG_H_
#define EDGEWISE_CLI_VERBS_EXPORT_SVG_H_

#include <string>

#include "store/run.h"
#include "store/store.h"

namespace edgewise::cli {

// With a `chart` that one, to the file `output` or stdout; else all of them
// into the folder `output`. Returns the exit code.
int ExportSvg(const Store& store, const Run& run, const std::string& chart,
              const std::string& output);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_EXPORT_SVG_H_
