// Fragments and mma_sync, for wmma.hpp: the hardware's on a GPU; on the CPU device every thread holds whole matrices, and no exchange is needed.
#pragma once

#include "../include/cuttle/dsl/wmma.hpp"

#ifdef CUTTLE_BACKEND_PTX
namespace cuttle::detail {

using namespace dsl::nvcuda::wmma;
using dsl::bfloat16, dsl::half;

// Per type and shape: registers, and the compiler's builtins for them. Layouts are constants of the instructions.
template <class T, class Acc>
struct Wmma;

#define CUTTLE_WMMA(T, Acc, A, C, load_a_, load_b_, load_c_, store_c_, mma_)                                        \
  template <>                                                                                                       \
  struct Wmma<T, Acc> {                                                                                             \
    template <int column>                                                                                           \
    static void load(matrix_a*, void* x, const void* from, unsigned stride) {                                       \
      load_a_(static_cast<A*>(x), static_cast<const A*>(from), stride, column);                                     \
    }                                                                                                               \
    template <int column>                                                                                           \
    static void load(matrix_b*, void* x, const void* from, unsigned stride) {                                       \
      load_b_(static_cast<A*>(x), static_cast<const A*>(from), stride, column);                                     \
    }                                                                                                               \
    template <int column>                                                                                           \
    static void load_c(void* x, const void* from, unsigned stride) {                                                \
      load_c_(static_cast<C*>(x), static_cast<const C*>(from), stride, column);                                     \
    }                                                                                                               \
    template <int column>                                                                                           \
    static void store_c(void* to, const void* x, unsigned stride) {                                                 \
      store_c_(static_cast<C*>(to), static_cast<const C*>(x), stride, column);                                      \
    }                                                                                                               \
    template <int layouts>                                                                                          \
    static void mma(void* d, const void* a, const void* b, const void* c) {                                         \
      mma_(static_cast<C*>(d), static_cast<const A*>(a), static_cast<const A*>(b), static_cast<const C*>(c), layouts, 0); \
    }                                                                                                               \
  };
CUTTLE_WMMA(half, float, int, float, __hmma_m16n16k16_ld_a, __hmma_m16n16k16_ld_b, __hmma_m16n16k16_ld_c_f32, __hmma_m16n16k16_st_c_f32,
            __hmma_m16n16k16_mma_f32f32)
CUTTLE_WMMA(half, half, int, int, __hmma_m16n16k16_ld_a, __hmma_m16n16k16_ld_b, __hmma_m16n16k16_ld_c_f16, __hmma_m16n16k16_st_c_f16,
            __hmma_m16n16k16_mma_f16f16)
CUTTLE_WMMA(bfloat16, float, int, float, __mma_bf16_m16n16k16_ld_a, __mma_bf16_m16n16k16_ld_b, __hmma_m16n16k16_ld_c_f32, __hmma_m16n16k16_st_c_f32,
            __mma_bf16_m16n16k16_mma_f32)
CUTTLE_WMMA(precision::tf32, float, int, float, __mma_tf32_m16n16k8_ld_a, __mma_tf32_m16n16k8_ld_b, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32,
            __mma_tf32_m16n16k8_mma_f32)
CUTTLE_WMMA(double, double, double, double, __dmma_m8n8k4_ld_a, __dmma_m8n8k4_ld_b, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64, __dmma_m8n8k4_mma_f64)
CUTTLE_WMMA(signed char, int, int, int, __imma_m16n16k16_ld_a_s8, __imma_m16n16k16_ld_b_s8, __imma_m16n16k16_ld_c, __imma_m16n16k16_st_c_i32,
            __imma_m16n16k16_mma_s8)
CUTTLE_WMMA(unsigned char, int, int, int, __imma_m16n16k16_ld_a_u8, __imma_m16n16k16_ld_b_u8, __imma_m16n16k16_ld_c, __imma_m16n16k16_st_c_i32,
            __imma_m16n16k16_mma_u8)
#undef CUTTLE_WMMA

// An m x n x k shape has m n elements of the accumulator; of a and b all threads of the warp hold each once, of half's twice.
template <int m, int n, int k, class T>
inline constexpr int wmma_elements<accumulator, m, n, k, T> = m * n / 32;
template <int m, int n, int k, class T>
inline constexpr int wmma_elements<matrix_a, m, n, k, T> = m * k / 32 * (__is_same(T, half) ? 2 : 1);
template <int m, int n, int k, class T>
inline constexpr int wmma_elements<matrix_b, m, n, k, T> = n * k / 32 * (__is_same(T, half) ? 2 : 1);

/// Any accumulator's type goes with its own loads; half's inputs are those of both.
template <class T>
struct WmmaOfAccumulator {
  using type = Wmma<half, T>;
};
template <>
struct WmmaOfAccumulator<int> {
  using type = Wmma<signed char, int>;
};
template <>
struct WmmaOfAccumulator<double> {
  using type = Wmma<double, double>;
};
template <class T>
struct WmmaOfInput {
  using type = Wmma<T, float>;
};
template <>
struct WmmaOfInput<signed char> {
  using type = Wmma<signed char, int>;
};
template <>
struct WmmaOfInput<unsigned char> {
  using type = Wmma<unsigned char, int>;
};
template <>
struct WmmaOfInput<double> {
  using type = Wmma<double, double>;
};
// tf32's accumulators are loaded by instructions of their own shape.
template <class T, int k>
using wmma_of_accumulator = std::conditional_t<k == 8, Wmma<precision::tf32, float>, typename WmmaOfAccumulator<T>::type>;

}  // namespace cuttle::detail

namespace cuttle::dsl::nvcuda::wmma {

template <class Use, int m, int n, int k, class T, class Layout>
void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& fragment, const typename cuttle::detail::WmmaElement<T>::type* from, unsigned stride) {
  using Operations = typename cuttle::detail::WmmaOfInput<T>::type;
  Operations::template load<Layout::is_column_major>(static_cast<Use*>(nullptr), fragment.x, from, stride);
}
template <int m, int n, int k, class T>
void load_matrix_sync(fragment<accumulator, m, n, k, T>& fragment, const T* from, unsigned stride, layout_t layout) {
  using Operations = cuttle::detail::wmma_of_accumulator<T, k>;
  layout == mem_col_major ? Operations::template load_c<1>(fragment.x, from, stride) : Operations::template load_c<0>(fragment.x, from, stride);
}
template <int m, int n, int k, class T>
void store_matrix_sync(T* to, const fragment<accumulator, m, n, k, T>& fragment, unsigned stride, layout_t layout) {
  using Operations = cuttle::detail::wmma_of_accumulator<T, k>;
  layout == mem_col_major ? Operations::template store_c<1>(to, fragment.x, stride) : Operations::template store_c<0>(to, fragment.x, stride);
}
template <int m, int n, int k, class T, class LayoutA, class LayoutB, class Acc>
void mma_sync(fragment<accumulator, m, n, k, Acc>& d, const fragment<matrix_a, m, n, k, T, LayoutA>& a,
              const fragment<matrix_b, m, n, k, T, LayoutB>& b, const fragment<accumulator, m, n, k, Acc>& c) {
  cuttle::detail::Wmma<T, Acc>::template mma<2 * LayoutA::is_column_major + LayoutB::is_column_major>(d.x, a.x, b.x, c.x);
}

}  // namespace cuttle::dsl::nvcuda::wmma
#else
namespace cuttle::detail {

using namespace dsl::nvcuda::wmma;

template <int m, int n, int k, class T>
inline constexpr int wmma_elements<accumulator, m, n, k, T> = m * n;
template <int m, int n, int k, class T>
inline constexpr int wmma_elements<matrix_a, m, n, k, T> = m * k;
template <int m, int n, int k, class T>
inline constexpr int wmma_elements<matrix_b, m, n, k, T> = k * n;

template <class T>
void copy_matrix(T* to, unsigned to_row, unsigned to_column, const T* from, unsigned from_row, unsigned from_column, int rows, int columns) {
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) to[i * to_row + j * to_column] = from[i * from_row + j * from_column];
  }
}

/// What the tensor cores multiply: tf32 without the bits that it has not.
template <class T>
auto wmma_factor(T x) {
  if constexpr (__is_same(T, signed char) || __is_same(T, unsigned char)) {
    return static_cast<int>(x);
  } else if constexpr (__is_same(T, double)) {
    return x;
  } else {
    return static_cast<float>(x);
  }
}
inline float wmma_tf32(float x) { return __builtin_bit_cast(float, __builtin_bit_cast(unsigned, x) & 0xffffe000u); }

}  // namespace cuttle::detail

namespace cuttle::dsl::nvcuda::wmma {

template <class Use, int m, int n, int k, class T, class Layout>
void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& fragment, const typename cuttle::detail::WmmaElement<T>::type* from, unsigned stride) {
  constexpr int rows = __is_same(Use, matrix_a) ? m : k, columns = __is_same(Use, matrix_a) ? k : n;
  constexpr bool by_column = Layout::is_column_major != 0;
  __syncwarp();
  cuttle::detail::copy_matrix(fragment.x, static_cast<unsigned>(columns), 1u, from, by_column ? 1u : stride, by_column ? stride : 1u, rows, columns);
}
template <int m, int n, int k, class T>
void load_matrix_sync(fragment<accumulator, m, n, k, T>& fragment, const T* from, unsigned stride, layout_t layout) {
  const bool by_column = layout == mem_col_major;
  __syncwarp();
  cuttle::detail::copy_matrix(fragment.x, static_cast<unsigned>(n), 1u, from, by_column ? 1u : stride, by_column ? stride : 1u, m, n);
}
template <int m, int n, int k, class T>
void store_matrix_sync(T* to, const fragment<accumulator, m, n, k, T>& fragment, unsigned stride, layout_t layout) {
  const bool by_column = layout == mem_col_major;
  if (laneid() == 0) {
    cuttle::detail::copy_matrix(to, by_column ? 1u : stride, by_column ? stride : 1u, fragment.x, static_cast<unsigned>(n), 1u, m, n);
  }
  __syncwarp();
}
template <int m, int n, int k, class T, class LayoutA, class LayoutB, class Acc>
void mma_sync(fragment<accumulator, m, n, k, Acc>& d, const fragment<matrix_a, m, n, k, T, LayoutA>& a,
              const fragment<matrix_b, m, n, k, T, LayoutB>& b, const fragment<accumulator, m, n, k, Acc>& c) {
  const auto factor = [](auto x) {
    if constexpr (__is_same(T, precision::tf32)) {
      return cuttle::detail::wmma_tf32(x);
    } else {
      return cuttle::detail::wmma_factor(x);
    }
  };
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      auto sum = cuttle::detail::wmma_factor(c.x[i * n + j]);
      for (int l = 0; l < k; ++l) sum += factor(a.x[i * k + l]) * factor(b.x[l * n + j]);
      d.x[i * n + j] = static_cast<Acc>(sum);
    }
  }
}

}  // namespace cuttle::dsl::nvcuda::wmma
#endif

namespace cuttle::dsl::nvcuda::wmma {

template <class Use, int m, int n, int k, class T, class Layout, class V>
void fill_fragment(fragment<Use, m, n, k, T, Layout>& fragment, V value) {
  for (auto& element : fragment.x) element = static_cast<typename cuttle::detail::WmmaElement<T>::type>(value);
}

}  // namespace cuttle::dsl::nvcuda::wmma
