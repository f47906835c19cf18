// Tensor cores by CUDA's names: fragments, which the threads of a warp hold together, and mma_sync on them. Read by both compilers; the host's parses
// kernels with it and calls nothing.
#pragma once

#include "half.hpp"

#include "hide_macros.hpp"

namespace cuttle::dsl::nvcuda::wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major {
  static constexpr int is_column_major = 0;
};
struct col_major {
  static constexpr int is_column_major = 1;
};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;  ///< float's range with 10 bits behind the point: the elements are floats
}

}  // namespace cuttle::dsl::nvcuda::wmma

namespace cuttle::detail {

template <class T>
struct WmmaElement {
  using type = T;
};
template <>
struct WmmaElement<dsl::nvcuda::wmma::precision::tf32> {
  using type = float;
};
/// Elements that each thread holds of a fragment: dsl/device/wmma.h.
template <class Use, int m, int n, int k, class T>
inline constexpr int wmma_elements = 1;

}  // namespace cuttle::detail

namespace cuttle::dsl::nvcuda::wmma {

/// This thread's part of an m x k matrix_a, a k x n matrix_b (with their layout in memory), or an m x n accumulator. Shapes and types are those of
/// the hardware: 16 x 16 x 16 of half or bfloat16 (accumulated in float, half also in half) and of signed char or unsigned char (int), 16 x 16 x 8 of
/// precision::tf32 (float), 8 x 8 x 4 of double. bfloat16, tf32 and double need sm_80.
///
/// Which elements are whose is not said: x[0] to x[num_elements - 1] may be changed each in the same way.
template <class Use, int m, int n, int k, class T, class Layout = void>
struct fragment {
  using element_type = typename cuttle::detail::WmmaElement<T>::type;
  static constexpr int num_elements = cuttle::detail::wmma_elements<Use, m, n, k, T>;
  alignas(16) element_type x[static_cast<std::size_t>(num_elements)];
};

#ifndef CUTTLE_DEVICE_PRELUDE
template <class Fragment, class T>
void fill_fragment(Fragment&, T) {
  __builtin_unreachable();
}
/// From memory with `stride` elements from one row (or column) to the next; accumulators name the layout here.
template <class Fragment, class T>
void load_matrix_sync(Fragment&, const T*, unsigned) {
  __builtin_unreachable();
}
template <class Fragment, class T>
void load_matrix_sync(Fragment&, const T*, unsigned, layout_t) {
  __builtin_unreachable();
}
template <class Fragment, class T>
void store_matrix_sync(T*, const Fragment&, unsigned, layout_t) {
  __builtin_unreachable();
}
/// d = a b + c. All threads of the warp must make each of these calls together.
template <class D, class A, class B, class C>
void mma_sync(D&, const A&, const B&, const C&) {
  __builtin_unreachable();
}
#endif

}  // namespace cuttle::dsl::nvcuda::wmma

namespace cuttle::dsl {

namespace wmma = nvcuda::wmma;

}  // namespace cuttle::dsl

#include "restore_macros.hpp"
