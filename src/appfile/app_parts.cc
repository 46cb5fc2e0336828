#include "appfile/app_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/nearest.h"
#include "base/text.h"
#include "base/units.h"

namespace edgewise {
namespace {

constexpr size_t kLongestName = 63;
constexpr size_t kLongestImage = 1000;
constexpr size_t kSha256Digits = 64;
constexpr int kMostPort = 65535;

bool IsAlnum(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

bool Consists(std::string_view text, std::string_view beside) {
  return std::all_of(text.begin(), text.end(), [beside](char c) {
    return IsAlnum(c) || beside.find(c) != std::string_view::npos;
  });
}

bool IsSha256(std::string_view text) {
  return text.size() == kSha256Digits &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return std::isxdigit(static_cast<unsigned char>(c)) != 0;
         });
}

}  // namespace

YamlReader::Take AppParts::Name(std::string& name) {
  return [this, &name](std::string_view key, const YamlNode& value) {
    name = value.Scalar();
    if (name.empty() || name.size() > kLongestName || !IsAlnum(name.front()) ||
        !Consists(name, "._-")) {
      reader_.Refuse(value,
                     fmt::format("`{}` must be of letters, digits, '.', '_' "
                                 "and '-', at most {}",
                                 key, kLongestName));
    }
  };
}

YamlReader::Take AppParts::Words(std::vector<std::string>& words) {
  return [this, &words](std::string_view key, const YamlNode& value) {
    words.clear();
    if (value.IsSequence()) {
      reader_.Texts(words)(key, value);
      return;
    }
    auto split = ShellSplit(value.Scalar());
    if (value.IsMap() || !split) {
      reader_.Refuse(value, fmt::format("`{}` must be a list of texts", key));
      return;
    }
    words = std::move(*split);
  };
}

YamlReader::Take AppParts::Environment(
    std::map<std::string, std::string>& env) {
  return [this, &env](std::string_view key, const YamlNode& value) {
    if (!value.IsMap()) {
      reader_.Refuse(value,
                     fmt::format("`{}` must be a map of NAME: value", key));
      return;
    }
    for (const auto& [name, text] : value.entries()) {
      if (name.Scalar().empty() || !Consists(name.Scalar(), "_.-") ||
          !(text.IsScalar() || text.IsNull())) {
        reader_.Refuse(name, fmt::format("`{}` must be a map of NAME: value, "
                                         "each value a text",
                                         key));
        return;
      }
      env[name.Scalar()] = text.Scalar();
    }
  };
}

YamlReader::Take AppParts::Image(std::string& image) {
  return [this, &image](std::string_view key, const YamlNode& value) {
    image = value.Scalar();
    if (image.empty() || image.size() > kLongestImage ||
        !IsAlnum(image.front()) || !Consists(image, "./:@_-")) {
      reader_.Refuse(value, fmt::format("`{}` must be a container image such "
                                        "as localhost/object-counter:1.2",
                                        key));
    }
  };
}

YamlReader::Take AppParts::Duration(std::optional<int64_t>& ns,
                                    bool zero_is_none) {
  return [this, &ns, zero_is_none](std::string_view key,
                                   const YamlNode& value) {
    if (zero_is_none && ParseDouble(value.Scalar()) == 0.0) {
      ns.reset();
      return;
    }
    if (const auto parsed = ParseDurationNs(value.Scalar()); parsed) {
      ns = *parsed;
    } else {
      reader_.Refuse(value, fmt::format("`{}` must be a time such as 120s or "
                                        "5m; leave it out for none",
                                        key));
    }
  };
}

YamlReader::Take AppParts::Ready(std::optional<Readiness>& ready) {
  return [this, &ready](std::string_view key, const YamlNode& value) {
    Readiness taken;
    std::optional<int64_t> within_ns;
    reader_.ReadMap(
        value, "`ready`",
        {{"log", reader_.Text(taken.log)},
         {"port", reader_.WithNumber(1, kMostPort,
                                     [&taken](double port) {
                                       taken.port = static_cast<int>(port);
                                     })},
         {"file", reader_.Text(taken.file)},
         {"seconds", reader_.WithNumber(0, 1e6,
                                        [&taken](double seconds) {
                                          taken.after_ns = static_cast<int64_t>(
                                              seconds * 1e9);
                                        })},
         {"within", Duration(within_ns, false)}});
    taken.within_ns = within_ns.value_or(taken.within_ns);
    if ((taken.log.empty() ? 0 : 1) + (taken.port ? 1 : 0) +
            (taken.file.empty() ? 0 : 1) + (taken.after_ns ? 1 : 0) !=
        1) {
      reader_.Refuse(value, fmt::format("`{}` must have one of `log`, `port`, "
                                        "`file` and `seconds`",
                                        key));
    }
    ready = std::move(taken);
  };
}

YamlReader::Take AppParts::LimitsOf(Limits& limits) {
  return [this, &limits](std::string_view, const YamlNode& value) {
    const auto cpu = [&](std::string_view key, const YamlNode& text) {
      const auto cores = ParseCpuQuota(text.Scalar());
      if (!cores) {
        reader_.Refuse(text, fmt::format("`{}` must be cores such as 0.5, 50% "
                                         "or 500m",
                                         key));
        return;
      }
      limits.cpu_cores = *cores;
    };
    const auto memory = [&](std::string_view key, const YamlNode& text) {
      const auto bytes = ParseBytes(text.Scalar());
      if (!bytes) {
        reader_.Refuse(text,
                       fmt::format("`{}` must be a size such as 512Mi", key));
        return;
      }
      limits.memory_bytes = *bytes;
    };
    reader_.ReadMap(value, "`limits`",
                    {{"cpu", cpu},
                     {"memory", memory},
                     {"cores", reader_.Cores(limits.cores)},
                     {"devices", reader_.Texts(limits.devices)}});
  };
}

YamlReader::Take AppParts::Data(std::optional<AppData>& data) {
  return [this, &data](std::string_view key, const YamlNode& value) {
    AppData taken;
    if (value.IsMap()) {
      reader_.ReadMap(value, "`data`",
                      {{"source", reader_.Text(taken.source)},
                       {"sha256", reader_.Text(taken.sha256)},
                       {"mount", reader_.Text(taken.mount)}});
    } else {
      taken.source = value.Scalar();
    }
    if (taken.source.empty()) {
      reader_.Refuse(value,
                     fmt::format("`{}` needs a source: a folder, an archive, "
                                 "https:// or s3://bucket/prefix",
                                 key));
    } else if (!taken.sha256.empty() && !IsSha256(taken.sha256)) {
      reader_.Refuse(value, "`sha256` must have 64 hexadecimal digits");
    } else if (taken.mount.size() < 2 || taken.mount.front() != '/' ||
               taken.mount.find_first_of(":,") != std::string::npos) {
      reader_.Refuse(value, "`mount` must be a folder such as /data");
    }
    data = std::move(taken);
  };
}

YamlReader::Take AppParts::Network(Impairment& network) {
  return [this, &network](std::string_view key, const YamlNode& value) {
    std::map<std::string, std::string> texts;
    reader_.ReadMap(value, "`network`",
                    {{"rate", reader_.Text(texts["rate"])},
                     {"delay", reader_.Text(texts["delay"])},
                     {"jitter", reader_.Text(texts["jitter"])},
                     {"loss", reader_.Text(texts["loss"])}});
    std::string all;
    for (const auto& [name, text] : texts) {
      if (!text.empty()) {
        all += (all.empty() ? "" : ",") + name + "=" + text;
      }
    }
    if (all.empty()) {
      return;
    }
    if (const auto parsed = ParseImpairment(all); parsed) {
      network = *parsed;
    } else {
      reader_.Refuse(value,
                     fmt::format("`{}`: {}", key, parsed.error().message));
    }
  };
}

YamlReader::Take AppParts::Metrics(AppFile& app) {
  return reader_.Each([this, &app](const YamlNode& item) {
    const std::string& word = item.Scalar();
    if (word == "stacks") {
      app.stacks = true;
    } else if (word == "gpu-summary") {
      app.gpu_summary = true;
    } else if (word != "system") {
      const auto meant = Nearest(word, {"system", "stacks", "gpu-summary"});
      reader_.Refuse(
          item, fmt::format(
                    "there is no metric `{}`: {}", word.substr(0, kLongestName),
                    meant ? "did you mean `" + *meant + "`?"
                          : "there are system, stacks and gpu-summary"));
    }
  });
}

void AppParts::TakeCompanion(const YamlNode& item,
                             std::vector<Companion>& needs) {
  Companion companion;
  reader_.ReadMap(item, "a companion",
                  {{"name", Name(companion.name)},
                   {"image", Image(companion.image)},
                   {"command", Words(companion.command)},
                   {"args", Words(companion.args)},
                   {"engine_args", Words(companion.engine_args)},
                   {"env", Environment(companion.env)},
                   {"limits", LimitsOf(companion.limits)},
                   {"ready", Ready(companion.ready)}});
  const bool twice = std::any_of(
      needs.begin(), needs.end(),
      [&](const Companion& each) { return each.name == companion.name; });
  if (companion.name.empty() || twice) {
    reader_.Refuse(item, "each companion in `needs` needs a name of its own");
  } else if (companion.image.empty() == companion.command.empty()) {
    reader_.Refuse(item, "the companion " + companion.name +
                             " needs either `image` or `command`");
  }
  needs.push_back(std::move(companion));
}

YamlReader::Take AppParts::Companions(std::vector<Companion>& needs) {
  return reader_.Each(
      [this, &needs](const YamlNode& item) { TakeCompanion(item, needs); });
}

}  // namespace edgewise
