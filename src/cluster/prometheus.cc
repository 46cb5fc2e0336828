#include "cluster/prometheus.h"

#include "base/clock.h"
#include "base/host_port.h"
#include "cluster/read_nodes.h"
#include "cluster/read_pods.h"

namespace edgewise::cluster {
namespace {

constexpr int kUsualPort = 9090;

std::string UrlEncoded(std::string_view text) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       (c >= '0' && c <= '9') || c == '_' || c == '-' ||
                       c == '.';
    if (plain) {
      encoded += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      encoded += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return encoded;
}

}  // namespace

Result<std::string> PrometheusUrl(const std::string& text) {
  std::string url = text;
  if (url.find("://") == std::string::npos) {
    std::string host = url;
    int port = kUsualPort;
    if (url.find(':') != std::string::npos) {
      const auto both = ParseHostPort(url);
      if (!both) {
        return both.error();
      }
      host = both->host;
      port = both->port;
    }
    url = "http://" + FormatHostPort(host, port);
    if (host.empty() || host.find_first_of(" /?#@") != std::string::npos) {
      url.clear();
    }
  }
  if (!url.starts_with("http://") && !url.starts_with("https://")) {
    return Error{ErrorCode::kInvalid,
                 "\"" + text +
                     "\" is not where a Prometheus can be: write HOST:PORT or "
                     "a URL, as in 10.0.0.5:9090 or https://monitor:9090"};
  }
  while (url.ends_with('/')) {
    url.pop_back();
  }
  return url;
}

Result<Prometheus> Prometheus::Open(PrometheusSettings settings) {
  auto client = fetch::MakeClient();
  if (!client) {
    return client.error();
  }
  return Prometheus(std::move(settings), std::move(*client));
}

Result<std::vector<Sample>> Prometheus::Query(const std::string& expression) {
  fetch::Request request;
  request.url = settings_.url + "/api/v1/query?query=" + UrlEncoded(expression);
  request.credentials = settings_.credentials;
  request.ca_file = settings_.ca_file;
  request.connect_limit = settings_.limit;
  request.limit = settings_.limit;
  const auto failed = [&](ErrorCode code, const std::string& why) {
    return Error{code,
                 "Prometheus at " + settings_.url + " cannot be asked: " + why};
  };
  const auto response = client_->Send(request);
  if (!response) {
    return failed(response.error().code, response.error().message);
  }
  if (response->status == 401 || response->status == 403) {
    return failed(ErrorCode::kPermission, "it refuses these credentials (" +
                                              std::to_string(response->status) +
                                              ")");
  }
  auto samples = ReadVector(response->body);
  if (!samples) {
    return failed(samples.error().code, samples.error().message + " (status " +
                                            std::to_string(response->status) +
                                            ")");
  }
  return samples;
}

Result<ClusterState> Prometheus::ReadCluster() {
  ClusterState state;
  state.taken_ns = MonotonicNs();
  Answers answers;
  for (size_t i = 0; i < kSeries; ++i) {
    auto samples = Query(QueryFor(static_cast<Series>(i), settings_.window));
    if (!samples) {
      return samples.error();
    }
    answers[i] = std::move(*samples);
  }
  state.nodes = NodesFrom(answers);
  return state;
}

Result<ClusterState> Prometheus::ReadPods(const std::string& annotation) {
  ClusterState state;
  state.taken_ns = MonotonicNs();
  const auto any = Query(kAnyPodsQuery);
  if (!any) {
    return any.error();
  }
  if (any->empty()) {
    return Error{ErrorCode::kUnsupported,
                 "Prometheus at " + settings_.url +
                     " knows of no pod (kube_pod_info): let it scrape "
                     "kube-state-metrics"};
  }
  const auto samples = Query(PodsQuery(annotation));
  if (!samples) {
    return samples.error();
  }
  state.pods = PodsFrom(*samples);
  return state;
}

}  // namespace edgewise::cluster
