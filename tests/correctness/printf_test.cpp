// printf in a kernel: the text that the host's own gives, once the host has waited.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "support/device_test.h"

namespace {

class Printf : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Printf);

template <class Run>
std::string printed(const Run& run) {
  testing::internal::CaptureStdout();
  run();
  cuttle::synchronize();
  return testing::internal::GetCapturedStdout();
}

auto print_types = CUTTLE_KERNEL([](float f, bool b, char c, short s, long long l, double d) {
  printf("%f %d %d %d %lld %s\n", f, b, c, s, l, "text");
  printf("%5d|%-5d|%05d|%+d|%x|%X|%o\n", s, s, s, s, 255, 255, 8);
  printf("%.3f %10.2e %g %G %c%%\n", d, d, d, 1e-10, 'z');
});

TEST_P(Printf, FormatsEveryTypeAsTheHostDoes) {
  const std::string text = printed([] { print_types[{1, 1}](0.1f, true, char{65}, short{-7}, 1LL << 40, 3.14159); });
  std::string expected(1000, '\0');
  std::size_t n = 0;
  const auto add = [&](auto... arguments) { n += static_cast<std::size_t>(std::snprintf(expected.data() + n, expected.size() - n, arguments...)); };
  add("%f %d %d %d %lld %s\n", 0.1f, true, 65, -7, 1LL << 40, "text");
  add("%5d|%-5d|%05d|%+d|%x|%X|%o\n", -7, -7, -7, -7, 255, 255, 8);
  add("%.3f %10.2e %g %G %c%%\n", 3.14159, 3.14159, 3.14159, 1e-10, 'z');
  expected.resize(n);
  EXPECT_EQ(text, expected);
}

auto print_sizes = CUTTLE_KERNEL([](unsigned long n, long k) { std::printf("%zu %5zd %td %jd %% z\n", n, k, k, k); });

TEST_P(Printf, FormatsSizesAndDifferences) {
  EXPECT_EQ(printed([] { print_sizes[{1, 1}](1ul << 63, -5l); }), "9223372036854775808    -5 -5 -5 % z\n");
}

auto print_nothing_much = CUTTLE_KERNEL([](int n) {
  printf("hello\n");
  printf("!");
  if (n > 0) printf("%s", "yes\n");
});

TEST_P(Printf, TakesFormatsWithoutArguments) {
  EXPECT_EQ(printed([] { print_nothing_much[{1, 1}](1); }), "hello\n!yes\n");
}

auto print_threads = CUTTLE_KERNEL([](auto x) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  __syncthreads();
  if (x[i] % 2 == 0) printf("%u:%d\n", i, x[i]);
});

TEST_P(Printf, WritesALineForEachThreadThatCallsIt) {
  std::vector<int> values;
  std::vector<std::string> expected;
  for (int i = 0; i < 256; ++i) {
    values.push_back(i * 7 % 100);
    if (values.back() % 2 == 0) expected.push_back(std::to_string(i) + ":" + std::to_string(values.back()));
  }
  cuttle::Array<int> x(values);
  std::istringstream text(printed([&] { print_threads[{4, 64}](x); }));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(lines, expected);
}

}  // namespace
