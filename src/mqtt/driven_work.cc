// A program whose jobs are released by messages.
#include <optional>
#include <utility>

#include "base/child_program.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "execution/release_file.h"
#include "mqtt/works.h"

namespace edgewise::mqtt {
namespace {

constexpr int64_t kReadyNs = 30 * kNsPerSecond;
constexpr int64_t kJobNs = 30 * kNsPerSecond;
constexpr int64_t kLookNs = 100 * kNsPerMs;
constexpr int64_t kGraceNs = 2 * kNsPerSecond;
constexpr uint32_t kSlot = 0;

class DrivenWork : public Work {
 public:
  DrivenWork(std::vector<std::string> command, const RoleControl& control)
      : command_(std::move(command)), control_(control) {}
  ~DrivenWork() override { End(); }

  Result<void> Begin() override {
    auto file = ReleaseFile::Create(1);
    if (!file) {
      return file.error();
    }
    file_.emplace(std::move(*file));
    auto child = ChildProgram::Start(
        command_, {}, {{client::kReleasesVariable, file_->VariableOf(kSlot)}});
    if (!child) {
      return child.error();
    }
    child_.emplace(std::move(*child));
    const int64_t until_ns = MonotonicNs() + kReadyNs;
    while (file_->ClaimedBy(kSlot) == 0) {
      const uint32_t seen = file_->doorbell();
      if (file_->ClaimedBy(kSlot) != 0) {
        break;
      }
      if (child_->Ended()) {
        return Error{ErrorCode::kInvalid,
                     Quoted() + " ended (" + EndText(*child_->Ended()) +
                         ") before it asked for a job: it must use Periodic of "
                         "the in-app library (the samples: --period), or use "
                         "--per-message"};
      }
      if (MonotonicNs() >= until_ns || control_.stopped()) {
        return Error{ErrorCode::kInvalid,
                     Quoted() + " did not ask for a job within " +
                         FormatDuration(static_cast<double>(kReadyNs)) +
                         ": it must use Periodic of the in-app library, or use "
                         "--per-message"};
      }
      file_->Wait(seen, MonotonicNs() + kLookNs);
    }
    return {};
  }

  Result<std::optional<WorkDone>> Do(std::string_view /*payload*/,
                                     int64_t received_ns) override {
    ++job_;
    const int64_t begun_ns = MonotonicNs();
    file_->Release(kSlot, job_, received_ns, received_ns + kJobNs);
    for (;;) {
      const uint32_t seen = file_->doorbell();
      const SlotNews news = file_->Read(kSlot);
      if (news.done == job_) {
        // What a program says of its times is believed within reason.
        const int64_t now_ns = MonotonicNs();
        const int64_t start_ns = std::clamp(news.start_ns, begun_ns, now_ns);
        return std::optional(
            WorkDone{start_ns, std::clamp(news.end_ns, start_ns, now_ns), ""});
      }
      if (const auto status = child_->Ended()) {
        return Error{ErrorCode::kInvalid,
                     Quoted() + " ended during message " + FormatCount(job_) +
                         " (" + EndText(*status) +
                         "): what was in the queue is lost"};
      }
      if (MonotonicNs() - begun_ns > kJobNs) {
        return Error{ErrorCode::kInvalid,
                     Quoted() + " did not end its job within " +
                         FormatDuration(static_cast<double>(kJobNs)) +
                         ": it hangs"};
      }
      file_->Wait(seen, MonotonicNs() + kLookNs);
    }
  }

  std::optional<pid_t> pid() const override {
    return child_ ? std::optional(child_->pid()) : std::nullopt;
  }

  void End() override {
    if (!child_) {
      return;
    }
    file_->Stop(kSlot);
    const int64_t until_ns = MonotonicNs() + kGraceNs;
    while (!child_->Ended() && MonotonicNs() < until_ns) {
      file_->Wait(file_->doorbell(), MonotonicNs() + 10 * kNsPerMs);
    }
    (void)child_->Stop(kGraceNs);
    child_.reset();
  }

 private:
  std::string Quoted() const { return "\"" + ShellQuote(command_) + "\""; }

  const std::vector<std::string> command_;
  const RoleControl& control_;
  std::optional<ReleaseFile> file_;
  std::optional<ChildProgram> child_;
  uint32_t job_ = 0;
};

}  // namespace

std::unique_ptr<Work> MakeDrivenWork(std::vector<std::string> command,
                                     const RoleControl& control) {
  return std::make_unique<DrivenWork>(std::move(command), control);
}

}  // namespace edgewise::mqtt
