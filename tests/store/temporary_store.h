// A test with a store of its own, removed at the end.
#ifndef EDGEWISE_TESTS_STORE_TEMPORARY_STORE_H_
#define EDGEWISE_TESTS_STORE_TEMPORARY_STORE_H_

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "store/store.h"

namespace edgewise {

class TemporaryStoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "edgewise-test-XXXXXX")
            .string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    home_ = pattern;
    auto store = Store::Open(home_);
    ASSERT_TRUE(store.ok()) << store.error().message;
    store_.emplace(std::move(*store));
  }
  void TearDown() override {
    store_.reset();
    std::filesystem::remove_all(home_);
  }

  std::filesystem::path home_;
  std::optional<Store> store_;
};

}  // namespace edgewise

#endif  // EDGEWISE_TESTS_STORE_TEMPORARY_STORE_H_
