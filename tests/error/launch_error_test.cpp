// What a launch cannot be is refused before the device is asked, by a message with the limit, what was asked and what is allowed; the next
// launch works.

#include <cstdint>
#include <string>

#include "support/device_test.h"

namespace {

using cuttle::Array;
using cuttle::Launch;
using cuttle::LaunchError;

auto count = CUTTLE_KERNEL([](auto x) {
  if (threadIdx.x == 0) x[0] += 1;
});

class LaunchErrors : public cuttle::test::OnEveryDevice {
 protected:
  // The launch is refused, with a message that has all of `words`, and the next one works.
  void expect_refused(const Launch& launch, std::initializer_list<std::string> words) {
    Array<int> x({0});
    try {
      count[launch](x);
      ADD_FAILURE() << "no LaunchError where " << *words.begin() << " is " << *(words.begin() + 1);
    } catch (const LaunchError& error) {
      const std::string message = error.what();
      for (const std::string& word : words) EXPECT_NE(message.find(word), std::string::npos) << "no '" << word << "' in: " << message;
      EXPECT_NE(message.find("launch_error_test_"), std::string::npos) << "no kernel in: " << message;
    }
    EXPECT_EQ(x.item(), 0);
    count[{1, 1}](x);
    EXPECT_EQ(x.item(), 1);
  }
};
CUTTLE_ON_EVERY_DEVICE(LaunchErrors);

constexpr std::int64_t huge = std::int64_t{1} << 40;

TEST_P(LaunchErrors, NameTheGridsLimits) {
  expect_refused({.grid = huge, .block = 1}, {"grid.x", "1099511627776", "2147483647"});
  expect_refused({.grid = std::uint64_t{1} << 63, .block = 1}, {"grid.x", "9223372036854775807", "2147483647"});
  expect_refused({.grid = {1, 65536}, .block = 1}, {"grid.y", "65536", "65535"});
  expect_refused({.grid = {1, 1, 65536}, .block = 1}, {"grid.z", "65536", "65535"});
  expect_refused({.grid = {1, huge, 1}, .block = 1}, {"grid.y", "1099511627776", "65535"});
  expect_refused({.grid = -1, .block = 1}, {"grid.x", "-1", "0"});
}

TEST_P(LaunchErrors, NameTheBlocksLimits) {
  expect_refused({.block = 1025}, {"block.x", "1025", "1024"});
  expect_refused({.block = {1, 1025}}, {"block.y", "1025", "1024"});
  expect_refused({.block = {1, 1, 65}}, {"block.z", "65", "64"});
  expect_refused({.block = {32, 33}}, {"threads of a block", "1056", "1024"});
  expect_refused({.block = 0}, {"block.x", "0", "1"});
  expect_refused({.block = {1, 0}}, {"block.y", "0", "1"});
  expect_refused({.block = -32}, {"block.x", "-32", "1"});
  expect_refused({.block = huge}, {"block.x", "1099511627776", "1024"});
}

TEST_P(LaunchErrors, NameTheLimitOfSharedMemory) {
  expect_refused({.block = 1, .shared = std::size_t{1} << 30}, {"dynamic shared memory", "1073741824"});
  expect_refused({.block = 1, .shared = SIZE_MAX}, {"dynamic shared memory", "9223372036854775807"});
}

TEST_P(LaunchErrors, RefuseANegativeNumberOfThreads) {
  Array<int> x({0});
  try {
    count.over(-5)(x);
    FAIL() << "no LaunchError";
  } catch (const LaunchError& error) {
    EXPECT_NE(std::string(error.what()).find("-5"), std::string::npos) << error.what();
  }
}

TEST_P(LaunchErrors, AreNoneForTheLimitsThemselves) {
  Array<int> x({0});
  count[{.grid = {1, 1, 1}, .block = 1024}](x);
  count[{.block = {1, 1024}}](x);
  count[{.block = {16, 1, 64}}](x);
  count[{.block = {1, 1, 64}, .shared = 48 * 1024}](x);
  EXPECT_GE(x.item(), 4);
}

TEST_P(LaunchErrors, AreNoneForNoWork) {
  Array<int> x({0});
  count[{.grid = 0, .block = 32}](x);
  count[{.grid = {1, 0}, .block = 32}](x);
  count[{.grid = {1, 1, 0}, .block = 32}](x);
  count.over(0)(x);
  cuttle::synchronize();
  EXPECT_EQ(x.item(), 0);
}

}  // namespace
