// The guide's kernels in classes: a member of any kernel's type, and a class template's own kernel.

#include <cuttle/cuttle.hpp>

#include <map>
#include <string>
#include <vector>

// cuttle::Kernel holds any kernel: in members, in containers, as a result.
const std::map<std::string, cuttle::Kernel> activations = {
    {"relu", CUTTLE_KERNEL([](view<float> x, int n) {
       for (auto i : grid_stride(n)) x[i] = fmaxf(x[i], 0);
     })},
    {"square", CUTTLE_KERNEL([](view<float> x, int n) {
       for (auto i : grid_stride(n)) x[i] *= x[i];
     })},
};

template <class T, int Factor>
class Repeater {
 public:
  std::vector<T> operator()(const std::vector<T>& values) const {
    const cuttle::Array<T> x(values);
    cuttle::Array<T> y(x.size() * Factor);
    repeat.over(y.size())(x, y);
    return y.to_vector();
  }

 private:
  static inline auto repeat = CUTTLE_KERNEL_WITH((type(T), constant(Factor)), [](view<const T> x, view<T> y) {
    for (auto i : grid_stride(y.size())) y[i] = x[i / Factor];
  });
};

int main() {
  cuttle::Array<float> x({-2, 3});
  activations.at("relu").over(2)(x, 2);
  activations.at("square").over(2)(x, 2);
  const bool is_right = x.to_vector() == std::vector<float>{0, 9};
  return is_right && Repeater<double, 2>()({1, 2}) == std::vector<double>{1, 1, 2, 2} ? 0 : 1;
}
