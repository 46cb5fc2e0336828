#include "tenant/settings.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "tenant/service.h"

namespace edgewise::apps {
namespace {

constexpr double kLeastRate = 1e-6;
constexpr double kMostRate = 1e5;
constexpr double kMostSeconds = 1e6;

Error Invalid(std::string message) {
  return {ErrorCode::kInvalid, std::move(message)};
}

bool NamesPort(const std::string& text) {
  return text.find("{port}") != std::string::npos;
}

// Servers that are started must not listen at the same port.
const char* WrongWithPorts(const TenantSettings& settings) {
  if (settings.urls.empty() || settings.command.empty()) {
    return nullptr;
  }
  const bool command =
      std::any_of(settings.command.begin(), settings.command.end(), NamesPort);
  const bool urls =
      std::all_of(settings.urls.begin(), settings.urls.end(), NamesPort);
  if (command != urls) {
    return "--http: {port} must stand both in the address and in the command, "
           "or in neither";
  }
  return command || settings.replicas == 1
             ? nullptr
             : "--http: several replicas need a port each: write {port} in the "
               "address and in the command";
}

}  // namespace

void TenantFlags::AddTo(CLI::App& app) {
  app.add_option("--service", plain_.service,
                 "What answers: " + Join(ServiceNames(), ", "))
      ->type_name("NAME");
  app.add_option("--lines", plain_.lines,
                 "A program answers: this line is written to its stdin, a line "
                 "of its stdout is the answer")
      ->type_name("TEXT");
  app.add_option("--http", plain_.urls,
                 "A server answers: GET of this address; with a command it is "
                 "started first, {port} being a free port. Once, or once for "
                 "each replica")
      ->type_name("URL")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--name", plain_.name, "In the rows of --requests")
      ->type_name("NAME");
  app.add_option("--rate", rate_, "Requests a second for each replica")
      ->type_name("HZ");
  app.add_option("--arrivals", arrivals_,
                 "poisson (default), or trace, which --trace implies")
      ->type_name("KIND")
      ->check(CLI::IsMember({"poisson", "trace"}).description(""));
  app.add_option("--trace", trace_,
                 "A file with one arrival in seconds a line; replicas take "
                 "turns")
      ->type_name("FILE");
  app.add_option("--replicas", plain_.replicas,
                 "Instances, each with a thread and a queue (default 1)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000).description(""));
  app.add_option("--queue", plain_.queue,
                 "Requests that may wait for a replica; what comes beyond is "
                 "dropped (default 256)")
      ->type_name("N")
      ->check(CLI::Range(0, 1'000'000).description(""));
  app.add_option("--scale", plain_.scale,
                 "Inferences in one request (default 1)")
      ->type_name("N")
      ->check(CLI::Range(1, 10'000).description(""));
  app.add_option("--items", plain_.items, "Requests for each replica, then end")
      ->type_name("N")
      ->check(CLI::Range(int64_t{1}, int64_t{1} << 53).description(""));
  app.add_option("--duration", duration_,
                 "End after this time (default: until stopped)")
      ->type_name("TIME");
  app.add_option("--seed", plain_.seed, "Of the arrivals (default 1)")
      ->type_name("N");
  app.add_option("--requests", plain_.requests,
                 "Write a row of CSV for each request; the file appears when "
                 "all replicas are ready")
      ->type_name("FILE");
  app.add_option("--epoch", plain_.epoch_ns,
                 "What times in these rows count from, in nanoseconds of "
                 "CLOCK_MONOTONIC (default: the first moment)")
      ->type_name("NS");
  app.add_flag("--list", list_, "List the services and end");
  app.add_flag("--json", plain_.json, "Print the result as one line of JSON");
  app.footer(
      "What follows -- is the command of --lines and --http, one for each "
      "replica.\n"
      "Requests arrive whether or not the service keeps up; those without an "
      "answer at the end are censored, not forgotten.\n"
      "Example: edgewise run -- tenant --service gcn --rate 20 --replicas 2 "
      "--duration 10s");
}

Result<void> TenantFlags::CheckArrivals(TenantSettings& settings) const {
  if (trace_.empty() == rate_.empty()) {
    return Invalid(trace_.empty() ? "--rate is needed, e.g. --rate 20, or "
                                    "--trace FILE"
                                  : "--trace has its own times: leave --rate "
                                    "out");
  }
  if (!trace_.empty()) {
    if (arrivals_ == "poisson") {
      return Invalid("--trace has its own times: leave --arrivals out");
    }
    auto trace = ReadTrace(trace_);
    if (!trace) {
      return trace.error();
    }
    settings.trace_ns = std::move(*trace);
    return {};
  }
  if (arrivals_ == "trace") {
    return Invalid("--arrivals trace needs --trace FILE");
  }
  const auto rate = ParseDouble(rate_);
  if (!rate || !(*rate >= kLeastRate) || *rate > kMostRate) {
    return Invalid("--rate: \"" + rate_ +
                   "\" must be requests a second, from 0.000001 to 100000");
  }
  settings.rate_per_s = *rate;
  return {};
}

Result<TenantSettings> TenantFlags::Check() const {
  TenantSettings settings = plain_;
  const int ways = (settings.service.empty() ? 0 : 1) +
                   (settings.lines ? 1 : 0) + (settings.urls.empty() ? 0 : 1);
  if (ways != 1) {
    return Invalid(
        "one of --service, --lines and --http is needed: --list "
        "shows the services");
  }
  if (settings.lines && settings.command.empty()) {
    return Invalid("--lines needs a command after --, e.g. -- ./answer");
  }
  if (settings.lines && settings.lines->find('\n') != std::string::npos) {
    return Invalid(
        "--lines: there is a line end within: one line is asked, "
        "and one is the answer");
  }
  if (!settings.service.empty() && !settings.command.empty()) {
    return Invalid("--service takes no command: leave \"" +
                   settings.command.front() + "\" out");
  }
  const auto replicas = static_cast<size_t>(settings.replicas);
  if (settings.urls.size() > 1 && settings.urls.size() != replicas) {
    return Invalid(fmt::format(
        "--http: there are {} addresses for {} replicas: give one, or one for "
        "each",
        settings.urls.size(), replicas));
  }
  if (const char* wrong = WrongWithPorts(settings)) {
    return Invalid(wrong);
  }
  if (settings.name.empty()) {
    settings.name = settings.service.empty() ? "tenant" : settings.service;
  }
  if (std::any_of(settings.name.begin(), settings.name.end(), [](char c) {
        return c == ',' || c == '"' || c == '\\' ||
               std::iscntrl(static_cast<unsigned char>(c)) != 0;
      })) {
    return Invalid(
        "--name must hold no comma, quote, backslash or control character");
  }
  if (const Result<void> arrivals = CheckArrivals(settings); !arrivals) {
    return arrivals.error();
  }
  if (!duration_.empty()) {
    const auto duration = ParseDurationNs(duration_);
    if (!duration) {
      return Invalid("--duration: " + duration.error().message);
    }
    settings.duration_ns = *duration;
  }
  return settings;
}

std::string ListServices() {
  std::string text;
  for (const ServiceKind& kind : ServiceKinds()) {
    text += fmt::format("{:<13} {}\n", kind.name, kind.description);
  }
  return text;
}

Result<std::vector<int64_t>> ReadTrace(const std::string& path) {
  const auto text = ReadFile(path);
  if (!text) {
    return Error{text.error().code, "--trace: " + text.error().message};
  }
  std::vector<int64_t> trace_ns;
  int number = 0;
  for (const std::string_view line : Split(*text, '\n')) {
    ++number;
    const std::string_view word = Trim(line.substr(0, line.find('#')));
    if (word.empty()) {
      continue;
    }
    const auto seconds = ParseDouble(word);
    if (!seconds || !(*seconds >= 0) || *seconds > kMostSeconds) {
      return Invalid(fmt::format(
          "--trace: {}:{}: \"{}\" must be an arrival in seconds from 0 on",
          path, number, word));
    }
    const int64_t ns =
        std::llround(*seconds * static_cast<double>(kNsPerSecond));
    if (!trace_ns.empty() && ns < trace_ns.back()) {
      return Invalid(fmt::format(
          "--trace: {}:{}: arrivals must ascend: sort the file", path, number));
    }
    trace_ns.push_back(ns);
  }
  if (trace_ns.empty()) {
    return Invalid("--trace: " + path + " has no arrivals");
  }
  return trace_ns;
}

}  // namespace edgewise::apps
