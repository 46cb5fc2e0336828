#include "live/decision_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "report/json_writer.h"

namespace edgewise::live {
namespace {

namespace fs = std::filesystem;

fs::path Folder(const fs::path& home) { return home / "agent"; }
constexpr char kNow[] = "decisions";
constexpr char kBefore[] = "decisions.before";

}  // namespace

std::string DecisionJson(const control::Decision& decision) {
  JsonObject object;
  object.AddString("utc", FormatUtc(decision.utc_ns));
  object.AddInt("utc_ns", decision.utc_ns);
  object.AddString("kind", control::DecisionKindName(decision.kind));
  object.AddString("app", decision.app);
  object.AddString("what", decision.what);
  object.AddString("why", decision.why);
  object.Add("carried_out", decision.carried_out ? "true" : "false");
  object.AddString("goal", decision.goal);
  object.AddNumber("measured", decision.measured);
  object.AddString("measured_text", decision.measured_text);
  object.AddNumber("cpu_cores", decision.cpu_cores);
  object.AddNumber("granted_cores", decision.granted_cores);
  object.AddNumber("wanted_cores", decision.wanted_cores);
  object.AddNumber("node_wanted_cores", decision.node_wanted_cores);
  object.AddNumber("node_capacity_cores", decision.node_capacity_cores);
  object.AddNumber("hottest_c", decision.hottest_c);
  return object.text();
}

DecisionLog::DecisionLog(const fs::path& home, int64_t most_bytes)
    : path_(Folder(home) / kNow), most_bytes_(most_bytes) {
  std::error_code ignored;
  fs::create_directories(path_.parent_path(), ignored);
}

void DecisionLog::Add(const control::Decision& decision) {
  std::string line = control::DecisionText(decision);
  // Names of apps are their own choice.
  std::replace_if(
      line.begin(), line.end(),
      [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  line += "\t" + DecisionJson(decision) + "\n";
  UniqueFd file(::open(path_.c_str(),
                       O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW,
                       0600));
  if (!file.valid()) {
    return;
  }
  if (::lseek(file.get(), 0, SEEK_END) + static_cast<int64_t>(line.size()) >
      most_bytes_) {
    std::error_code ignored;
    fs::rename(path_, path_.parent_path() / kBefore, ignored);
    file.reset(::open(path_.c_str(),
                      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW,
                      0600));
  }
  (void)!::write(file.get(), line.data(), line.size());
}

Result<std::vector<LoggedDecision>> ReadDecisionLog(const fs::path& home,
                                                    size_t most) {
  std::vector<LoggedDecision> decisions;
  bool any = false;
  for (const char* name : {kBefore, kNow}) {
    const auto text = TryReadFile(Folder(home) / name);
    if (!text) {
      continue;
    }
    any = true;
    for (const std::string_view line : Split(*text, '\n')) {
      const size_t tab = line.find('\t');
      if (tab != std::string_view::npos) {
        decisions.push_back({std::string(line.substr(0, tab)),
                             std::string(line.substr(tab + 1))});
      }
    }
  }
  if (!any) {
    return Error{ErrorCode::kNotFound,
                 "there are no decisions in " + Folder(home).string() +
                     ": start edgewise agent --goals goals.yaml, or name its "
                     "--home"};
  }
  if (decisions.size() > most) {
    decisions.erase(decisions.begin(),
                    decisions.end() - static_cast<ptrdiff_t>(most));
  }
  return decisions;
}

}  // namespace edgewise::live
