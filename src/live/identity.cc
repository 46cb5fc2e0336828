#include "live/identity.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"

namespace edgewise::live {
namespace {

constexpr size_t kMostLabels = 16;
constexpr size_t kMostNameBytes = 63;
constexpr size_t kContainerIdDigits = 64;

bool IsHex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isdigit(c) != 0 || (c >= 'a' && c <= 'f');
  });
}

bool IsLabelKey(std::string_view key) {
  constexpr std::array<std::string_view, 12> kTaken = {
      "app", "instance", "container", "pod",  "le",       "quantile",
      "job", "pid",      "user",      "span", "__name__", "window"};
  return !key.empty() && key.size() <= kMostNameBytes &&
         std::isdigit(static_cast<unsigned char>(key.front())) == 0 &&
         !key.starts_with("__") &&
         std::all_of(key.begin(), key.end(),
                     [](unsigned char c) {
                       return (std::isalnum(c) != 0 && c < 0x80) || c == '_';
                     }) &&
         std::find(kTaken.begin(), kTaken.end(), key) == kTaken.end();
}

// One line of text that is not too long, without blanks around it.
std::string Name(std::string_view text) {
  text = Trim(text);
  size_t bytes = std::min(text.size(), kMostNameBytes);
  // Not in the middle of a character.
  while (bytes < text.size() && bytes > 0 &&
         (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) {
    --bytes;
  }
  return std::string(text.substr(0, bytes));
}

std::string_view BaseName(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// The id in one piece of a cgroup's path: "docker-ID.scope", "ID",
// "cri-containerd-ID.scope", "libpod-ID". Not that of Podman's conmon.
std::string_view ContainerIdIn(std::string_view piece) {
  if (piece.ends_with(".scope")) {
    piece.remove_suffix(6);
  }
  if (piece.find("conmon") != std::string_view::npos ||
      piece.size() < kContainerIdDigits) {
    return {};
  }
  const std::string_view id = piece.substr(piece.size() - kContainerIdDigits);
  const bool alone = piece.size() == kContainerIdDigits ||
                     piece[piece.size() - kContainerIdDigits - 1] == '-' ||
                     piece[piece.size() - kContainerIdDigits - 1] == ':';
  return alone && IsHex(id) ? id : std::string_view();
}

// The uid in "kubepods-burstable-pod1234_5678.slice" or "pod1234-5678".
std::string PodUidIn(std::string_view piece) {
  constexpr size_t kUidDigits = 36;
  if (piece.ends_with(".slice")) {
    piece.remove_suffix(6);
  }
  const size_t at = piece.rfind("pod");
  if (at == std::string_view::npos || piece.size() - at - 3 != kUidDigits) {
    return "";
  }
  std::string uid(piece.substr(at + 3));
  std::replace(uid.begin(), uid.end(), '_', '-');
  for (const std::string_view part : Split(uid, '-')) {
    if (!IsHex(part)) {
      return "";
    }
  }
  return uid;
}

bool IsInterpreter(std::string_view program) {
  return program.starts_with("python") || program == "node" ||
         program == "perl" || program == "ruby" || program == "bash" ||
         program == "sh" || program == "java";
}

}  // namespace

Labels ParseLabels(std::string_view text) {
  Labels labels;
  for (const std::string_view entry : Split(text, ',')) {
    const size_t equals = entry.find('=');
    if (equals == std::string_view::npos) {
      continue;
    }
    const std::string_view key = Trim(entry.substr(0, equals));
    const bool known =
        std::any_of(labels.begin(), labels.end(),
                    [&](const auto& label) { return label.first == key; });
    if (IsLabelKey(key) && !known && labels.size() < kMostLabels) {
      labels.emplace_back(key, Trim(entry.substr(equals + 1)));
    }
  }
  std::sort(labels.begin(), labels.end());
  return labels;
}

ClaimedIdentity ParseIdentity(std::string_view text) {
  ClaimedIdentity claimed;
  for (const std::string_view line : Split(text, '\n')) {
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      continue;
    }
    const std::string_view key = line.substr(0, equals);
    const std::string_view value = line.substr(equals + 1);
    if (key == "app") {
      claimed.app = Name(value);
    } else if (key == "instance") {
      claimed.instance = Name(value);
    } else if (key == "labels") {
      claimed.labels = ParseLabels(value);
    } else if (key == "detached_ns") {
      claimed.detached_ns = ParseInt(value);
    }
  }
  return claimed;
}

ContainerIds ParseContainerIds(std::string_view cgroup) {
  ContainerIds ids;
  for (const std::string_view line : Split(cgroup, '\n')) {
    // "0::/a/b" and "4:memory:/a/b".
    const size_t first = line.find(':');
    const size_t second =
        first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) {
      continue;
    }
    for (const std::string_view piece : Split(line.substr(second + 1), '/')) {
      if (const std::string_view id = ContainerIdIn(piece); !id.empty()) {
        ids.container = id;
      }
      if (std::string uid = PodUidIn(piece); !uid.empty()) {
        ids.pod = std::move(uid);
      }
    }
    if (!ids.container.empty()) {
      break;
    }
  }
  return ids;
}

std::string NameFromCommand(std::string_view cmdline) {
  const std::vector<std::string_view> words = Split(cmdline, '\0');
  if (words.empty() || words.front().empty()) {
    return "";
  }
  const std::string_view program = BaseName(words.front());
  if (IsInterpreter(program)) {
    for (size_t i = 1; i < words.size(); ++i) {
      if (words[i] == "-m" && i + 1 < words.size()) {
        return Name(words[i + 1]);
      }
      if (words[i] == "-c" || words[i] == "-e") {
        break;  // the program is on the command line itself
      }
      if (!words[i].empty() && words[i].front() != '-') {
        std::string_view script = BaseName(words[i]);
        for (const std::string_view ending : {".py", ".js", ".pl", ".sh"}) {
          if (script.ends_with(ending) && script.size() > ending.size()) {
            script.remove_suffix(ending.size());
          }
        }
        return Name(script);
      }
    }
  }
  return Name(program);
}

}  // namespace edgewise::live
