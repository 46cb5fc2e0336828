// Bodies of forms with files (multipart/form-data).
#ifndef EDGEWISE_SERVER_MULTIPART_H_
#define EDGEWISE_SERVER_MULTIPART_H_

#include <string>
#include <string_view>
#include <vector>

#include "server/problem.h"

namespace edgewise {

struct FormPart {
  std::string name;
  std::string file_name;  // empty: not a file
  std::string_view body;  // of the form's
};

// `content_type` is the whole header. The problem says what is wrong with the
// form.
OrProblem<std::vector<FormPart>> ReadForm(std::string_view content_type,
                                          std::string_view body);

// The first part of that name; null if there is none.
const FormPart* FindPart(const std::vector<FormPart>& form,
                         std::string_view name);

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_MULTIPART_H_
