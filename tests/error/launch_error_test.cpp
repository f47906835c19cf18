// What a launch cannot be is refused before the device is asked, by a message with the limit, what was asked and what is allowed; the next
// launch works.

#include <cstdint>
#include <string>

#include "support/device_test.h"

namespace {

using cuttle::Array;
using cuttle::Launch;
using cuttle::LaunchError;

constexpr int line_of_count = __LINE__ + 1;
auto count = CUTTLE_KERNEL([](auto x) { x[0] += threadIdx.x == 0 ? 1 : 0; });

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
      EXPECT_NE(message.find("launch_error_test.cpp:" + std::to_string(line_of_count) + " (view<i32>)"), std::string::npos)
          << "no kernel in: " << message;
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

auto carves = CUTTLE_KERNEL([](auto x) {
  int* counts = dynamic_shared<int>(64);
  double* sums = dynamic_shared<double>(8);
  counts[threadIdx.x] = static_cast<int>(threadIdx.x);
  sums[threadIdx.x % 8] = 1;
  __syncthreads();
  if (threadIdx.x == 0) x[0] += counts[31] + static_cast<int>(sums[7]);
});

auto carves_as_asked = CUTTLE_KERNEL([](auto x, int n) {
  int* counts = dynamic_shared<int>(n);
  if (threadIdx.x == 0) counts[0] = 1;
  __syncthreads();
  if (threadIdx.x == 0) x[0] += counts[0];
});

auto uses_an_extern_array = CUTTLE_KERNEL([](auto x) {
  extern __shared__ int counts[];
  counts[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) x[0] += counts[0];
});

auto may_carve = CUTTLE_KERNEL([](auto x, bool does) {
  if (does) {
    int* counts = dynamic_shared<int>(32);
    counts[threadIdx.x] = 1;
    if (threadIdx.x == 0) x[0] += counts[0];
  }
});

// What the refusal of a launch says; empty where there is none.
template <class Call>
std::string refusal_of(Call call) {
  try {
    call();
    return {};
  } catch (const LaunchError& error) {
    return error.what();
  }
}

TEST_P(LaunchErrors, SayWhatDynamicSharedMemoryTheKernelTakes) {
  constexpr std::size_t needed = 64 * sizeof(int) + 8 * sizeof(double);
  Array<int> x({0});
  for (const std::size_t bytes : {std::size_t{0}, needed - 1}) {
    const std::string message = refusal_of([&] { carves[{.block = 32, .shared = bytes}](x); });
    for (const std::string& word :
         {std::to_string(bytes) + " bytes of dynamic shared memory", std::string("at least 320"), std::string(".shared = 320")}) {
      EXPECT_NE(message.find(word), std::string::npos) << "no '" << word << "' in: " << message;
    }
  }
  for (const std::string& message :
       {refusal_of([&] { carves_as_asked[{.block = 32}](x, 4); }), refusal_of([&] { uses_an_extern_array[{.block = 32}](x); })}) {
    EXPECT_NE(message.find("it takes some. Say how many at the launch"), std::string::npos) << message;
  }
  EXPECT_EQ(x.item(), 0);
  carves[{.block = 32, .shared = needed}](x);
  EXPECT_EQ(x.item(), 32);
  carves_as_asked[{.block = 32, .shared = 4 * sizeof(int)}](x, 4);
  uses_an_extern_array[{.block = 32, .shared = 32 * sizeof(int)}](x);
  EXPECT_EQ(x.item(), 34);
}

TEST_P(LaunchErrors, AreNoneWhereAThreadMayTakeNoDynamicSharedMemory) {
  Array<int> x({0});
  may_carve[{.block = 32}](x, false);
  may_carve[{.block = 32, .shared = 32 * sizeof(int)}](x, true);
  carves[{.grid = 0, .block = 32}](x);
  EXPECT_EQ(x.item(), 1);
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

// Two kernels of one text are one piece of code, and each is blamed by its own place.
const auto first_twin = CUTTLE_KERNEL([](auto x) { x[0] = 7; });
constexpr int line_of_second_twin = __LINE__ + 1;
const auto second_twin = CUTTLE_KERNEL([](auto x) { x[0] = 7; });

TEST_P(LaunchErrors, NameThePlaceOfTheKernelThatWasLaunched) {
  Array<int> x({0});
  first_twin[{1, 1}](x);
  try {
    second_twin[{.block = 0}](x);
    FAIL() << "no LaunchError";
  } catch (const LaunchError& error) {
    const std::string place = "launch_error_test.cpp:" + std::to_string(line_of_second_twin);
    EXPECT_NE(std::string(error.what()).find(place), std::string::npos) << error.what();
  }
}

TEST_P(LaunchErrors, OfAnArrayNameTheKernel) {
  Array<int> x({0});
  const Array<int> moved = std::move(x);
  try {
    count[{1, 1}](x);
    FAIL() << "no LaunchError";
  } catch (const LaunchError& error) {
    const std::string place = "argument 1 (x) of a launch of the kernel at ";
    EXPECT_NE(std::string(error.what()).find(place), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("launch_error_test.cpp:" + std::to_string(line_of_count)), std::string::npos) << error.what();
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
