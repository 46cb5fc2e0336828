#include "mqtt/role_process.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>

#include "base/text.h"
#include "base/write_all.h"
#include "mqtt/role_control.h"

namespace edgewise::mqtt {
namespace {

constexpr int kReportNumber = 3;
constexpr size_t kMostBuffered = size_t{1} << 20;

}  // namespace

Result<RoleProcess> RoleProcess::Start(PipelineSettings settings, Role role) {
  std::array<int, 2> commands{};
  std::array<int, 2> reports{};
  if (::pipe2(commands.data(), O_CLOEXEC) != 0) {
    return Error{ErrorCodeFromErrno(errno), "no pipe: " + ErrnoText()};
  }
  const UniqueFd commands_out(commands[0]);
  UniqueFd commands_in(commands[1]);
  if (::pipe2(reports.data(), O_CLOEXEC) != 0) {
    return Error{ErrorCodeFromErrno(errno), "no pipe: " + ErrnoText()};
  }
  UniqueFd reports_out(reports[0]);
  const UniqueFd reports_in(reports[1]);
  ::fcntl(reports_out.get(), F_SETFL, O_NONBLOCK);
  settings.report_fd = kReportNumber;
  std::error_code ignored;
  std::vector<std::string> command{
      std::filesystem::read_symlink("/proc/self/exe", ignored).string()};
  const auto words = RoleArguments(settings, role);
  command.insert(command.end(), words.begin(), words.end());
  if (role == Role::kProcess && !settings.command.empty()) {
    command.emplace_back("--");
    command.insert(command.end(), settings.command.begin(),
                   settings.command.end());
  }
  ChildProgram::Descriptors descriptors;
  descriptors.input = commands_out.get();
  descriptors.report = reports_in.get();
  auto child = ChildProgram::Start(command, descriptors);
  if (!child) {
    return child.error();
  }
  return RoleProcess(role, std::move(*child), std::move(commands_in),
                     std::move(reports_out));
}

void RoleProcess::Read() {
  std::array<char, 4096> bytes;
  for (;;) {
    const ssize_t got = ::read(reports_.get(), bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      break;
    }
    if (buffer_.size() < kMostBuffered) {
      buffer_.append(bytes.data(), static_cast<size_t>(got));
    }
  }
  for (size_t end = buffer_.find('\n'); end != std::string::npos;
       end = buffer_.find('\n')) {
    std::string line = buffer_.substr(0, end);
    buffer_.erase(0, end + 1);
    if (line.starts_with(kSayFailed)) {
      const std::string rest = line.substr(kSayFailed.size());
      const size_t blank = rest.find(' ');
      failure_ = Error{
          static_cast<ErrorCode>(ParseInt(rest.substr(0, blank)).value_or(0)),
          rest.substr(blank + 1)};
    } else {
      lines_.push_back(std::move(line));
    }
  }
}

std::optional<std::string> RoleProcess::NextLine() {
  if (lines_.empty()) {
    return std::nullopt;
  }
  std::string line = std::move(lines_.front());
  lines_.pop_front();
  return line;
}

void RoleProcess::Say(std::string_view line) {
  (void)WriteAll(commands_.get(), std::string(line) + "\n");
}

std::string FailureLine(const Error& error) {
  std::string message = error.message;
  std::replace(message.begin(), message.end(), '\n', ' ');
  return std::string(kSayFailed) +
         std::to_string(static_cast<int>(error.code)) + " " + message;
}

}  // namespace edgewise::mqtt
