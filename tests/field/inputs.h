// Inputs and comparisons of the kernels from the field.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace cuttle::test {

inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Numbers in [-1, 1).
template <class T>
std::vector<T> uniform(std::size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> range(-1, 1);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(range(generator));
  return values;
}

/// Integers in [-4, 4], whose sums of products are exact in any type.
template <class T>
std::vector<T> small_integers(std::size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(static_cast<int>(generator() % 9) - 4);
  return values;
}

/// Every element within `tolerance` of what is expected, relative to it where that is over 1.
template <class T>
void expect_near(const std::vector<T>& result, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(result.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(result[i]), expected[i], tolerance * std::max(1.0, std::abs(expected[i]))) << "element " << i;
  }
}

}  // namespace cuttle::test
