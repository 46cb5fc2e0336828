#include "tenants/program_end.h"

#include <utility>

#include "base/text.h"
#include "sessions/outcome.h"

namespace edgewise::tenants {

namespace {

std::optional<Run> LastRun(const ChildSession& session, const Store& store) {
  if (session.run_ids().empty()) {
    return std::nullopt;
  }
  auto run = store.Find(session.run_ids().back());
  return run ? std::optional(std::move(*run)) : std::nullopt;
}

}  // namespace

std::string EarlyEnd(const ChildSession& session, const Store& store) {
  if (const auto run = LastRun(session, store)) {
    return FailureText(*run) + LastWords(run->output_tail) +
           " (edgewise show " + run->id + ")";
  }
  return session.failure().empty() ? "without a reason" : session.failure();
}

std::optional<std::string> BadEnd(const ChildSession& session,
                                  const Store& store) {
  // The tenant program takes a signal as the end of its time.
  const auto run = LastRun(session, store);
  return run && !run->signal && run->exit_code == 0
             ? std::nullopt
             : std::optional(EarlyEnd(session, store));
}

std::string LastWords(std::string_view output) {
  constexpr std::string_view kTenant = "tenant: ";
  constexpr size_t kMost = 200;
  std::string_view tenant;
  std::string_view other;
  for (const std::string_view line : Split(output, '\n')) {
    const std::string_view words = Trim(line);
    if (words.starts_with(kTenant)) {
      tenant = words.substr(kTenant.size());
    } else if (!words.empty()) {
      other = words;
    }
  }
  std::string text;
  if (!tenant.empty()) {
    text += ": " + std::string(tenant);
  }
  if (!other.empty()) {
    text += std::string(tenant.empty() ? ": " : "; ") +
            "the last that it said is \"" +
            std::string(other.substr(0, kMost)) + "\"";
  }
  return text;
}

}  // namespace edgewise::tenants
