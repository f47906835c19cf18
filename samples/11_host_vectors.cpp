// 11: host vectors as arguments. in() is copied to the device before the kernel, out() from it after; the launch waits for that.

#include <cuttle/cuttle.hpp>

#include <vector>

auto add = CUTTLE_KERNEL([](auto a, auto b, auto c) {
  auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < c.size()) c[i] = a[i] + b[i];
});

int main() {
  const std::vector<float> a(1000, 1.0f), b(1000, 2.0f);
  std::vector<float> c(1000);
  add.over(c.size())(cuttle::in(a), cuttle::in(b), cuttle::out(c));
  return c == std::vector<float>(1000, 3.0f) ? 0 : 1;
}
