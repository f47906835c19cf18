// Linked into every test program: each process of a test has a cache of its own, empty, so that what it counts does not depend on what ran
// before, and the user's own cache is left alone.

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "support/process.h"

namespace {

class FreshCache final : public testing::Environment {
 public:
  void SetUp() override { setenv("CUTTLE_CACHE_DIR", folder_.emplace().path().c_str(), 1); }
  void TearDown() override { folder_.reset(); }

 private:
  std::optional<cuttle::test::TemporaryFolder> folder_;
};

[[maybe_unused]] const testing::Environment* const fresh_cache = testing::AddGlobalTestEnvironment(new FreshCache);

}  // namespace
