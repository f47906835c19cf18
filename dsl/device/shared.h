// Shared memory as an expression: shared<float, 16, 16>() and dynamic_shared<float>(n).
#pragma once

extern "C" {
// How many bytes of the launch's dynamic shared memory this thread has handed out: a variable of the thread's own, which the compiler makes
// where the kernel uses it (codegen/dynamic_shared.cpp).
__attribute__((device)) size_t* cuttle_dynamic_shared_top();
// Says how many it has now, for the compiler to find what every launch has to give.
__attribute__((device)) void cuttle_dynamic_shared_needs(size_t bytes);
}

namespace cuttle::device {

inline unsigned char* dynamic_shared_begin() {
  extern __attribute__((shared)) __attribute__((aligned(16))) unsigned char cuttle_dynamic_shared[];
  return cuttle_dynamic_shared;
}

}  // namespace cuttle::device

namespace cuttle::dsl {

template <class T, size_t n, class Place = decltype([] {})>
__attribute__((device)) T (&shared()) [n] {
  static __attribute__((shared)) T memory[n];
  return memory;
} template <class T, size_t n, size_t m, class Place = decltype([] {})>
                                      __attribute__((device)) T (&shared()) [n][m] {
                                        static __attribute__((shared)) T memory[n][m];
                                        return memory;
                                      } template <class T, size_t n, size_t m, size_t k, class Place = decltype([] {})>
                                                                            __attribute__((device)) T (&shared()) [n][m][k] {
                                                                              static __attribute__((shared)) T memory[n][m][k];
                                                                              return memory;
                                                                            }

template <class T>
__attribute__((device)) T* dynamic_shared(size_t count) {
  static_assert(alignof(T) <= 16, "dynamic shared memory is aligned to 16 bytes");
  size_t* top = cuttle_dynamic_shared_top();
  const size_t begin = (*top + alignof(T) - 1) / alignof(T) * alignof(T);
  *top = begin + count * sizeof(T);
  cuttle_dynamic_shared_needs(*top);
  return reinterpret_cast<T*>(device::dynamic_shared_begin() + begin);
}

}  // namespace cuttle::dsl
