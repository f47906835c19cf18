// threadIdx and its kin on the CPU device: calls that the SIMT lowering (codegen/simt.cpp) replaces.
#pragma once

extern "C" {
__attribute__((device, const)) unsigned cuttle_cpu_thread_index(int dimension);
__attribute__((device, const)) unsigned cuttle_cpu_block_index(int dimension);
__attribute__((device, const)) unsigned cuttle_cpu_block_dim(int dimension);
__attribute__((device, const)) unsigned cuttle_cpu_grid_dim(int dimension);
__attribute__((device, const)) unsigned cuttle_cpu_linear_thread();       // x fastest, then y, then z
__attribute__((device, const)) volatile int* cuttle_cpu_block_counter();  // 0 at the block's start
__attribute__((device, convergent)) void cuttle_cpu_barrier();
}

namespace cuttle::cpu {

/// What a launch passes to a block: cuttle_block_context of codegen/compiler.h.
struct BlockContext {
  const void* const* arguments;
  unsigned block_index[3];
  unsigned block_dim[3];
  unsigned grid_dim[3];
  unsigned dynamic_shared_bytes;
  unsigned char* shared;
};

template <class T, T... i>
struct Indices {};

template <class Pointer>
struct KernelType;
template <class... P>
struct KernelType<void (*)(P...)> {
  using Parameters = __make_integer_seq<Indices, size_t, sizeof...(P)>;
  template <void (*kernel)(P...), size_t... i>
  static void call(const BlockContext* block, Indices<size_t, i...>) {
    kernel(*static_cast<P const*>(block->arguments[i])...);
  }
};

/// The block function of a kernel that stands in a module: one call, which the SIMT lowering makes one for every thread.
template <auto kernel>
void call_kernel(const BlockContext* block) {
  using Type = KernelType<decltype(kernel)>;
  Type::template call<kernel>(block, typename Type::Parameters());
}

}  // namespace cuttle::cpu

namespace cuttle::dsl {

#define CUTTLE_INDEX(type, function)                       \
  struct type {                                            \
    __declspec(property(get = get_x)) unsigned x;          \
    __declspec(property(get = get_y)) unsigned y;          \
    __declspec(property(get = get_z)) unsigned z;          \
    static unsigned get_x() { return function(0); }        \
    static unsigned get_y() { return function(1); }        \
    static unsigned get_z() { return function(2); }        \
  };
CUTTLE_INDEX(ThreadIndex, cuttle_cpu_thread_index)
CUTTLE_INDEX(BlockIndex, cuttle_cpu_block_index)
CUTTLE_INDEX(BlockDim, cuttle_cpu_block_dim)
CUTTLE_INDEX(GridDim, cuttle_cpu_grid_dim)
#undef CUTTLE_INDEX

extern const __attribute__((device)) ThreadIndex threadIdx;
extern const __attribute__((device)) BlockIndex blockIdx;
extern const __attribute__((device)) BlockDim blockDim;
extern const __attribute__((device)) GridDim gridDim;
inline constexpr int warpSize = 32;

}  // namespace cuttle::dsl
