// The Server over libmicrohttpd: a pool of threads, each with its own epoll
// and its share of the connections.
#include <microhttpd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/clock.h"
#include "base/tcp.h"
#include "http/mhd/connection_watch.h"
#include "http/mhd/exchange.h"
#include "http/mhd/slow_crew.h"
#include "http/server.h"

namespace edgewise::http {
namespace {

constexpr int kDrainSteps = 1000;

WatchedConnection& WatchedOf(MHD_Connection* connection) {
  const auto* info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return *static_cast<WatchedConnection*>(info->socket_context);
}

class MhdServer : public Server {
 public:
  MhdServer(ServerSettings settings, Router router)
      : settings_(std::move(settings)),
        router_(std::move(router)),
        traffic_(router_.routes().size()),
        budget_{settings_.body_budget_bytes},
        watch_(std::chrono::nanoseconds(settings_.request_limit).count(),
               static_cast<size_t>(settings_.connection_limit), traffic_),
        crew_(settings_.slow_threads, settings_.slow_queue_limit) {}
  ~MhdServer() override { Stop(); }

  bool Start(int listening);
  int port() const override { return port_; }
  const Traffic& traffic() const override { return traffic_; }
  void Stop() override;

 private:
  static MHD_Result OnRequest(void* self, MHD_Connection* connection,
                              const char* url, const char* method,
                              const char* version, const char* bytes,
                              size_t* size, void** context);
  static void OnCompleted(void* self, MHD_Connection* connection,
                          void** context, MHD_RequestTerminationCode how);
  static void OnConnection(void* self, MHD_Connection* connection,
                           void** context, MHD_ConnectionNotificationCode what);

  MHD_Result Begin(MHD_Connection* connection, const char* url,
                   const char* method, void** context);
  MHD_Result Work(MHD_Connection* connection, Exchange& exchange);
  MHD_Result Send(MHD_Connection* connection, Exchange& exchange);
  void LimitStreams(Exchange& exchange);
  void Count(const Exchange& exchange, int status);

  const ServerSettings settings_;
  const Router router_;
  Traffic traffic_;
  BodyBudget budget_;
  ConnectionWatch watch_;
  SlowCrew crew_;
  std::atomic<bool> stopping_ = false;
  MHD_Daemon* daemon_ = nullptr;
  int port_ = 0;
  std::mutex mutex_;  // of what follows
  std::condition_variable request_done_;
};

bool MhdServer::Start(int listening) {
  port_ = BoundPort(listening);
  const int threads =
      std::max(1, std::min(settings_.threads, settings_.connection_limit));
  // A pool of one is not a pool for the library.
  const auto pool = static_cast<unsigned>(threads > 1 ? threads : 0);
  daemon_ = MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, nullptr,
      nullptr, &MhdServer::OnRequest, this, MHD_OPTION_LISTEN_SOCKET, listening,
      MHD_OPTION_THREAD_POOL_SIZE, pool, MHD_OPTION_CONNECTION_LIMIT,
      static_cast<unsigned>(settings_.connection_limit),
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings_.header_limit_bytes,
      MHD_OPTION_NOTIFY_COMPLETED, &MhdServer::OnCompleted, this,
      MHD_OPTION_NOTIFY_CONNECTION, &MhdServer::OnConnection, this,
      MHD_OPTION_END);
  return daemon_ != nullptr;
}

void MhdServer::Stop() {
  if (daemon_ == nullptr) {
    return;
  }
  // Not MHD_quiesce_daemon: it ends the process where a thread has taken the
  // listening socket out of its epoll set at the same moment.
  stopping_ = true;
  watch_.EndStreams();
  {
    std::unique_lock lock(mutex_);
    request_done_.wait_for(lock, settings_.stop_limit,
                           [this] { return traffic_.requests.load() == 0; });
  }
  crew_.Finish();  // what is suspended goes on
  // libmicrohttpd 0.9.75 crashes where it refuses a malformed request while it
  // stops: by then no connection should be left.
  watch_.CutAll();
  for (int i = 0; i < kDrainSteps && traffic_.connections.load() > 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  MHD_stop_daemon(daemon_);
  daemon_ = nullptr;
}

MHD_Result MhdServer::OnRequest(void* self, MHD_Connection* connection,
                                const char* url, const char* method,
                                const char* /*version*/, const char* bytes,
                                size_t* size, void** context) {
  auto* const server = static_cast<MhdServer*>(self);
  auto* const exchange = static_cast<Exchange*>(*context);
  if (exchange == nullptr) {
    return server->Begin(connection, url, method, context);
  }
  if (*size > 0) {
    ConnectionWatch::MoveOn(WatchedOf(connection), *size);
    const bool taken = exchange->Receive(bytes, *size);
    *size = 0;
    return taken ? MHD_YES : MHD_NO;
  }
  if (exchange->response) {  // made by the crew
    return server->Send(connection, *exchange);
  }
  return server->Work(connection, *exchange);
}

MHD_Result MhdServer::Begin(MHD_Connection* connection, const char* url,
                            const char* method, void** context) {
  auto* const exchange =
      new Exchange(connection, url, method, router_, settings_.tokens, budget_);
  *context = exchange;
  traffic_.requests.fetch_add(1);
  if (stopping_ && !exchange->refusal) {
    exchange->refusal =
        ErrorResponse(503, "stopping", "the server is about to end");
  }
  if (exchange->RefuseAtOnce()) {
    exchange->Answer();
    return Send(connection, *exchange);
  }
  return MHD_YES;
}

MHD_Result MhdServer::Work(MHD_Connection* connection, Exchange& exchange) {
  ConnectionWatch::BeginWork(WatchedOf(connection));
  if (!exchange.is_slow()) {
    exchange.Answer();
    return Send(connection, exchange);
  }
  MHD_suspend_connection(connection);
  if (!crew_.Do([connection, &exchange] {
        exchange.Answer();
        MHD_resume_connection(connection);
      })) {
    Response busy = ErrorResponse(
        503, "busy", "too many requests are waiting: try again in a second");
    busy.headers.emplace_back("Retry-After", "1");
    exchange.response = std::move(busy);
    MHD_resume_connection(connection);
  }
  return MHD_YES;
}

void MhdServer::LimitStreams(Exchange& exchange) {
  if (!exchange.response->stream ||
      traffic_.streams.load() < settings_.stream_limit) {
    return;
  }
  exchange.response->stream->Detach();
  Response busy =
      ErrorResponse(503, "too_many_streams",
                    "all " + std::to_string(settings_.stream_limit) +
                        " streams are taken: end one, or try again later");
  busy.headers.emplace_back("Retry-After", "10");
  exchange.response = std::move(busy);
}

MHD_Result MhdServer::Send(MHD_Connection* connection, Exchange& exchange) {
  LimitStreams(exchange);
  const int status = exchange.response->status;
  const size_t size = exchange.response->shared_body
                          ? exchange.response->shared_body->size()
                          : exchange.response->body.size();
  MHD_Response* const made = MakeMhdResponse(exchange, connection);
  if (made == nullptr) {
    return MHD_NO;
  }
  if (exchange.stream) {
    traffic_.streams.fetch_add(1);
    watch_.BeginStream(WatchedOf(connection), exchange.stream);
  } else {
    watch_.BeginAnswer(WatchedOf(connection), size);
  }
  Count(exchange, status);
  const MHD_Result queued =
      MHD_queue_response(connection, static_cast<unsigned>(status), made);
  MHD_destroy_response(made);
  return queued;
}

void MhdServer::Count(const Exchange& exchange, int status) {
  if (exchange.match().route == nullptr) {
    traffic_.unmatched.fetch_add(1, std::memory_order_relaxed);
  } else {
    traffic_.Count(exchange.match().index, status,
                   MonotonicNs() - exchange.begin_ns);
  }
}

void MhdServer::OnCompleted(void* self, MHD_Connection* connection,
                            void** context,
                            MHD_RequestTerminationCode /*how*/) {
  auto* const server = static_cast<MhdServer*>(self);
  auto* const exchange = static_cast<Exchange*>(*context);
  if (exchange == nullptr) {
    return;
  }
  WatchedConnection& watched = WatchedOf(connection);
  if (exchange->stream) {
    exchange->stream->Detach();
    server->watch_.EndStream(watched);
    server->traffic_.streams.fetch_sub(1);
  }
  server->watch_.BeginRequest(watched);
  delete exchange;
  *context = nullptr;
  if (server->traffic_.requests.fetch_sub(1) == 1) {
    const std::lock_guard lock(server->mutex_);
    server->request_done_.notify_all();
  }
}

void MhdServer::OnConnection(void* self, MHD_Connection* connection,
                             void** context,
                             MHD_ConnectionNotificationCode what) {
  auto* const server = static_cast<MhdServer*>(self);
  if (what == MHD_CONNECTION_NOTIFY_STARTED) {
    const auto* info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    *context = server->watch_.Opened(info->connect_fd);
  } else if (*context != nullptr) {
    server->watch_.Closed(static_cast<WatchedConnection*>(*context));
    *context = nullptr;
  }
}

}  // namespace

}  // namespace edgewise::http

extern "C" __attribute__((visibility("default"))) edgewise::http::Server*
edgewise_http_server_3(const edgewise::http::ServerSettings& settings,
                       edgewise::http::Router&& router, int listening) {
  auto server =
      std::make_unique<edgewise::http::MhdServer>(settings, std::move(router));
  return server->Start(listening) ? server.release() : nullptr;
}
