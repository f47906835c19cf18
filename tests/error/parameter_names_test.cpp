// A lambda's parameter names, read off its text for messages: "x: view<f32>, n: i32".

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "dsl/text/declarations.h"

namespace {

std::string names(std::string_view lambda) {
  std::string list;
  for (const std::string_view name : cuttle::text::parameter_names(lambda)) (list += name) += ' ';
  return list;
}

TEST(ParameterNames, AreReadOffEveryKindOfParameterList) {
  EXPECT_EQ(names("[](auto x, auto n) { f(a, b); }"), "x n ");
  EXPECT_EQ(names("[](const float* __restrict__ x, cuttle::view<const float, 2> y, int (&table)[3]) {}"), "x y  ");
  EXPECT_EQ(names("[]<class T, int N = (3)>(view<const T> x, std::array<T, N> a, T b = T(1, 2)) mutable {}"), "x a b ");
  EXPECT_EQ(names("[](auto x, auto n) requires(sizeof(n) == 4) {}"), "x n ");
  EXPECT_EQ(names("[]<class T> requires (sizeof(T) == 4) (T x, [[maybe_unused]] unsigned n) -> void {}"), "x n ");
  EXPECT_EQ(names("[](auto&&... rest, view<view<float>> nested) {}"), "rest nested ");
}

TEST(ParameterNames, AreEmptyWhereThereAreNone) {
  EXPECT_EQ(names("[] {}"), "");
  EXPECT_EQ(names("[]() {}"), "");
  EXPECT_EQ(names("[](auto, float*, view<float>, int n) {}"), "   n ");
  EXPECT_EQ(names("return"), "");
}

}  // namespace
