// What the writer and the reader of a spool share. Private to this room.
#ifndef EDGEWISE_STACKS_SPOOL_RECORDS_H_
#define EDGEWISE_STACKS_SPOOL_RECORDS_H_

#include <cstdint>
#include <string_view>

namespace edgewise::stacks {

inline constexpr std::string_view kSpoolMagic = "edgewise spool 1";

enum SpoolRecordType : uint32_t {
  kFileRecord = 1,
  kMapRecord = 2,
  kLifeRecord = 3,
  kPythonCodeRecord = 4,
  kSampleRecord = 5,
  kLossRecord = 6,
};

}  // namespace edgewise::stacks

#endif  // EDGEWISE_STACKS_SPOOL_RECORDS_H_
