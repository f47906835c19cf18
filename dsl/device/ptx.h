// threadIdx and its kin on a GPU: each member is a read of a special register.
#pragma once

namespace cuttle::dsl {

#define CUTTLE_INDEX(type, reg)                                                      \
  struct type {                                                                      \
    __declspec(property(get = get_x)) unsigned x;                                    \
    __declspec(property(get = get_y)) unsigned y;                                    \
    __declspec(property(get = get_z)) unsigned z;                                    \
    static unsigned get_x() { return __nvvm_read_ptx_sreg_##reg##_x(); }             \
    static unsigned get_y() { return __nvvm_read_ptx_sreg_##reg##_y(); }             \
    static unsigned get_z() { return __nvvm_read_ptx_sreg_##reg##_z(); }             \
  };
CUTTLE_INDEX(ThreadIndex, tid)
CUTTLE_INDEX(BlockIndex, ctaid)
CUTTLE_INDEX(BlockDim, ntid)
CUTTLE_INDEX(GridDim, nctaid)
#undef CUTTLE_INDEX

// Declared and never defined: a property is a call, and the object is not touched.
extern const __attribute__((device)) ThreadIndex threadIdx;
extern const __attribute__((device)) BlockIndex blockIdx;
extern const __attribute__((device)) BlockDim blockDim;
extern const __attribute__((device)) GridDim gridDim;
inline constexpr int warpSize = 32;

}  // namespace cuttle::dsl
