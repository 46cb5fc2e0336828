#include "client/csv_columns.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace edgewise::client {
namespace {

constexpr size_t kMaxMetaColumns = 32;

struct Text {
  const char* data;
  size_t bytes;

  bool operator==(const Text& other) const {
    return bytes == other.bytes && memcmp(data, other.data, bytes) == 0;
  }
};

struct Column {
  Text key;
  Text value;
};

// A number in a small buffer of its own.
class Digits {
 public:
  // "12", or with decimals "12.5": `fraction_digits` of `value` are decimals,
  // trailing zeros beyond the first are left out.
  Digits(uint64_t value, int fraction_digits) {
    if (fraction_digits > 0) {
      bool significant = false;
      for (int i = 0; i < fraction_digits; ++i, value /= 10) {
        significant =
            significant || value % 10 != 0 || i + 1 == fraction_digits;
        if (significant) {
          Prepend(static_cast<char>('0' + value % 10));
        }
      }
      Prepend('.');
    }
    do {
      Prepend(static_cast<char>('0' + value % 10));
      value /= 10;
    } while (value > 0);
  }
  Text text() const {
    return {begin_, static_cast<size_t>(data_ + sizeof(data_) - begin_)};
  }

 private:
  void Prepend(char digit) { *--begin_ = digit; }

  char data_[40];
  char* begin_ = data_ + sizeof(data_);
};

struct ProcessSample {
  bool known = false;
  uint64_t threads = 0;
  uint64_t rss_bytes = 0;
};

// Fields 20 (num_threads) and 24 (rss in pages) of /proc/self/stat, counted
// from behind the command name, which may have blanks and brackets.
ProcessSample SampleProcess() {
  ProcessSample sample;
  char text[1024];
  const int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return sample;
  }
  const ssize_t bytes = read(fd, text, sizeof(text) - 1);
  close(fd);
  if (bytes <= 0) {
    return sample;
  }
  text[bytes] = '\0';
  const char* cursor = strrchr(text, ')');
  uint64_t fields[25] = {};
  int field = 2;
  while (cursor != nullptr && field < 24) {
    cursor = strchr(cursor, ' ');
    if (cursor == nullptr) {
      return sample;
    }
    ++cursor;
    ++field;
    for (const char* digit = cursor; *digit >= '0' && *digit <= '9'; ++digit) {
      fields[field] = fields[field] * 10 + static_cast<uint64_t>(*digit - '0');
    }
  }
  sample.known = field == 24;
  sample.threads = fields[20];
  sample.rss_bytes = fields[24] * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return sample;
}

// Whole MiB and a fraction that is exact for pages of 4 KiB and more.
Digits Mebibytes(uint64_t bytes) {
  constexpr uint64_t kPer4KiB = 390'625;  // 10^8 / 256
  return Digits(
      (bytes >> 20) * 100'000'000 + ((bytes & 0xFFFFF) >> 12) * kPer4KiB, 8);
}

uint64_t CpuTenthsOfPercent(uint64_t cpu_ns, uint64_t wall_ns) {
  const double share =
      static_cast<double>(cpu_ns) / static_cast<double>(wall_ns);
  return static_cast<uint64_t>(share * 1000.0 + 0.5);
}

// "0,1,3": the CPUs that this process may use.
class Affinity {
 public:
  Affinity() {
    unsigned long mask[64] = {};
    const long bytes =
        syscall(SYS_sched_getaffinity, getpid(), sizeof(mask), mask);
    constexpr unsigned kBits = 8 * sizeof(unsigned long);
    for (unsigned cpu = 0;
         bytes > 0 && cpu < 8 * static_cast<unsigned long>(bytes); ++cpu) {
      if ((mask[cpu / kBits] >> (cpu % kBits) & 1) != 0) {
        Add(Digits(cpu, 0).text());
      }
    }
  }
  Text text() const { return {data_, size_}; }

 private:
  void Add(Text cpu) {
    if (size_ + cpu.bytes + 1 <= sizeof(data_)) {
      if (size_ > 0) {
        data_[size_++] = ',';
      }
      memcpy(data_ + size_, cpu.data, cpu.bytes);
      size_ += cpu.bytes;
    }
  }

  char data_[4096];
  size_t size_ = 0;
};

class Columns {
 public:
  void Add(const char* key, Text value) { Add(Text{key, strlen(key)}, value); }

  // As the lab's dict.update(): a known key gets the new value.
  bool Add(Text key, Text value) {
    for (size_t i = 0; i < count_; ++i) {
      if (columns_[i].key == key) {
        columns_[i].value = value;
        return true;
      }
    }
    if (count_ == sizeof(columns_) / sizeof(columns_[0])) {
      return false;
    }
    columns_[count_++] = {key, value};
    return true;
  }

  // False if there are too many.
  bool AddMeta(const char* meta, size_t bytes) {
    const char* const end = meta + bytes;
    while (meta < end) {
      const auto* line_end = static_cast<const char*>(
          memchr(meta, '\n', static_cast<size_t>(end - meta)));
      if (line_end == nullptr) {
        line_end = end;
      }
      const auto* equals = static_cast<const char*>(
          memchr(meta, '=', static_cast<size_t>(line_end - meta)));
      if (equals != nullptr &&
          !Add(Text{meta, static_cast<size_t>(equals - meta)},
               Text{equals + 1, static_cast<size_t>(line_end - equals - 1)})) {
        return false;
      }
      meta = line_end + 1;
    }
    return true;
  }

  void Write(LineBuffer& header, LineBuffer& line) const {
    for (size_t i = 0; i < count_; ++i) {
      if (i > 0) {
        header.Append(',');
        line.Append(',');
      }
      header.AppendField(columns_[i].key.data, columns_[i].key.bytes);
      line.AppendField(columns_[i].value.data, columns_[i].value.bytes);
    }
    header.Append("\r\n", 2);
    line.Append("\r\n", 2);
  }

 private:
  Column columns_[8 + kMaxMetaColumns];
  size_t count_ = 0;
};

}  // namespace

void LineBuffer::Append(const char* text, size_t bytes) {
  if (bytes > sizeof(data_) - size_) {
    overflow_ = true;
    return;
  }
  memcpy(data_ + size_, text, bytes);
  size_ += bytes;
}

void LineBuffer::AppendField(const char* text, size_t bytes) {
  bool plain = true;
  for (size_t i = 0; i < bytes; ++i) {
    plain = plain && strchr(",\"\r\n", text[i]) == nullptr;
  }
  if (plain) {
    Append(text, bytes);
    return;
  }
  Append('"');
  for (size_t i = 0; i < bytes; ++i) {
    if (text[i] == '"') {
      Append('"');
    }
    Append(text[i]);
  }
  Append('"');
}

bool FormatCsvRow(const CsvRow& row, LineBuffer& header, LineBuffer& line) {
  const Text unknown = {"", 0};
  const ProcessSample sample = SampleProcess();
  const Digits wall_ms(row.wall_ns, 6);
  const Digits cpu_ms(row.cpu_ns, 6);
  const bool cpu_known = row.cpu_ns != UINT64_MAX;
  const bool share_known = cpu_known && row.wall_ns > 0;
  const Digits percent(
      share_known ? CpuTenthsOfPercent(row.cpu_ns, row.wall_ns) : 0, 1);
  const Digits rss_mb = Mebibytes(sample.rss_bytes);
  const Digits threads(sample.threads, 0);
  const Digits timestamp(row.timestamp_ns, 0);
  const Affinity affinity;

  Columns columns;
  columns.Add("label", {row.label, strlen(row.label)});
  columns.Add("wall_ms", wall_ms.text());
  columns.Add("cpu_ms", cpu_known ? cpu_ms.text() : unknown);
  columns.Add("cpu_percent", share_known ? percent.text() : unknown);
  columns.Add("rss_mb", sample.known ? rss_mb.text() : unknown);
  columns.Add("threads", sample.known ? threads.text() : unknown);
  columns.Add("affinity", affinity.text());
  columns.Add("timestamp_ns", timestamp.text());
  if (row.meta_bytes > 0 && !columns.AddMeta(row.meta, row.meta_bytes)) {
    return false;
  }
  columns.Write(header, line);
  return !header.overflow() && !line.overflow();
}

}  // namespace edgewise::client
