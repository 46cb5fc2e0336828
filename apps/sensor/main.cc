// sensor: takes MQTT messages, runs one of the other apps on each, publishes
// the answer.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "audio/audio_work.h"
#include "base/units.h"
#include "dl/dl_work.h"
#include "image/image_work.h"
#include "input/video.h"
#include "load/program.h"
#include "sensor/broker.h"
#include "sensor/feeder.h"
#include "sensor/serve.h"
#include "spin/spin_work.h"

namespace edgewise::apps {
namespace {

struct Settings {
  std::string app = "image";
  BrokerSettings broker;
  std::string topic = "edgewise/input";
  std::string answers_topic = "edgewise/answers";
  DlSettings dl;
  std::string work = "5ms";
};

Result<std::unique_ptr<Work>> MakeWork(const Settings& settings,
                                       const LoadOptions& options) {
  if (settings.app == "image") {
    return std::unique_ptr<Work>(
        std::make_unique<ImageWork>(nullptr, options.threads, options.seed));
  }
  if (settings.app == "audio") {
    return std::unique_ptr<Work>(
        std::make_unique<AudioWork>(nullptr, options.threads));
  }
  if (settings.app == "dl") {
    auto work = DlWork::Make(settings.dl, options, /*from_messages=*/true);
    if (!work) {
      return work.error();
    }
    return std::unique_ptr<Work>(std::move(*work));
  }
  const auto work_ns = ParseDurationNs(settings.work);
  if (!work_ns) {
    return Error{work_ns.error().code, "--work: " + work_ns.error().message};
  }
  return std::unique_ptr<Work>(std::make_unique<SpinWork>(
      CalibrateSteps(*work_ns), options.threads, options.seed));
}

Result<std::unique_ptr<Broker>> ConnectAs(const Settings& settings,
                                          const std::string& role) {
  BrokerSettings broker = settings.broker;
  broker.client_id = "edgewise-" + role + "-" + std::to_string(::getpid());
  return Broker::Connect(broker);
}

Result<Outcome> Run(const Settings& settings, const LoadOptions& options) {
  SilenceOpenCv();
  if (settings.topic == settings.answers_topic) {
    return Error{ErrorCode::kInvalid,
                 "--answers must be another topic than --topic: the app would "
                 "work on its own answers"};
  }
  auto work = MakeWork(settings, options);
  if (!work) {
    return work.error();
  }
  auto broker = ConnectAs(settings, "sensor");
  if (!broker) {
    return broker.error();
  }
  if (const auto subscribed = (*broker)->Subscribe(settings.topic);
      !subscribed) {
    return subscribed.error();
  }
  std::unique_ptr<Feeder> feeder;
  if (options.arrivals != Arrivals::kBackToBack) {
    auto feeding = ConnectAs(settings, "feeder");
    if (!feeding) {
      return feeding.error();
    }
    feeder =
        std::make_unique<Feeder>(std::move(*feeding), settings.topic, options);
  }
  // For scripts that publish: from now on nothing is missed.
  std::fprintf(stderr, "sensor: listening to %s at %s\n",
               settings.topic.c_str(), settings.broker.address.c_str());
  auto outcome =
      Serve(options, **broker, feeder.get(), settings.answers_topic, **work);
  if (outcome) {
    outcome->facts.emplace_back("input", settings.topic);
    outcome->facts.emplace_back("work", settings.app);
  }
  return outcome;
}

}  // namespace
}  // namespace edgewise::apps

int main(int argc, char** argv) {
  using namespace edgewise::apps;
  CLI::App app(
      "Takes MQTT messages, works on each as another app would, and publishes "
      "the answer.",
      "sensor");
  LoadFlags flags(std::nullopt, Starts::kMessages);
  Settings settings;
  app.add_option("--app", settings.app,
                 "What to do with a message: image (default), audio, dl, spin")
      ->type_name("APP")
      ->check(CLI::IsMember({"image", "audio", "dl", "spin"}).description(""));
  app.add_option("--broker", settings.broker.address,
                 "Default tcp://127.0.0.1:1883")
      ->type_name("ADDRESS");
  app.add_option("--topic", settings.topic,
                 "Where messages come (default edgewise/input)")
      ->type_name("TOPIC");
  app.add_option("--answers", settings.answers_topic,
                 "Where answers go (default edgewise/answers)")
      ->type_name("TOPIC");
  app.add_option("--qos", settings.broker.qos,
                 "MQTT's quality of service: 0, 1 (default) or 2")
      ->type_name("N")
      ->check(CLI::Range(0, 2).description(""));
  app.add_option("--model", settings.dl.model,
                 "For --app dl (default mobilenetv2)")
      ->type_name("MODEL");
  app.add_option("--precision", settings.dl.precision,
                 "For --app dl: fp32 (default) or int8")
      ->type_name("KIND")
      ->check(CLI::IsMember({"fp32", "int8"}).description(""));
  app.add_option("--work", settings.work, "For --app spin (default 5ms)")
      ->type_name("TIME");
  flags.AddTo(app);
  app.footer(
      "A message is a picture (JPEG, PNG) for image and dl, samples (16-bit "
      "little-endian,\n16 kHz) for audio, or a whole number, which names "
      "synthetic input. With --rate,\n--period or --arrivals the app publishes "
      "such numbers itself.\n"
      "Example: edgewise run -- sensor --app audio --rate 20 --items 200");
  return RunProgram(argc, argv, app, flags, [&](const LoadOptions& options) {
    return Run(settings, options);
  });
}
