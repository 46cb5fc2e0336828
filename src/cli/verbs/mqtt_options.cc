#include "cli/verbs/mqtt_options.h"

#include <CLI/CLI.hpp>

#include "cli/option_values.h"

namespace edgewise::cli {

void AddConnectionOptions(CLI::App& verb, MqttOptions& options) {
  const auto text = [&verb](const char* flag, std::string& value,
                            const char* type, const char* description) {
    return verb.add_option(flag, value, description)->type_name(type);
  };
  text("--broker", options.broker, "ADDRESS",
       "HOST:PORT (default localhost:1883), mqtts://HOST:PORT for TLS");
  text("--topic", options.topic, "TOPIC",
       "Where messages go (default lab/e2e); results go to TOPIC/processed");
  text("--user", options.user, "NAME",
       "User at the broker; the password is in $EDGEWISE_MQTT_PASSWORD or "
       "--password-file");
  text("--password-file", options.password_file, "FILE",
       "File whose first line is the password");
  text("--ca", options.ca, "FILE",
       "Authority of the broker's certificate, PEM (default: the system's)");
  text("--mqtt-version", options.version, "V", "5 (default) or 3.1.1")
      ->check(CLI::IsMember({"5", "3.1.1"}).description(""));
  text("--keep-alive", options.keep_alive, "TIME",
       "After which silence the broker is asked (default 20s)");
  text("--session-expiry", options.session_expiry, "TIME",
       "How long the broker keeps what a lost connection missed (default "
       "120s; 0: not at all)");
  text("--wait", options.wait, "TIME",
       "How long to wait for a broker that does not answer (default 5s)");
  verb.add_option("--window", options.window,
                  "Messages of QoS 1 and 2 without the broker's answer, at "
                  "most (default 100)")
      ->type_name("N");
  text("--run", options.run, "ID", "Whose messages count (hexadecimal)")
      ->group("");
  verb.add_option("--report-fd", options.report_fd, "For the conductor")
      ->type_name("N")
      ->group("");
}

void AddProducerOptions(CLI::App& verb, MqttOptions& options, bool several) {
  const auto text = [&verb](const char* flag, std::string& value,
                            const char* type, const std::string& description) {
    return verb.add_option(flag, value, description)->type_name(type);
  };
  text("--qos", options.qos, several ? "N,N…" : "N",
       several ? "Quality of service, one measurement each (default 0)"
               : "Quality of service: 0 (default), 1 or 2");
  text("--payload", options.payload, several ? "SIZE,…" : "SIZE",
       several ? "Sizes of messages, one measurement each (default 1KiB)"
               : "Size of messages (default 1KiB)");
  text("--rate", options.rate, "HZ",
       "Messages a second (default 30); they are due at these times whatever "
       "becomes of those before");
  text("--duration", options.duration, "TIME", "How long (default 10s)");
  verb.add_option("--messages", options.messages,
                  "How many, instead of --duration")
      ->type_name("N");
  verb.add_option("--warm-up", options.warm_up,
                  "Messages before these, in no figure (default: a second's)")
      ->type_name("N");
  text("--arrivals", options.arrivals, "KIND",
       "even (default), or poisson: exponential gaps")
      ->check(CLI::IsMember({"even", "poisson"}).description(""));
  verb.add_option("--seed", options.seed, "Of poisson and of impairments")
      ->type_name("N");
  text("--format", options.format, "FORMAT",
       "json (default), as the lab's, or binary for large frames")
      ->check(CLI::IsMember({"json", "binary"}).description(""));
}

void AddMessageOptions(CLI::App& verb, MqttOptions& options) {
  verb.add_option("--qos", options.qos,
                  "Quality of service: 0 (default), 1 or 2")
      ->type_name("N");
  verb.add_option("--format", options.format,
                  "Of results: json (default) or binary")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"json", "binary"}).description(""));
}

void AddDirectOption(CLI::App& verb, MqttOptions& options) {
  verb.add_flag("--direct", options.direct, "Without a processor")->group("");
}

void AddProcessorOptions(CLI::App& verb, MqttOptions& options) {
  verb.add_option("--queue", options.queue,
                  "Messages that may wait for the processor (default 1000); "
                  "more are dropped and counted, the newest first")
      ->type_name("N");
  verb.add_flag("--per-message", options.per_message,
                "Start the command once for each message, with the payload on "
                "its standard input; for programs without Periodic");
}

void AddConsumerOptions(CLI::App& verb, MqttOptions& options) {
  verb.add_option("--drain", options.drain,
                  "How long to wait for messages that were sent but did not "
                  "come (default 3s)")
      ->type_name("TIME");
  verb.add_flag("--direct", options.direct,
                "Without a processor: the consumer takes what the producer "
                "sends");
}

void AddImpairOptions(CLI::App& verb, MqttOptions& options) {
  AddRepeated(verb, "--impair", options.impair, "TEXT",
              "Make the links to the broker worse: "
              "delay=40ms,jitter=5ms,loss=1%,rate=1mbit,disconnect=every:10s; "
              "several times: one measurement each");
  verb.add_option("--impair-links", options.impair_links,
                  "Whose links: produce, process, consume (default: all)")
      ->type_name("ROLE,…");
}

}  // namespace edgewise::cli
