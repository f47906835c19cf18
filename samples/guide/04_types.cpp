// The guide's deduced parameters: one kernel for many types.

#include <cuttle/cuttle.hpp>

#include <vector>

auto scale = CUTTLE_KERNEL([](auto x, auto a) {
  for (auto i : grid_stride(x.size())) x[i] *= a;
});

auto axpy = CUTTLE_KERNEL([]<class T>(T a, view<const T> x, view<T> y) {
  for (auto i : grid_stride(x.size())) y[i] += a * x[i];
});

auto sum_of_squares = CUTTLE_KERNEL([](auto x, auto result) {
  using T = typename decltype(x)::value_type;
  T sum = 0;
  for (auto i : grid_stride(x.size())) {
    if constexpr (std::is_integral_v<T>) {
      sum += x[i] * x[i];
    } else {
      sum = fma(x[i], x[i], sum);
    }
  }
  atomicAdd(&result[0], sum);
});

int main() {
  cuttle::Array<double> x({1, 2, 3});
  scale.over(3)(x, 2);    // compiled for (view<f64>, i32)
  scale.over(3)(x, 2.0);  // and for (view<f64>, f64)

  cuttle::Array<double> y({1, 1, 1});
  axpy.over(3)(0.5, x, y);  // T is double

  cuttle::Array<int> n({1, 2, 3});
  cuttle::Array<int> result({0});
  sum_of_squares[{.grid = 1, .block = 32}](n, result);
  return y.to_vector() == std::vector<double>{3, 5, 7} && result.item() == 14 ? 0 : 1;
}
