// What reaches the queue of jobs from outside: app files with options of an
// engine, rules, and answers of a server.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.h"
#include "jobs/engine_option.h"
#include "jobs/job_rules.h"
#include "jobs/remote_jobs.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  edgewise::JobRules rules;
  rules.images = {"*"};
  rules.mounts = {{"/srv", false}};
  rules.folder = "/srv";
  if (const auto words = edgewise::ShellSplit(text)) {
    (void)edgewise::ReadEngineArgs(*words);
    (void)edgewise::AdaptEngineArgs(*words, rules);
  }
  if (const auto app = edgewise::ReadAppFile(text, "fuzz")) {
    (void)edgewise::WhyNotPermitted(*app, rules);
  }
  (void)edgewise::ReadJobRules(text, "fuzz");
  (void)edgewise::JobFromJson(text);
  return 0;
}
