// Bodies that clients send to `edgewise serve`, and answers of a Prometheus.
// The first byte chooses the reader.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cluster/prometheus_answer.h"
#include "http/tokens.h"
#include "server/extender_args.h"
#include "server/flat_object.h"
#include "server/multipart.h"
#include "server/profiling_request.h"

namespace edgewise {
namespace {

void ReadRequest(std::string_view body) {
  const auto request = ReadProfilingRequest(body);
  if (const auto* const read = std::get_if<ProfilingRequest>(&request)) {
    // What is echoed is the same to us.
    const auto again = ReadProfilingRequest(read->echo);
    if (!std::holds_alternative<ProfilingRequest>(again) ||
        std::get<ProfilingRequest>(again).echo != read->echo) {
      std::abort();
    }
  }
}

void ReadUploadedForm(std::string_view text) {
  const size_t line = text.find('\n');
  if (line == std::string_view::npos) {
    return;
  }
  const std::string_view body = text.substr(line + 1);
  const auto form = ReadForm(text.substr(0, line), body);
  if (const auto* const parts = std::get_if<std::vector<FormPart>>(&form)) {
    for (const FormPart& part : *parts) {
      if (part.body.data() < body.data() ||
          part.body.data() + part.body.size() > body.data() + body.size()) {
        std::abort();
      }
    }
  }
}

void AnswerScheduler(std::string_view body) {
  const auto read = ReadExtenderArgs(body);
  if (const auto* const args = std::get_if<ExtenderArgs>(&read)) {
    const std::vector<NodeVerdict> verdicts(args->nodes.size(),
                                            {true, false, "", 3});
    (void)FilterResultJson(*args, verdicts);
    (void)PrioritiesJson(*args, verdicts);
  }
}

}  // namespace
}  // namespace edgewise

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::string_view text(reinterpret_cast<const char*>(data) + 1,
                              size - 1);
  switch (data[0] % 6) {
    case 0:
      edgewise::ReadRequest(text);
      break;
    case 1:
      (void)edgewise::ReadFlatBatch(text, 10);
      break;
    case 2:
      edgewise::ReadUploadedForm(text);
      break;
    case 3:
      (void)edgewise::cluster::ReadVector(text);
      break;
    case 4:
      edgewise::AnswerScheduler(text);
      break;
    default:
      (void)edgewise::http::IsPermitted(text, {"0123456789abcdef"});
  }
  return 0;
}
