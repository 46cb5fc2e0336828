// Service: the endpoints of `edgewise serve`, answered by one HTTP server.
//
// The room `server` knows what can be asked over HTTP and how it is written
// down. It must not know how answers are found: that is done by the rooms it
// calls.
#ifndef EDGEWISE_SERVER_SERVICE_H_
#define EDGEWISE_SERVER_SERVICE_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "http/exposition.h"
#include "http/server.h"
#include "server/endpoint.h"

namespace edgewise {

// Has /healthz, /readyz, /metrics and /openapi.json from the start. Filled
// first, then started; what is called back is called from several threads.
class Service {
 public:
  Service();
  // Stops it.
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  void Add(Endpoint endpoint);
  // Schemas that endpoints refer to, as members of a JSON object:
  // "Name": {…}, …
  void AddSchemas(std::string members);
  // One sentence that says why requests cannot be answered now, if so.
  void AddReadiness(std::function<std::optional<std::string>()> why_not);
  void AddMetrics(std::function<void(http::Exposition&)> metrics);

  const std::vector<Endpoint>& endpoints() const;

  Result<void> Start(const http::ServerSettings& settings);
  int port() const;
  // Waits for requests that are being answered.
  void Stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace edgewise

#endif  // EDGEWISE_SERVER_SERVICE_H_
