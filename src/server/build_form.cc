#include "server/build_form.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/text.h"
#include "report/json_writer.h"
#include "server/url_encoded.h"

namespace edgewise {
namespace {

constexpr size_t kLongestName = 63;

// "waggle/plugin-objectcounter:0.0.0" is of the app "plugin-objectcounter".
std::string AppNameOf(std::string_view image) {
  const size_t slash = image.rfind('/');
  std::string_view name =
      slash == std::string_view::npos ? image : image.substr(slash + 1);
  name = name.substr(0, name.find_first_of(":@"));
  std::string allowed;
  for (const char c : name.substr(0, kLongestName)) {
    const bool fine = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                      c == '.' || c == '_' || c == '-';
    allowed += fine ? c : '-';
  }
  return allowed.empty() ? "app" : allowed;
}

std::string FieldOf(const http::Fields& form, const http::Request& request,
                    const char* name) {
  auto value = http::FindField(form, name);
  if (!value) {
    value = request.Query(name);
  }
  return std::string(value.value_or(""));
}

}  // namespace

OrProblem<std::string> AppFileOfBuild(const http::Request& request,
                                      const JobRules& rules) {
  const std::string type = request.ContentType();
  if (!request.body.empty() && !type.empty() &&
      type != "application/x-www-form-urlencoded") {
    return Problem{415, "unsupported_media_type", "",
                   "the body is said to be " + type +
                       ": send a form (application/x-www-form-urlencoded)"};
  }
  auto form = ReadUrlEncoded(request.body);
  if (auto* const problem = std::get_if<Problem>(&form)) {
    return std::move(*problem);
  }
  const auto& fields = std::get<http::Fields>(form);
  const std::string image = FieldOf(fields, request, "app_name");
  if (image.empty()) {
    return Problem{400, "missing_field", "app_name",
                   "app_name is missing: the image to run"};
  }
  const auto args = ShellSplit(FieldOf(fields, request, "app_args"));
  if (!args) {
    return Problem{400, "invalid_field", "app_args",
                   "app_args: " + args.error().message};
  }
  const auto engine_args =
      ShellSplit(FieldOf(fields, request, "app_docker_args"));
  if (!engine_args) {
    return Problem{400, "invalid_field", "app_docker_args",
                   "app_docker_args: " + engine_args.error().message};
  }
  // JSON is YAML.
  return JsonObject()
             .AddString("name", AppNameOf(image))
             .AddString("image", image)
             .AddStrings("args", *args)
             .AddStrings("engine_args", AdaptEngineArgs(*engine_args, rules))
             .text() +
         "\n";
}

}  // namespace edgewise
