// A proxy as tests start it, and patience.
#ifndef EDGEWISE_TESTS_IMPAIR_STARTED_PROXY_H_
#define EDGEWISE_TESTS_IMPAIR_STARTED_PROXY_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <utility>

#include "impair/proxy.h"

namespace edgewise {

inline Proxy StartTo(int port, const char* impairment = "none") {
  ProxySettings settings;
  settings.upstream_host = "127.0.0.1";
  settings.upstream_port = port;
  settings.impairment = *ParseImpairment(impairment);
  auto proxy = Proxy::Start(settings);
  EXPECT_TRUE(proxy.ok()) << proxy.error().message;
  return std::move(*proxy);
}

template <typename Condition>
bool Eventually(const Condition& condition) {
  for (int i = 0; i < 60'000; ++i) {
    if (condition()) {
      return true;
    }
    ::usleep(1000);
  }
  return false;
}

}  // namespace edgewise

#endif  // EDGEWISE_TESTS_IMPAIR_STARTED_PROXY_H_
