// 10: allocate, copy in, double, copy out: the first program of every GPU library.

#include <cuttle/cuttle.hpp>

#include <iostream>

auto double_it = CUTTLE_KERNEL([](auto a) { a.flat(threadIdx.x) *= 2; });

int main() {
  cuttle::Array<float, 2> a{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}};
  double_it[{.block = 16}](a);
  std::cout << a << '\n';
  return a.to_vector()[15] == 32 ? 0 : 1;
}
