// Arithmetic and conversions with a rounding mode, of a GPU: one instruction each, never fused with another.
#pragma once

namespace cuttle::dsl {

#define CUTTLE_MODES(X) X(rn, rn) X(rz, rz) X(ru, rp) X(rd, rm)

#define CUTTLE_DEFINE(mode, m)                                                                                    \
  inline float __fadd_##mode(float x, float y) { return __nvvm_add_##m##_f(x, y); }                               \
  inline float __fsub_##mode(float x, float y) { return __nvvm_add_##m##_f(x, -y); }                              \
  inline float __fmul_##mode(float x, float y) { return __nvvm_mul_##m##_f(x, y); }                               \
  inline float __fdiv_##mode(float x, float y) { return __nvvm_div_##m##_f(x, y); }                               \
  inline float __frcp_##mode(float x) { return __nvvm_rcp_##m##_f(x); }                                           \
  inline float __fsqrt_##mode(float x) { return __nvvm_sqrt_##m##_f(x); }                                         \
  inline float __fmaf_##mode(float x, float y, float z) { return __nvvm_fma_##m##_f(x, y, z); }                   \
  inline double __dadd_##mode(double x, double y) { return __nvvm_add_##m##_d(x, y); }                            \
  inline double __dsub_##mode(double x, double y) { return __nvvm_add_##m##_d(x, -y); }                           \
  inline double __dmul_##mode(double x, double y) { return __nvvm_mul_##m##_d(x, y); }                            \
  inline double __ddiv_##mode(double x, double y) { return __nvvm_div_##m##_d(x, y); }                            \
  inline double __drcp_##mode(double x) { return __nvvm_rcp_##m##_d(x); }                                         \
  inline double __dsqrt_##mode(double x) { return __nvvm_sqrt_##m##_d(x); }                                       \
  inline double __fma_##mode(double x, double y, double z) { return __nvvm_fma_##m##_d(x, y, z); }                \
  inline int __float2int_##mode(float x) { return __nvvm_f2i_##m(x); }                                            \
  inline unsigned __float2uint_##mode(float x) { return __nvvm_f2ui_##m(x); }                                     \
  inline long long __float2ll_##mode(float x) { return __nvvm_f2ll_##m(x); }                                      \
  inline unsigned long long __float2ull_##mode(float x) { return __nvvm_f2ull_##m(x); }                           \
  inline int __double2int_##mode(double x) { return __nvvm_d2i_##m(x); }                                          \
  inline unsigned __double2uint_##mode(double x) { return __nvvm_d2ui_##m(x); }                                   \
  inline long long __double2ll_##mode(double x) { return __nvvm_d2ll_##m(x); }                                    \
  inline unsigned long long __double2ull_##mode(double x) { return __nvvm_d2ull_##m(x); }                         \
  inline float __int2float_##mode(int x) { return __nvvm_i2f_##m(x); }                                            \
  inline float __uint2float_##mode(unsigned x) { return __nvvm_ui2f_##m(x); }                                     \
  inline float __ll2float_##mode(long long x) { return __nvvm_ll2f_##m(x); }                                      \
  inline float __ull2float_##mode(unsigned long long x) { return __nvvm_ull2f_##m(x); }                           \
  inline double __ll2double_##mode(long long x) { return __nvvm_ll2d_##m(x); }                                    \
  inline double __ull2double_##mode(unsigned long long x) { return __nvvm_ull2d_##m(x); }                         \
  inline float __double2float_##mode(double x) { return __nvvm_d2f_##m(x); }
CUTTLE_MODES(CUTTLE_DEFINE)
#undef CUTTLE_DEFINE
#undef CUTTLE_MODES

}  // namespace cuttle::dsl
