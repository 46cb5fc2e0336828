// tenant: a service that answers requests as they arrive.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "input/opencv_threads.h"
#include "input/video.h"
#include "load/program.h"
#include "tenant/settings.h"
#include "tenant/tenancy.h"

int main(int argc, char** argv) {
  using namespace edgewise::apps;
  CLI::App app("Answers requests as they arrive, in replicas.", "tenant");
  TenantFlags flags;
  flags.AddTo(app);
  char** const end = argv + argc;
  char** const options_end = std::find(argv, end, std::string_view("--"));
  if (options_end != end) {
    flags.TakeCommand({options_end + 1, end});
  }
  if (const auto code =
          ParseCommandLine(static_cast<int>(options_end - argv), argv, app)) {
    return *code;
  }
  if (flags.list()) {
    std::fputs(ListServices().c_str(), stdout);
    return 0;
  }
  const auto settings = flags.Check();
  if (!settings) {
    return Fail(app, settings.error());
  }
  SilenceOpenCv();
  SetOpenCvThreads(1);
  const auto report = RunTenancy(*settings);
  // A replica that does not come back from its service is left behind: no end
  // that would take away what it uses.
  if (!report) {
    std::_Exit(Fail(app, report.error()));
  }
  std::fputs(settings->json ? ReportJson(*settings, *report).c_str()
                            : ReportText(*settings, *report).c_str(),
             stdout);
  std::fflush(stdout);
  std::_Exit(0);
}
