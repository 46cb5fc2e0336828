// A Run's document as JSON, both ways.
//
// Reading is tolerant, so that stores outlive versions: fields that are
// missing or of the wrong type keep their default, unknown ones are ignored.
// JSON is Unicode: bytes of a command or of output that are not become U+FFFD.
#ifndef EDGEWISE_STORE_RUN_JSON_H_
#define EDGEWISE_STORE_RUN_JSON_H_

#include <string>
#include <string_view>

#include "base/result.h"
#include "store/run.h"

namespace edgewise {

std::string RunToJson(const Run& run);
// kCorrupt if the text is no JSON object.
Result<Run> RunFromJson(std::string_view text);

}  // namespace edgewise

#endif  // EDGEWISE_STORE_RUN_JSON_H_
