// ImpairedPath: a local port behind which a server is farther away, by the best
// means there is.
//
// With netem: a network namespace of its own whose loopback has a netem queue,
// and two plain proxies that lead through it, so that the kernel's own TCP
// meets real delay and loss. The host's interfaces are never touched, and all
// of it vanishes with the process, however that ends. Elsewhere: one proxy that
// models the same in user space.
#ifndef EDGEWISE_IMPAIR_PATH_H_
#define EDGEWISE_IMPAIR_PATH_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "impair/impairment.h"
#include "impair/proxy.h"

namespace edgewise {

enum class ImpairMeans { kProxy, kNetem };

// "proxy", "netem".
std::string_view ImpairMeansName(ImpairMeans means);
Result<ImpairMeans> ParseImpairMeans(std::string_view text);

struct PathSettings {
  ProxySettings proxy;  // the namespaces are left alone
  // nullopt: netem where the kernel has it (and there is something for it to
  // do), else the proxy.
  std::optional<ImpairMeans> means;
};

class ImpairedPath {
 public:
  // kUnsupported or kPermission if netem is insisted on and not to be had.
  static Result<ImpairedPath> Open(const PathSettings& settings);
  ImpairedPath(ImpairedPath&&) noexcept;
  ImpairedPath& operator=(ImpairedPath&&) noexcept;
  ~ImpairedPath();

  const std::string& host() const;
  int port() const;
  ImpairMeans means() const;
  // For reports, one sentence: which means, and how loss comes about.
  const std::string& description() const;
  // With netem `lost_segments` and `segments` are what the queue dropped and
  // was handed, and there are no added delays: the kernel does not tell.
  ProxyCounts Counts() const;
  void Stop();

 private:
  struct State;
  explicit ImpairedPath(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace edgewise

#endif  // EDGEWISE_IMPAIR_PATH_H_
