// How a program of a deployment ended, where that was not as it should.
#ifndef EDGEWISE_TENANTS_PROGRAM_END_H_
#define EDGEWISE_TENANTS_PROGRAM_END_H_

#include <optional>
#include <string>
#include <string_view>

#include "experiments/child_session.h"
#include "store/store.h"

namespace edgewise::tenants {

// Why the program of a session ended before it was asked to: "exit code 3",
// or "killed by signal 9", and what it said last.
std::string EarlyEnd(const ChildSession& session, const Store& store);
// The same of one that was asked to; nullopt: it ended well.
std::optional<std::string> BadEnd(const ChildSession& session,
                                  const Store& store);

// What the tenant program said of itself, and what the program that it asks
// said last, each if there is any: ": it must write one line; \"...\"".
std::string LastWords(std::string_view output);

}  // namespace edgewise::tenants

#endif  // EDGEWISE_TENANTS_PROGRAM_END_H_
