// Small records of the cache: lines of "NAME VALUE", replaced as a whole.
#ifndef EDGEWISE_DATASETS_RECORD_FILE_H_
#define EDGEWISE_DATASETS_RECORD_FILE_H_

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "base/result.h"

namespace edgewise {

using Record = std::map<std::string, std::string>;

// nullopt: none, or not one. Lines that are no such line are passed over.
std::optional<Record> ReadRecord(const std::filesystem::path& path);
// Line feeds in values become blanks.
Result<void> WriteRecord(const std::filesystem::path& path,
                         const Record& record);

// The value under `name`; empty if there is none.
std::string ValueOf(const Record& record, const std::string& name);
// The same as a number; nullopt if it is none.
std::optional<int64_t> NumberOf(const Record& record, const std::string& name);

}  // namespace edgewise

#endif  // EDGEWISE_DATASETS_RECORD_FILE_H_
