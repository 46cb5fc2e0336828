// paho_round_trip URI HOW COUNT RATE BYTES: the smallest round trip through a
// broker with Eclipse Paho C, as a peer for edgewise's own path. Prints its
// median in microseconds.
//   pass   one client gets what it publishes
//   echo   another client gets it and publishes it again
#include <MQTTClient.h>
#include <semaphore.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>
#include <vector>

namespace {

constexpr char kThere[] = "round-trip/there";
constexpr char kBack[] = "round-trip/back";

std::vector<double> g_us;
sem_t g_arrived;

int64_t NowNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

void Publish(MQTTClient client, const char* topic, void* bytes, int size) {
  MQTTClient_publish(client, topic, size, bytes, 0, 0, nullptr);
}

int Timed(void* /*context*/, char* topic, int /*topic_bytes*/,
          MQTTClient_message* message) {
  const int64_t now_ns = NowNs();
  int64_t sent_ns = 0;
  std::memcpy(&sent_ns, message->payload, sizeof sent_ns);
  g_us.push_back(static_cast<double>(now_ns - sent_ns) / 1e3);
  sem_post(&g_arrived);
  MQTTClient_freeMessage(&message);
  MQTTClient_free(topic);
  return 1;
}

int Echo(void* context, char* topic, int /*topic_bytes*/,
         MQTTClient_message* message) {
  Publish(*static_cast<MQTTClient*>(context), kBack, message->payload,
          message->payloadlen);
  MQTTClient_freeMessage(&message);
  MQTTClient_free(topic);
  return 1;
}

void Connect(MQTTClient* client, const char* uri, const char* id,
             MQTTClient_messageArrived* arrived, const char* topic) {
  MQTTClient_connectOptions options = MQTTClient_connectOptions_initializer;
  if (MQTTClient_create(client, uri, id, MQTTCLIENT_PERSISTENCE_NONE,
                        nullptr) != 0 ||
      MQTTClient_setCallbacks(*client, client, nullptr, arrived, nullptr) !=
          0 ||
      MQTTClient_connect(*client, &options) != 0 ||
      MQTTClient_subscribe(*client, topic, 0) != 0) {
    std::fprintf(stderr, "paho_round_trip: no broker at %s\n", uri);
    std::exit(1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr,
                 "usage: paho_round_trip URI pass|echo COUNT RATE BYTES\n");
    return 2;
  }
  const bool echo = std::string_view(argv[2]) == "echo";
  const int count = std::atoi(argv[3]);
  const double rate = std::atof(argv[4]);
  std::vector<char> payload(static_cast<size_t>(std::atoi(argv[5])), 'x');
  g_us.reserve(static_cast<size_t>(count));
  sem_init(&g_arrived, 0, 0);
  MQTTClient client = nullptr;
  MQTTClient other = nullptr;
  Connect(&client, argv[1], "round-trip", Timed, echo ? kBack : kThere);
  if (echo) {
    Connect(&other, argv[1], "round-trip-echo", Echo, kThere);
  }
  const int64_t first_ns = NowNs();
  for (int i = 0; i < count; ++i) {
    const int64_t due_ns = first_ns + static_cast<int64_t>(i * 1e9 / rate);
    const timespec due{due_ns / 1'000'000'000, due_ns % 1'000'000'000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nullptr);
    const int64_t now_ns = NowNs();
    std::memcpy(payload.data(), &now_ns, sizeof now_ns);
    Publish(client, kThere, payload.data(), static_cast<int>(payload.size()));
  }
  for (int i = 0; i < count; ++i) {
    timespec until{};
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 2;
    if (sem_timedwait(&g_arrived, &until) != 0) {
      break;
    }
  }
  if (g_us.empty()) {
    return 1;
  }
  std::nth_element(g_us.begin(), g_us.begin() + std::ssize(g_us) / 2,
                   g_us.end());
  std::printf("%.3f\n", g_us[g_us.size() / 2]);
  return 0;
}
