// A service: what one replica of a tenant answers requests with.
#ifndef EDGEWISE_APPS_TENANT_SERVICE_H_
#define EDGEWISE_APPS_TENANT_SERVICE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "load/checksum.h"

namespace edgewise::apps {

// Used by one thread at a time; replicas share nothing.
class Service {
 public:
  virtual ~Service() = default;
  // Answers request `number`; the answer, which depends on the number only,
  // goes into the checksum.
  virtual Result<void> Answer(uint64_t number, Checksum& checksum) = 0;
  // Ends what it has started, so that an answer that hangs fails. From any
  // thread.
  virtual void Abandon() {}
};

struct ServiceKind {
  const char* name;
  const char* description;
  Result<std::unique_ptr<Service>> (*make)();
};

// Those that come with the program.
const std::vector<ServiceKind>& ServiceKinds();
std::vector<std::string> ServiceNames();
// kInvalid, with the nearest name, if there is none of this name.
Result<const ServiceKind*> FindService(const std::string& name);

// The builders. Weights and inputs are seeded and always the same.
Result<std::unique_ptr<Service>> MakeGcn();
Result<std::unique_ptr<Service>> MakeForest();
Result<std::unique_ptr<Service>> MakeLstm();
Result<std::unique_ptr<Service>> MakeGruKalman();
// One of the architectures of apps/models, through OpenCV.
Result<std::unique_ptr<Service>> MakeNetwork(const char* architecture);

// Programs of users. A line is written to the stdin of `command`, and a line of
// its stdout is the answer.
Result<std::unique_ptr<Service>> MakeLines(
    const std::vector<std::string>& command, const std::string& line);
// GET of `url`, which must be answered by 2xx. With a command the service is
// started first: "{port}" in both stands for a free port. Without one it must
// be there within a minute.
Result<std::unique_ptr<Service>> MakeHttp(
    const std::string& url, const std::vector<std::string>& command);

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_TENANT_SERVICE_H_
