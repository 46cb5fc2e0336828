// FlatObject: a JSON object of numbers, texts, true, false and null, with its
// numbers as they were written, however large.
#ifndef EDGEWISE_SERVER_FLAT_OBJECT_H_
#define EDGEWISE_SERVER_FLAT_OBJECT_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/problem.h"

namespace edgewise {

struct FlatMember {
  std::string key;
  std::string json;  // the value as it can be written again
  std::optional<double> number;
  std::optional<std::string> text;
};

class FlatObject {
 public:
  // By key; of several with one key the last counts.
  const std::vector<FlatMember>& members() const { return members_; }
  const FlatMember* Find(std::string_view key) const;
  // All of it as JSON, keys sorted.
  std::string Json() const;

 private:
  friend OrProblem<FlatObject> ReadFlatObject(std::string_view json);
  std::vector<FlatMember> members_;
};

// The problem says where JSON ends to be such, or which member is not flat.
OrProblem<FlatObject> ReadFlatObject(std::string_view json);

// Several of them: {"models": [OBJECT, …]} and further flat members beside it.
struct FlatBatch {
  std::vector<FlatObject> models;
  std::vector<std::string> devices;
  FlatObject rest;
};
// At most `most` models.
OrProblem<FlatBatch> ReadFlatBatch(std::string_view json, size_t most);

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_FLAT_OBJECT_H_
