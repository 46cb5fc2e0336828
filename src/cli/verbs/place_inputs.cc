#include "cli/verbs/place_inputs.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/text.h"
#include "cli/option_values.h"
#include "cli/output_file.h"
#include "orchestration/generate.h"
#include "orchestration/instance_files.h"
#include "orchestration/placement_file.h"

namespace edgewise::cli {
namespace {

namespace orc = orchestration;
namespace fs = std::filesystem;

Error Wrong(std::string message) {
  return {ErrorCode::kInvalid, std::move(message)};
}

template <typename T, typename Reader>
Result<T> FromFile(const std::string& path, Reader read) {
  const auto text = ReadFile(path);
  if (!text) {
    return text.error();
  }
  return read(*text, path);
}

Result<orc::PressureFigures> Pressures(const PlaceInputs& inputs) {
  std::string path = inputs.pressures;
  if (path.empty() && !inputs.requests.empty()) {
    const fs::path beside =
        fs::path(inputs.requests).parent_path() / "pressures.yaml";
    std::error_code error;
    path = fs::exists(beside, error) ? beside.string() : "";
  }
  if (path.empty()) {
    return orc::AssumedPressures();
  }
  auto figures = FromFile<orc::PressureFigures>(path, orc::ReadPressures);
  if (figures && figures->basis.empty()) {
    figures->basis = path;
  }
  return figures;
}

Result<void> ReadInstance(const PlaceInputs& inputs, PlaceQuestion& question) {
  if (!inputs.generate.empty()) {
    if (!inputs.requests.empty() || !inputs.servers.empty()) {
      return Wrong(
          "--generate makes up requests and servers: leave out the "
          "files, or --generate");
    }
    const auto settings = orc::ParseGenerate(inputs.generate);
    if (!settings) {
      return settings.error();
    }
    const orc::PressureModel model(question.pressures);
    if (!model.KnowsRank(0) ||
        (settings->low_rank > 0 && !model.KnowsRank(1))) {
      return Wrong("--generate needs pressures with ranks 0 and 1");
    }
    question.instance = orc::Generate(*settings, model);
    return {};
  }
  if (inputs.requests.empty() || inputs.servers.empty()) {
    return Wrong(
        "give REQUESTS and --servers FILE, or --generate "
        "servers=10,seed=1");
  }
  auto requests =
      FromFile<std::vector<orc::Request>>(inputs.requests, orc::ReadRequests);
  if (!requests) {
    return requests.error();
  }
  auto servers =
      FromFile<std::vector<orc::Server>>(inputs.servers, orc::ReadServers);
  if (!servers) {
    return servers.error();
  }
  question.instance = {std::move(*requests), std::move(*servers)};
  question.from_files = true;
  return {};
}

Result<void> Save(const std::string& folder, const PlaceQuestion& question) {
  if (folder.empty()) {
    return {};
  }
  if (const auto made = MakeOutputFolder(folder); !made) {
    return made;
  }
  const std::pair<const char*, std::string> files[] = {
      {"requests.yaml", orc::WriteRequests(question.instance.requests)},
      {"servers.yaml", orc::WriteServers(question.instance.servers)},
      {"pressures.yaml", orc::WritePressures(question.pressures)}};
  for (const auto& [name, text] : files) {
    if (const auto written =
            WriteOutput((fs::path(folder) / name).string(), text);
        !written) {
      return written;
    }
  }
  return {};
}

Result<void> Change(const PlaceInputs& inputs, PlaceQuestion& question) {
  auto& servers = question.instance.servers;
  for (const std::string& name : inputs.remove) {
    const size_t removed = std::erase_if(
        servers, [&name](const orc::Server& s) { return s.name == name; });
    if (removed == 0) {
      return Wrong("--remove " + name + ": there is no such server");
    }
    question.from_files = false;
  }
  if (servers.empty()) {
    return Wrong("--remove leaves no server: keep one");
  }
  if (inputs.rate.empty()) {
    return {};
  }
  const auto factor = inputs.rate.starts_with("x")
                          ? ParseDouble(std::string_view(inputs.rate).substr(1))
                          : std::nullopt;
  if (!factor || !(*factor > 0 && *factor <= 1000)) {
    return Wrong("--rate " + inputs.rate +
                 ": write x2 for twice the rate of all requests (up to x1000)");
  }
  for (orc::Request& request : question.instance.requests) {
    request.rate_per_s *= *factor;
  }
  question.from_files = false;
  return {};
}

Result<void> AddAdmitted(const std::string& file, PlaceQuestion& question) {
  if (file.empty()) {
    return {};
  }
  auto more = FromFile<std::vector<orc::Request>>(file, orc::ReadRequests);
  if (!more) {
    return more.error();
  }
  auto& requests = question.instance.requests;
  if (more->size() != 1) {
    return Wrong("--admit " + file +
                 " must list exactly one request, without \"spread\"");
  }
  const bool taken = std::any_of(
      requests.begin(), requests.end(),
      [&](const orc::Request& r) { return r.name == more->front().name; });
  if (taken) {
    return Wrong("--admit: there is a request " + more->front().name +
                 " already: give the new one another name");
  }
  requests.push_back(std::move(more->front()));
  return {};
}

}  // namespace

void AddPlaceInputs(CLI::App& verb, PlaceInputs& inputs) {
  verb.add_option("REQUESTS", inputs.requests,
                  "What is asked for (docs/formats/requests.md)");
  verb.add_option("--servers", inputs.servers,
                  "What there is (docs/formats/servers.md)")
      ->type_name("FILE");
  verb.add_option("--pressures", inputs.pressures,
                  "What apps do to each other (default pressures.yaml beside "
                  "REQUESTS, else assumed figures of nine apps)")
      ->type_name("FILE");
  verb.add_option("--generate", inputs.generate,
                  "Make up an instance: servers=10,requests=150,"
                  "memory=32GiB,low_rank=0.5,seed=1")
      ->type_name("WHAT");
  verb.add_option("--save", inputs.save,
                  "Write the instance's three files into this folder")
      ->type_name("DIR");
  verb.add_option("--current", inputs.current,
                  "Start from this placement (see --out)")
      ->type_name("FILE");
  AddRepeated(verb, "--remove", inputs.remove, "SERVER",
              "What if this server were not there (repeatable)");
  verb.add_option("--rate", inputs.rate,
                  "What if all rates were so many times as high: x2")
      ->type_name("xN");
}

Result<PlaceQuestion> ReadQuestion(const PlaceInputs& inputs,
                                   const std::string& admit) {
  PlaceQuestion question;
  auto pressures = Pressures(inputs);
  if (!pressures) {
    return pressures.error();
  }
  question.pressures = std::move(*pressures);
  if (const auto read = ReadInstance(inputs, question); !read) {
    return read.error();
  }
  if (const auto saved = Save(inputs.save, question); !saved) {
    return saved.error();
  }
  if (const auto changed = Change(inputs, question); !changed) {
    return changed.error();
  }
  if (const auto added = AddAdmitted(admit, question); !added) {
    return added.error();
  }
  if (!inputs.current.empty()) {
    auto current = FromFile<orc::Assignment>(
        inputs.current, [&](const std::string& text, const std::string& path) {
          return orc::ReadPlacement(text, path, question.instance);
        });
    if (!current) {
      return current.error();
    }
    if (!admit.empty() && current->back()) {
      return Wrong("--admit: " + question.instance.requests.back().name +
                   " stands in " + inputs.current +
                   " already: ask about another");
    }
    question.current = std::move(*current);
  }
  return question;
}

}  // namespace edgewise::cli
