#include "live/push.h"

#include <cctype>
#include <chrono>
#include <utility>

#include "fetch/client.h"
#include "http/exposition.h"

namespace edgewise::live {
namespace {

std::string UrlEncode(std::string_view text) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((std::isalnum(byte) != 0 && byte < 0x80) || c == '-' || c == '_' ||
        c == '.') {
      encoded.push_back(c);
    } else {
      encoded.push_back('%');
      encoded.push_back(kDigits[byte >> 4]);
      encoded.push_back(kDigits[byte & 15]);
    }
  }
  return encoded;
}

}  // namespace

Result<std::string> PushUrl(const PushSettings& settings) {
  std::string url = settings.url;
  if (!url.starts_with("http://") && !url.starts_with("https://")) {
    return Error{ErrorCode::kInvalid,
                 "\"" + url +
                     "\" is no address of a Pushgateway: write it as "
                     "http://HOST:9091"};
  }
  while (url.ends_with('/')) {
    url.pop_back();
  }
  return url + "/metrics/job/" + UrlEncode(settings.job) + "/instance/" +
         UrlEncode(settings.instance);
}

Result<std::unique_ptr<Pusher>> Pusher::Start(
    const PushSettings& settings, std::function<std::string()> metrics,
    std::function<void(const std::string&)> report) {
  auto url = PushUrl(settings);
  if (!url) {
    return url.error();
  }
  // Whether there is a client at all is known before the thread starts.
  if (const auto client = fetch::MakeClient(); !client) {
    return client.error();
  }
  return std::unique_ptr<Pusher>(new Pusher(std::move(*url), settings.every_ns,
                                            std::move(metrics),
                                            std::move(report)));
}

Pusher::Pusher(std::string url, int64_t every_ns,
               std::function<std::string()> metrics,
               std::function<void(const std::string&)> report)
    : url_(std::move(url)),
      every_ns_(every_ns),
      metrics_(std::move(metrics)),
      report_(std::move(report)),
      thread_([this] { Run(); }) {}

Pusher::~Pusher() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

bool Pusher::WaitForTurn() {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::nanoseconds(every_ns_),
                    [this] { return ending_; });
  return !ending_;
}

void Pusher::Run() {
  auto client = fetch::MakeClient();
  if (!client) {
    report_(client.error().message);
    return;
  }
  fetch::Request request;
  request.method = "PUT";
  request.url = url_;
  request.headers = {
      {"Content-Type", http::ContentTypeOf(http::ExpositionFormat::kText)}};
  request.connect_limit = std::chrono::seconds(2);
  request.limit = std::chrono::seconds(5);
  bool failing = false;
  do {
    request.body = metrics_();
    const auto answer = (*client)->Send(request);
    const bool taken = answer && answer->status / 100 == 2;
    if (!taken && !failing) {
      report_("pushing to " + url_ + " fails, and is tried again: " +
              (answer ? "it answers " + std::to_string(answer->status)
                      : answer.error().message));
    } else if (taken && failing) {
      report_("pushing to " + url_ + " works again");
    }
    failing = !taken;
  } while (WaitForTurn());
  // A gateway keeps what nobody takes back, and shows it for ever.
  request.method = "DELETE";
  request.body.clear();
  (void)(*client)->Send(request);
}

}  // namespace edgewise::live
