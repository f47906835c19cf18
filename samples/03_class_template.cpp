// Lesson 3: a class template that holds a kernel. CUTTLE_KERNEL_WITH names what the kernel takes over from its surroundings: types by type(T),
// template parameters by constant(N), and values. The kernel is compiled for each type and each value that is launched.

#include <cuttle/cuttle.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

template <class T, int Points>
class MovingAverage {
 public:
  std::vector<T> operator()(const std::vector<T>& samples) const {
    const cuttle::Array<T> x(samples);
    cuttle::Array<T> y(x.size());
    average.over(x.size())(x, y);
    return y.to_vector();
  }

 private:
  // One kernel for the class: T and Points are those of each instance.
  static inline auto average = CUTTLE_KERNEL_WITH((type(T), constant(Points)), [](auto x, auto y) {
    T window[Points];  // in registers: Points is a constant
    for (auto i : grid_stride(x.size())) {
      for (auto p : range(Points)) window[p] = x[std::min(i + p, x.size() - 1)];
      T sum = 0;
      for (auto p : range(Points)) sum += window[p];
      y[i] = sum / static_cast<T>(Points);
    }
  });
};

template <class T>
bool is_right() {
  const std::vector<T> samples{0, 3, 6, 9, 12};
  const std::vector<T> expected{3, 6, 9, 11, 12};
  const std::vector<T> averages = MovingAverage<T, 3>()(samples);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    std::printf("%g ", static_cast<double>(averages[i]));
    if (std::abs(averages[i] - expected[i]) > T{1e-5}) return false;
  }
  std::printf("\n");
  return true;
}

int main() { return is_right<float>() && is_right<double>() ? 0 : 1; }
