// Mistakes with views: a row is no element, and an index is an integer.

#include <string>

#include "support/device_test.h"

namespace {

using cuttle::Array;

class ViewErrors : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(ViewErrors);

std::string message_of(const auto& launch) {
  try {
    launch();
  } catch (const cuttle::CompileError& error) {
    return error.what();
  }
  return "no CompileError";
}

constexpr const char* row_of_a_plane = "a[i] of a 2-D view a is a row; write a(i, j), or loop over the row's elements";

TEST_P(ViewErrors, ARowIsNoElement) {
  auto doubled = CUTTLE_KERNEL([](auto a) { a[threadIdx.x] *= 2; });
  auto assigned = CUTTLE_KERNEL([](auto a) { a[threadIdx.x] = 2.5; });
  auto added = CUTTLE_KERNEL([](auto a) { a[threadIdx.x] += a(0, 0); });
  Array<float, 2> plane(2, 2);
  for (const std::string& message :
       {message_of([&] { doubled[{1, 1}](plane); }), message_of([&] { assigned[{1, 1}](plane); }), message_of([&] { added[{1, 1}](plane); })}) {
    EXPECT_NE(message.find(row_of_a_plane), std::string::npos) << message;
  }
  Array<float> line(2);
  doubled[{1, 2}](line);
}

TEST_P(ViewErrors, AnIndexIsAnInteger) {
  auto kernel = CUTTLE_KERNEL([](auto a, auto i) { a[i] = 1; });
  Array<float> a(4);
  EXPECT_NE(message_of([&] { kernel[{1, 1}](a, 1.5f); }).find("an index of a view must be an integer"), std::string::npos);
}

TEST_P(ViewErrors, AViewHasAsManyIndicesAsDimensions) {
  auto kernel = CUTTLE_KERNEL([](auto a) { a(0, 0) = 1; });
  Array<float> line(4);
  EXPECT_NE(message_of([&] { kernel[{1, 1}](line); }).find("give as many indices as the view has dimensions"), std::string::npos);
}

TEST_P(ViewErrors, ALoopRunsOverIntegers) {
  auto by_floats = CUTTLE_KERNEL([](auto a, auto n) {
    for (auto i : range(n)) a[i] = 1;
  });
  auto by_grid = CUTTLE_KERNEL([](auto a, auto n) {
    for (auto i : grid_stride(n)) a[i] = 1;
  });
  Array<float> a(4);
  EXPECT_NE(message_of([&] { by_floats[{1, 1}](a, 4.0f); }).find("a loop's bounds and step must be integers"), std::string::npos);
  EXPECT_NE(message_of([&] { by_grid[{1, 1}](a, 4.0); }).find("a loop's bounds and step must be integers"), std::string::npos);
}

}  // namespace
