#include "datasets/s3_objects.h"

#include <fcntl.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "base/sha256.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "base/write_all.h"
#include "datasets/disk_room.h"
#include "datasets/download.h"
#include "datasets/tree.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

// Round trips, not bytes, take the time of small objects.
constexpr size_t kMaxWorkers = 8;
constexpr std::chrono::milliseconds kTell{100};

// How the journal names what it has: one line an object.
std::string JournalLine(const WantedObject& wanted) {
  return Sha256Of(wanted.object.etag + " " +
                  std::to_string(wanted.object.bytes) + " " + wanted.name) +
         "\n";
}

class ObjectFetch {
 public:
  ObjectFetch(const S3Bucket& bucket, const std::vector<WantedObject>& objects,
              const fs::path& folder, const DatasetRequest& request)
      : bucket_(bucket),
        objects_(objects),
        files_(folder / "files"),
        parts_(folder / "parts"),
        journal_path_(folder / "done"),
        request_(request) {}

  Result<void> Run();

 private:
  Result<void> Prepare();
  void Work();
  Result<void> Fetch(fetch::Client& client, const WantedObject& wanted);
  Result<void> Place(const fs::path& part, const WantedObject& wanted);
  void Fail(const Error& error);

  const S3Bucket& bucket_;
  const std::vector<WantedObject>& objects_;
  const fs::path files_;
  const fs::path parts_;
  const fs::path journal_path_;
  const DatasetRequest& request_;
  UniqueFd journal_;
  std::vector<const WantedObject*> missing_;

  std::atomic<size_t> next_{0};
  std::atomic<int64_t> done_bytes_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;  // of what follows
  std::condition_variable ended_;
  size_t running_ = 0;
  std::optional<Error> error_;
};

// Removes what is not wanted (any more) and finds out what is missing.
Result<void> ObjectFetch::Prepare() {
  std::error_code error;
  fs::create_directories(files_, error);
  fs::create_directories(parts_, error);
  const std::string journal = TryReadFile(journal_path_).value_or("");
  std::map<std::string, const WantedObject*> have;
  for (const WantedObject& wanted : objects_) {
    const fs::path path = files_ / wanted.name;
    if (journal.find(JournalLine(wanted)) != std::string::npos &&
        fs::symlink_status(path, error).type() == fs::file_type::regular &&
        static_cast<int64_t>(fs::file_size(path, error)) ==
            wanted.object.bytes) {
      have.emplace(wanted.name, &wanted);
      done_bytes_ += wanted.object.bytes;
    } else {
      missing_.push_back(&wanted);
    }
  }
  const auto there = ListTree(files_);
  if (!there) {
    return there.error();
  }
  for (const TreeEntry& entry : *there) {
    if (!have.contains(entry.name)) {
      fs::remove(files_ / entry.name, error);
    }
  }
  journal_.reset(::open(journal_path_.c_str(),
                        O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!journal_.valid()) {
    return Error{ErrorCodeFromErrno(errno),
                 "cannot write " + journal_path_.string() + ": " + ErrnoText()};
  }
  return {};
}

void ObjectFetch::Fail(const Error& error) {
  const std::lock_guard lock(mutex_);
  if (!error_) {
    error_ = error;
  }
  stop_ = true;
}

void ObjectFetch::Work() {
  auto client = fetch::MakeClient();
  if (!client) {
    Fail(client.error());
  }
  while (!stop_) {
    const size_t index = next_++;
    if (index >= missing_.size()) {
      break;
    }
    if (auto fetched = Fetch(**client, *missing_[index]); !fetched) {
      Fail(fetched.error());
    }
  }
  const std::lock_guard lock(mutex_);
  --running_;
  ended_.notify_all();
}

Result<void> ObjectFetch::Fetch(fetch::Client& client,
                                const WantedObject& wanted) {
  DownloadOrder order;
  order.request = bucket_.ObjectRequest(wanted.object.key);
  if (!wanted.object.etag.empty()) {
    order.request.headers.emplace_back("If-Match", wanted.object.etag);
  }
  order.shown = "the object " + wanted.object.key;
  order.file = parts_ / Sha256Of(wanted.object.key);
  order.retry_pause = request_.settings.retry_pause;
  int64_t told = 0;
  order.go_on = [&](int64_t done, std::optional<int64_t>) {
    done_bytes_ += done - std::exchange(told, done);
    return !stop_;
  };
  order.explain = [this](const fetch::Response& response) {
    return std::optional<Error>(bucket_.Explain(response));
  };
  const auto downloaded = Download(client, order);
  if (!downloaded) {
    return downloaded.error();
  }
  done_bytes_ += wanted.object.bytes - told;
  return Place(order.file, wanted);
}

Result<void> ObjectFetch::Place(const fs::path& part,
                                const WantedObject& wanted) {
  std::error_code error;
  const auto bytes = static_cast<int64_t>(fs::file_size(part, error));
  if (error || bytes != wanted.object.bytes) {
    fs::remove(part, error);
    return Error{ErrorCode::kCorrupt,
                 "the object " + wanted.object.key +
                     " changed while it was fetched: try again when nobody "
                     "writes there"};
  }
  const fs::path path = files_ / wanted.name;
  fs::create_directories(path.parent_path(), error);
  if (!error) {
    fs::rename(part, path, error);
  }
  if (error == std::errc::not_a_directory ||
      error == std::errc::is_a_directory || error == std::errc::file_exists) {
    return Error{ErrorCode::kCorrupt,
                 "the object " + wanted.object.key +
                     " lies where others need a folder, or the other way "
                     "round: rename one of them"};
  }
  if (error) {
    return Error{ErrorCodeFromErrno(error.value()),
                 "cannot write " + path.string() + ": " + error.message()};
  }
  fs::remove(part.string() + ".version", error);
  const std::lock_guard lock(mutex_);
  // Without it the object is fetched again, no more.
  (void)WriteAll(journal_.get(), JournalLine(wanted));
  return {};
}

Result<void> ObjectFetch::Run() {
  if (auto prepared = Prepare(); !prepared) {
    return prepared;
  }
  int64_t total_bytes = 0;
  for (const WantedObject& wanted : objects_) {
    total_bytes += wanted.object.bytes;
  }
  std::vector<std::jthread> workers;
  running_ = std::min(kMaxWorkers, missing_.size());
  for (size_t i = 0; i < std::min(kMaxWorkers, missing_.size()); ++i) {
    workers.emplace_back([this] { Work(); });
  }
  bool cancelled = false;
  std::unique_lock lock(mutex_);
  while (running_ > 0) {
    ended_.wait_for(lock, kTell, [this] { return running_ == 0; });
    lock.unlock();
    if (!request_.GoOn(
            {DatasetProgress::Stage::kFetching, done_bytes_, total_bytes})) {
      cancelled = true;
      stop_ = true;
    }
    lock.lock();
  }
  if (cancelled) {
    return Error{ErrorCode::kBusy, "fetching the dataset was cancelled"};
  }
  if (error_) {
    return *error_;
  }
  return {};
}

}  // namespace

Result<void> FetchObjects(const S3Bucket& bucket,
                          const std::vector<WantedObject>& objects,
                          const fs::path& folder,
                          const DatasetRequest& request) {
  return ObjectFetch(bucket, objects, folder, request).Run();
}

}  // namespace edgewise
