#include <algorithm>
#include <cmath>
#include <utility>

#include "base/units.h"
#include "base/yaml_reader.h"
#include "tenants/measurements.h"
#include "tenants/tenant.h"

namespace edgewise::tenants {
namespace {

class TenantsReader {
 public:
  explicit TenantsReader(const std::string& origin) : reader_(origin) {}

  std::optional<Error> Read(const YamlNode& root) {
    const bool several = root.IsMap() && !root.entries().empty() &&
                         root.entries().front().first.Scalar() == "tenants";
    if (several) {
      reader_.ReadMap(root, "a list of tenants",
                      {{"tenants", reader_.Each([this](const YamlNode& item) {
                          One(item);
                        })}});
    } else {
      One(root);
    }
    if (tenants_.empty()) {
      reader_.Refuse(root, "there is no tenant");
    }
    return reader_.problem();
  }

  std::vector<Tenant>&& tenants() { return std::move(tenants_); }

 private:
  YamlReader::Take Whole(int& field, int least, int most) {
    return [this, &field, least, most](std::string_view key,
                                       const YamlNode& value) {
      double number = least;
      reader_.Number(number, least, most)(key, value);
      if (number != std::floor(number)) {
        reader_.Refuse(value, std::string(key) + " must be a whole number");
      }
      field = static_cast<int>(number);
    };
  }
  YamlReader::Take Memory(Tenant& tenant) {
    return [this, &tenant](std::string_view, const YamlNode& value) {
      if (const auto bytes = ParseBytes(value.Scalar())) {
        tenant.memory_bytes = *bytes;
      } else {
        reader_.Refuse(value, "memory: " + bytes.error().message);
      }
    };
  }
  YamlReader::Take Environment(Tenant& tenant) {
    return [this, &tenant](std::string_view, const YamlNode& value) {
      if (!value.IsMap()) {
        reader_.Refuse(value, "env must be NAME: VALUE lines");
      }
      for (const auto& [name, text] : value.entries()) {
        tenant.env[name.Scalar()] = text.Scalar();
      }
    };
  }
  YamlReader::Take Ask(Tenant& tenant) {
    return [this, &tenant](std::string_view, const YamlNode& value) {
      reader_.ReadMap(value, "a way to ask",
                      {{"http", reader_.Text(tenant.url)},
                       {"line", reader_.Text(tenant.line)}});
      if (tenant.url.empty() == tenant.line.empty()) {
        reader_.Refuse(value,
                       "ask is either http: ADDRESS or line: TEXT, what is "
                       "written to the command's stdin");
      }
      if (tenant.line.find('\n') != std::string::npos) {
        reader_.Refuse(value,
                       "line must be one line: there is a line end within");
      }
      tenant.asking = tenant.url.empty() ? Asking::kLines : Asking::kHttp;
    };
  }
  YamlReader::Take Knobs(Tenant& tenant) {
    return [this, &tenant](std::string_view, const YamlNode& value) {
      reader_.ReadMap(
          value, "knobs",
          {{"replicas", Whole(tenant.most_replicas, 1, 1000)},
           {"rate", reader_.Number(tenant.most_rate_per_s, 1e-3, 1e5)}});
    };
  }

  void One(const YamlNode& item) {
    Tenant tenant;
    reader_.ReadMap(
        item, "a tenant",
        {{"name", reader_.Text(tenant.name)},
         {"service", reader_.Text(tenant.service)},
         {"scale", Whole(tenant.scale, 1, 10'000)},
         {"command", reader_.Command(tenant.command)},
         {"image", reader_.Text(tenant.image)},
         {"args", reader_.Texts(tenant.args)},
         {"engine_args", reader_.Texts(tenant.engine_args)},
         {"env", Environment(tenant)},
         {"ask", Ask(tenant)},
         {"memory", Memory(tenant)},
         {"cores", reader_.Number(tenant.cores, 1e-3, 1e3)},
         {"queue", Whole(tenant.queue, 0, 1'000'000)},
         {"service_ms", reader_.Number(tenant.service_ms_hint, 1e-3, 1e6)},
         {"knobs", Knobs(tenant)}});
    if (const std::string wrong = WrongWith(tenant); !wrong.empty()) {
      reader_.Refuse(item, wrong);
    }
    tenants_.push_back(std::move(tenant));
  }

  static bool NamesPort(const std::vector<std::string>& words) {
    return std::any_of(words.begin(), words.end(), [](const std::string& word) {
      return word.find("{port}") != std::string::npos;
    });
  }

  // Empty: nothing.
  static std::string WrongWith(const Tenant& tenant) {
    if (!IsPlainName(tenant.name)) {
      return "a tenant needs a name of letters, digits, \".\", \"-\" and \"_\"";
    }
    const int kinds = (tenant.service.empty() ? 0 : 1) +
                      (tenant.command.empty() ? 0 : 1) +
                      (tenant.image.empty() ? 0 : 1);
    if (kinds != 1) {
      return "a tenant is one of service, command and image";
    }
    if (tenant.memory_bytes == 0) {
      return "a tenant needs its memory, e.g. memory: 200MiB, so that it is "
             "put only where it fits";
    }
    if (tenant.image.empty() &&
        !(tenant.args.empty() && tenant.engine_args.empty())) {
      return "args and engine_args are for an image: put words of a command "
             "into it";
    }
    return tenant.service.empty() ? WrongWithProgram(tenant)
                                  : WrongWithService(tenant);
  }

  static std::string WrongWithService(const Tenant& tenant) {
    if (const auto otherwise = NoService(tenant.service)) {
      return "there is no service \"" + tenant.service + "\"" + *otherwise;
    }
    return tenant.asking == Asking::kService
               ? ""
               : "a service is asked by the tenant program itself: leave ask "
                 "out";
  }

  static std::string WrongWithProgram(const Tenant& tenant) {
    if (tenant.scale != 1) {
      return "scale is for a service: leave it out";
    }
    if (tenant.asking == Asking::kService) {
      return "a tenant with a command or image needs ask: {http: ADDRESS} or "
             "{line: TEXT}";
    }
    if (tenant.asking == Asking::kLines) {
      return tenant.image.empty()
                 ? ""
                 : "a container is asked over HTTP: ask: {http: ADDRESS}";
    }
    const bool asked = NamesPort({tenant.url});
    // $PORT tells containers, too.
    const bool told = NamesPort(tenant.command) || NamesPort(tenant.args);
    if (told != asked && (told || tenant.image.empty())) {
      return "{port} must stand both in ask and in the command or args, or in "
             "neither";
    }
    return asked || tenant.most_replicas == 1
               ? ""
               : "replicas need a port each: write {port} in ask and in the "
                 "command or args, or knobs: {replicas: 1}";
  }

  YamlReader reader_;
  std::vector<Tenant> tenants_;
};

}  // namespace

Result<std::vector<Tenant>> ReadTenants(std::string_view yaml,
                                        const std::string& origin) {
  const auto root = ReadYaml(yaml, origin, "tenant");
  if (!root) {
    return root.error();
  }
  TenantsReader reader(origin);
  if (const auto problem = reader.Read(*root)) {
    return *problem;
  }
  return reader.tenants();
}

}  // namespace edgewise::tenants
