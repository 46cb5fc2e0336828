#include "datasets/aws_settings.h"

#include <cstdlib>
#include <filesystem>

#include "base/text.h"
#include "datasets/url.h"

namespace edgewise {
namespace {

constexpr char kServices[] = "services ";

// "profile lab", "profile \"lab\"" and "lab" are the same.
std::string SectionName(std::string_view between) {
  std::string_view name = Trim(between);
  if (name.starts_with("profile ") || name.starts_with("profile\t")) {
    name = Trim(name.substr(8));
  }
  if (name.size() >= 2 && name.front() == '"' && name.back() == '"') {
    name = name.substr(1, name.size() - 2);
  }
  return std::string(name);
}

struct ProfileFile {
  std::string path;
  AwsFile sections;
};

// What one of the files says of the profile.
class Profile {
 public:
  Profile(std::string name, const Variables& variable)
      : name_(std::move(name)),
        files_{Read(variable, "AWS_SHARED_CREDENTIALS_FILE", "credentials"),
               Read(variable, "AWS_CONFIG_FILE", "config")} {}

  bool IsThere() const {
    return files_[0].sections.contains(name_) ||
           files_[1].sections.contains(name_);
  }
  std::optional<std::string> Value(const std::string& key) const {
    for (const ProfileFile& file : files_) {
      if (auto value = Find(file, name_, key)) {
        return value;
      }
    }
    return std::nullopt;
  }
  std::optional<std::string> Endpoint() const {
    if (const auto services = Value("services")) {
      if (auto url =
              Find(files_[1], kServices + *services, "s3.endpoint_url")) {
        return url;
      }
    }
    return Value("endpoint_url");
  }
  // The file that has the credentials.
  const ProfileFile* WithCredentials() const {
    for (const ProfileFile& file : files_) {
      if (Find(file, name_, "aws_access_key_id")) {
        return &file;
      }
    }
    return nullptr;
  }
  static std::optional<std::string> Find(const ProfileFile& file,
                                         const std::string& section,
                                         const std::string& key) {
    const auto at = file.sections.find(section);
    if (at == file.sections.end()) {
      return std::nullopt;
    }
    const auto value = at->second.find(key);
    if (value == at->second.end() || value->second.empty()) {
      return std::nullopt;
    }
    return value->second;
  }
  const std::string& name() const { return name_; }

 private:
  static ProfileFile Read(const Variables& variable, const char* named_by,
                          const char* usual) {
    ProfileFile file;
    if (const auto path = variable(named_by)) {
      file.path = *path;
    } else if (const auto home = variable("HOME")) {
      file.path = *home + "/.aws/" + usual;
    }
    if (const auto text = TryReadFile(file.path)) {
      file.sections = ParseAwsFile(*text);
    }
    return file;
  }

  std::string name_;
  ProfileFile files_[2];
};

Error HalfSet(const std::string& from, const char* missing) {
  return {ErrorCode::kInvalid, "there is an access key in " + from +
                                   " but no " + missing +
                                   " to it: set both, or neither"};
}

Result<void> ReadVariables(const Variables& variable, const std::string& id,
                           AwsSettings& settings) {
  const auto secret = variable("AWS_SECRET_ACCESS_KEY");
  if (!secret) {
    return HalfSet("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY");
  }
  settings.key = fetch::SigningKey{
      id, *secret, variable("AWS_SESSION_TOKEN").value_or(""), "", "s3"};
  settings.key_from = "AWS_ACCESS_KEY_ID";
  return {};
}

Result<void> ReadProfile(const Profile& profile, AwsSettings& settings) {
  const ProfileFile* const file = profile.WithCredentials();
  if (file == nullptr) {
    for (const char* const other :
         {"credential_process", "sso_session", "sso_start_url", "role_arn"}) {
      if (profile.Value(other)) {
        return Error{ErrorCode::kInvalid,
                     "the profile " + profile.name() + " gets its keys by " +
                         other +
                         ", which edgewise does not do: let `aws configure "
                         "export-credentials --format env` set them first"};
      }
    }
    return {};
  }
  const std::string from =
      "the profile " + profile.name() + " in " + file->path;
  const auto value = [&](const char* key) {
    return Profile::Find(*file, profile.name(), key);
  };
  const auto secret = value("aws_secret_access_key");
  if (!secret) {
    return HalfSet(from, "aws_secret_access_key");
  }
  settings.key =
      fetch::SigningKey{*value("aws_access_key_id"), *secret,
                        value("aws_session_token").value_or(""), "", "s3"};
  settings.key_from = from;
  return {};
}

}  // namespace

std::optional<std::string> ProcessVariable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  if (value == nullptr || *value == '\0') {
    return std::nullopt;
  }
  return value;
}

AwsFile ParseAwsFile(std::string_view text) {
  AwsFile file;
  std::map<std::string, std::string>* section = nullptr;
  std::string block;
  for (const std::string_view line : Split(text, '\n')) {
    const std::string_view trimmed = Trim(line);
    if (trimmed.empty() || trimmed.front() == '#' || trimmed.front() == ';') {
      continue;
    }
    if (trimmed.front() == '[') {
      const size_t end = trimmed.find(']');
      section = end == std::string_view::npos
                    ? nullptr
                    : &file[SectionName(trimmed.substr(1, end - 1))];
      block.clear();
      continue;
    }
    const size_t equals = trimmed.find('=');
    if (section == nullptr || equals == std::string_view::npos) {
      continue;
    }
    const std::string name(Trim(trimmed.substr(0, equals)));
    const std::string value(Trim(trimmed.substr(equals + 1)));
    const bool is_indented = line.front() == ' ' || line.front() == '\t';
    if (is_indented && !block.empty()) {
      (*section)[block + "." + name] = value;
      continue;
    }
    block = value.empty() ? name : "";
    (*section)[name] = value;
  }
  return file;
}

Result<AwsSettings> ReadAwsSettings(const Variables& variable) {
  const auto named = variable("AWS_PROFILE");
  const Profile profile(named.value_or("default"), variable);
  if (named && !profile.IsThere()) {
    return Error{ErrorCode::kInvalid,
                 "there is no profile " + *named +
                     " in ~/.aws/credentials or ~/.aws/config: set AWS_PROFILE "
                     "to one that is there"};
  }
  using Value = std::optional<std::string>;
  const auto first = [](const Value& a, const Value& b) { return a ? a : b; };
  AwsSettings settings;
  const auto id = variable("AWS_ACCESS_KEY_ID");
  if (auto read = id ? ReadVariables(variable, *id, settings)
                     : ReadProfile(profile, settings);
      !read) {
    return read.error();
  }
  settings.region =
      first(first(variable("AWS_REGION"), variable("AWS_DEFAULT_REGION")),
            profile.Value("region"))
          .value_or("us-east-1");
  if (settings.key) {
    settings.key->region = settings.region;
  }
  settings.ca_file =
      first(variable("AWS_CA_BUNDLE"), profile.Value("ca_bundle")).value_or("");
  settings.endpoint =
      first(
          first(variable("AWS_ENDPOINT_URL_S3"), variable("AWS_ENDPOINT_URL")),
          profile.Endpoint())
          .value_or("https://s3." + settings.region + ".amazonaws.com");
  if (!IsHttpUrl(settings.endpoint)) {
    return Error{ErrorCode::kInvalid,
                 "the object store's address \"" + settings.endpoint +
                     "\" is none: set AWS_ENDPOINT_URL to https://HOST[:PORT]"};
  }
  while (settings.endpoint.ends_with('/')) {
    settings.endpoint.pop_back();
  }
  return settings;
}

}  // namespace edgewise
