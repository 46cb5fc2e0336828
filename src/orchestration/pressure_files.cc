#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "base/units.h"
#include "base/yaml_reader.h"
#include "base/yaml_scalar.h"
#include "orchestration/instance.h"
#include "orchestration/pressure_model.h"

namespace edgewise::orchestration {
namespace {

constexpr double kMost = 1e6;
constexpr size_t kMostApps = 200;

class PressuresReader {
 public:
  explicit PressuresReader(const std::string& origin) : reader_(origin) {}

  std::optional<Error> Read(const YamlNode& root) {
    // Apps and ranks speak of resources, wherever those stand in the file.
    for (const auto& [key, value] : root.entries()) {
      if (key.Scalar() == "resources") {
        reader_.Texts(figures_.resources)("resources", value);
      }
    }
    if (figures_.resources.empty()) {
      reader_.Refuse(root,
                     "pressures need a list of resources such as [cpu, "
                     "cache, bandwidth]");
    }
    reader_.ReadMap(
        root, "pressures",
        {{"basis", reader_.Text(figures_.basis)},
         {"resources", [](std::string_view, const YamlNode&) {}},
         {"slice_ms", reader_.Number(figures_.slice_ms, 0, kMost)},
         {"ranks", reader_.Each([this](const YamlNode& at) { Rank(at); })},
         {"apps", reader_.Each([this](const YamlNode& at) { App(at); })}});
    if (figures_.apps.empty() || figures_.apps.size() > kMostApps ||
        figures_.ranks.empty()) {
      reader_.Refuse(root, "pressures need ranks, and 1 to 200 apps");
    }
    return reader_.problem();
  }

  PressureFigures&& figures() { return std::move(figures_); }

 private:
  // A number for each resource; those left out are `absent`.
  YamlReader::Take ByResource(std::vector<double>& field, double absent,
                              double least) {
    field.assign(figures_.resources.size(), absent);
    return [this, &field, least](std::string_view, const YamlNode& value) {
      YamlReader::Keys keys;
      for (size_t k = 0; k < figures_.resources.size(); ++k) {
        keys.emplace_back(figures_.resources[k],
                          reader_.Number(field[k], least, kMost));
      }
      reader_.ReadMap(value, "numbers by resource", keys);
    };
  }

  void Rank(const YamlNode& item) {
    PressureRank rank;
    reader_.ReadMap(item, "a rank",
                    {{"rank", reader_.WithNumber(0, kMostRank,
                                                 [&rank](double number) {
                                                   rank.rank =
                                                       static_cast<int>(number);
                                                 })},
                     {"speed", reader_.Number(rank.speed, 1e-3, 1e3)},
                     {"capacity", ByResource(rank.capacity, 1, 1e-3)}});
    if (!ranks_.insert(rank.rank).second) {
      reader_.Refuse(item, fmt::format("rank {} is there twice", rank.rank));
    }
    figures_.ranks.push_back(std::move(rank));
  }

  YamlReader::Take Curve(PressureApp& app) {
    return reader_.Each([this, &app](const YamlNode& point) {
      const auto& pair = point.items();
      const auto x =
          pair.size() == 2 ? ParseDouble(pair[0].Scalar()) : std::nullopt;
      const auto y =
          pair.size() == 2 ? ParseDouble(pair[1].Scalar()) : std::nullopt;
      const bool first = app.slow_down.empty();
      const bool rises = x && y && *x <= kMost && *y <= kMost &&
                         (first ? *x == 0 && *y >= 1
                                : *x > app.slow_down.back().first &&
                                      *y >= app.slow_down.back().second);
      if (rises) {
        app.slow_down.emplace_back(*x, *y);
      } else {
        reader_.Refuse(point,
                       "slow_down is a list of [pressure, factor] that "
                       "begins at [0, 1] and rises");
      }
    });
  }

  void App(const YamlNode& item) {
    PressureApp app;
    reader_.ReadMap(
        item, "an app",
        {{"name", reader_.Text(app.name)},
         {"memory",
          [&](std::string_view, const YamlNode& value) {
            if (const auto bytes = ParseBytes(value.Scalar())) {
              app.memory_bytes = *bytes;
            } else {
              reader_.Refuse(value, "memory: " + bytes.error().message);
            }
          }},
         {"service_ms", reader_.Number(app.service_ms, 1e-6, kMost)},
         {"spread", reader_.Number(app.spread, 0, 10)},
         {"cores", reader_.Number(app.cores, 1e-3, 1e3)},
         {"cpu_ms",
          reader_.WithNumber(1e-6, kMost,
                             [&app](double number) { app.cpu_ms = number; })},
         {"warm", reader_.Number(app.warm, 1e-3, 1)},
         {"idle", ByResource(app.idle, 0, 0)},
         {"exerts", ByResource(app.exerts, 0, 0)},
         {"feels", ByResource(app.feels, 1, 0)},
         {"slow_down", Curve(app)},
         {"uneven", reader_.Number(app.uneven, 0, 10)},
         {"wait", reader_.Number(app.wait, 0, 10)},
         {"skew", reader_.Number(app.skew, 0, kMostSkew)},
         {"error", reader_.Number(app.error, 0, 2)},
         {"error_p99", reader_.WithNumber(0, 2, [&app](double number) {
            app.error_p99 = number;
          })}});
    if (app.name.empty() || app.service_ms <= 0 || app.slow_down.size() < 2) {
      reader_.Refuse(item,
                     "an app needs a name, its service_ms and a "
                     "slow_down curve: edgewise contend sensitivity "
                     "measures both");
    } else if (!names_.insert(app.name).second) {
      reader_.Refuse(item, "the app " + app.name + " is there twice");
    }
    figures_.apps.push_back(std::move(app));
  }

  YamlReader reader_;
  PressureFigures figures_;
  std::set<int> ranks_;
  std::set<std::string> names_;
};

std::string Numbers(const std::vector<std::string>& resources,
                    const std::vector<double>& numbers) {
  std::vector<std::string> parts;
  for (size_t k = 0; k < resources.size(); ++k) {
    parts.push_back(
        fmt::format("{}: {:.9g}", YamlScalar(resources[k]), numbers[k]));
  }
  return "{" + Join(parts, ", ") + "}";
}

}  // namespace

Result<PressureFigures> ReadPressures(std::string_view yaml,
                                      const std::string& origin) {
  const auto root = ReadYaml(yaml, origin, "file of pressures");
  if (!root) {
    return root.error();
  }
  PressuresReader reader(origin);
  if (const auto problem = reader.Read(*root)) {
    return *problem;
  }
  return reader.figures();
}

std::string WritePressures(const PressureFigures& figures) {
  std::vector<std::string> resources;
  for (const std::string& resource : figures.resources) {
    resources.push_back(YamlScalar(resource));
  }
  std::string yaml = "basis: " + YamlScalar(figures.basis) + "\nresources: [" +
                     Join(resources, ", ") + "]\n";
  if (figures.slice_ms > 0) {
    yaml += fmt::format("slice_ms: {:.9g}\n", figures.slice_ms);
  }
  yaml += "ranks:\n";
  for (const PressureRank& rank : figures.ranks) {
    yaml += fmt::format("  - {{rank: {}, speed: {:.9g}, capacity: {}}}\n",
                        rank.rank, rank.speed,
                        Numbers(figures.resources, rank.capacity));
  }
  yaml += "apps:\n";
  for (const PressureApp& app : figures.apps) {
    yaml += fmt::format("  - name: {}\n", YamlScalar(app.name));
    if (app.memory_bytes) {
      yaml += fmt::format("    memory: {}\n", *app.memory_bytes);
    }
    if (app.cpu_ms) {
      yaml += fmt::format("    cpu_ms: {:.9g}\n    warm: {:.9g}\n", *app.cpu_ms,
                          app.warm);
    }
    yaml += fmt::format(
        "    service_ms: {:.9g}\n    spread: {:.9g}\n    cores: {:.9g}\n    "
        "idle: {}\n"
        "    exerts: {}\n    feels: {}\n    slow_down: [",
        app.service_ms, app.spread, app.cores,
        Numbers(figures.resources, app.idle),
        Numbers(figures.resources, app.exerts),
        Numbers(figures.resources, app.feels));
    std::vector<std::string> points;
    for (const auto& [pressure, factor] : app.slow_down) {
      points.push_back(fmt::format("[{:.9g}, {:.9g}]", pressure, factor));
    }
    yaml +=
        Join(points, ", ") + fmt::format(
                                 "]\n    uneven: {:.9g}\n    wait: {:.9g}\n    "
                                 "skew: {:.9g}\n    error: {:.9g}\n",
                                 app.uneven, app.wait, app.skew, app.error);
    if (app.error_p99) {
      yaml += fmt::format("    error_p99: {:.6g}\n", *app.error_p99);
    }
  }
  return yaml;
}

}  // namespace edgewise::orchestration
