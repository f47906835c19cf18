// CUDA's integer intrinsics, bit casts and packed arithmetic, as the host compiler sees them.
#pragma once

#include "vector_types.hpp"

namespace cuttle::dsl {

int __popc(unsigned x);
int __popcll(unsigned long long x);
int __clz(int x);  ///< Leading zero bits; 32 for 0.
int __clzll(long long x);
int __ffs(int x);  ///< Position of the lowest set bit, from 1; 0 for 0.
int __ffsll(long long x);
unsigned __brev(unsigned x);
unsigned long long __brevll(unsigned long long x);

int __mulhi(int a, int b);  ///< The high half of the product.
unsigned __umulhi(unsigned a, unsigned b);
long long __mul64hi(long long a, long long b);
unsigned long long __umul64hi(unsigned long long a, unsigned long long b);
int __mul24(int a, int b);  ///< The low half of the product of the low 24 bits.
unsigned __umul24(unsigned a, unsigned b);
unsigned __sad(int a, int b, unsigned c);  ///< |a - b| + c.
unsigned __usad(unsigned a, unsigned b, unsigned c);
int __hadd(int a, int b);   ///< (a + b) / 2, rounded down, without overflow.
int __rhadd(int a, int b);  ///< (a + b + 1) / 2, rounded down, without overflow.
unsigned __uhadd(unsigned a, unsigned b);
unsigned __urhadd(unsigned a, unsigned b);

unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift);   ///< The high word of high:low << shift % 32.
unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift);  ///< The same, by 32 at most.
unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift);   ///< The low word of high:low >> shift % 32.
unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift);
unsigned __byte_perm(unsigned x, unsigned y, unsigned s);  ///< Byte n is byte (s >> 4n) % 8 of y:x.

int __dp4a(int a, int b, int c);  ///< The dot product of four bytes, plus c.
unsigned __dp4a(unsigned a, unsigned b, unsigned c);
int __dp4a(char4 a, char4 b, int c);
unsigned __dp4a(uchar4 a, uchar4 b, unsigned c);
int __dp2a_lo(int a, int b, int c);  ///< The dot product of two half words of a with the low bytes of b, plus c.
unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c);
int __dp2a_hi(int a, int b, int c);  ///< The same with the high bytes of b.
unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c);

int __float_as_int(float x);
unsigned __float_as_uint(float x);
float __int_as_float(int x);
float __uint_as_float(unsigned x);
long long __double_as_longlong(double x);
double __longlong_as_double(long long x);
int __double2hiint(double x);
int __double2loint(double x);
double __hiloint2double(int high, int low);

// Packed half words (2) and bytes (4). s and u: signed and unsigned, ss and us: saturating; vcmp gives all ones and vset 1 where it holds.
#define CUTTLE_PACKED_UNARY(name) \
  unsigned name##2(unsigned a);   \
  unsigned name##4(unsigned a);
#define CUTTLE_PACKED_BINARY(name)           \
  unsigned name##2(unsigned a, unsigned b);  \
  unsigned name##4(unsigned a, unsigned b);
#define CUTTLE_PACKED_ORDER(relation)        \
  CUTTLE_PACKED_BINARY(__vcmp##relation##s)  \
  CUTTLE_PACKED_BINARY(__vcmp##relation##u)  \
  CUTTLE_PACKED_BINARY(__vset##relation##s)  \
  CUTTLE_PACKED_BINARY(__vset##relation##u)
CUTTLE_PACKED_UNARY(__vabs)
CUTTLE_PACKED_UNARY(__vabsss)
CUTTLE_PACKED_UNARY(__vneg)
CUTTLE_PACKED_UNARY(__vnegss)
CUTTLE_PACKED_BINARY(__vadd)
CUTTLE_PACKED_BINARY(__vaddss)
CUTTLE_PACKED_BINARY(__vaddus)
CUTTLE_PACKED_BINARY(__vsub)
CUTTLE_PACKED_BINARY(__vsubss)
CUTTLE_PACKED_BINARY(__vsubus)
CUTTLE_PACKED_BINARY(__vabsdiffs)
CUTTLE_PACKED_BINARY(__vabsdiffu)
CUTTLE_PACKED_BINARY(__vavgs)
CUTTLE_PACKED_BINARY(__vavgu)
CUTTLE_PACKED_BINARY(__vhaddu)
CUTTLE_PACKED_BINARY(__vmaxs)
CUTTLE_PACKED_BINARY(__vmaxu)
CUTTLE_PACKED_BINARY(__vmins)
CUTTLE_PACKED_BINARY(__vminu)
CUTTLE_PACKED_BINARY(__vsads)
CUTTLE_PACKED_BINARY(__vsadu)
CUTTLE_PACKED_BINARY(__vcmpeq)
CUTTLE_PACKED_BINARY(__vcmpne)
CUTTLE_PACKED_BINARY(__vseteq)
CUTTLE_PACKED_BINARY(__vsetne)
CUTTLE_PACKED_ORDER(ge)
CUTTLE_PACKED_ORDER(gt)
CUTTLE_PACKED_ORDER(le)
CUTTLE_PACKED_ORDER(lt)
#undef CUTTLE_PACKED_ORDER
#undef CUTTLE_PACKED_BINARY
#undef CUTTLE_PACKED_UNARY

}  // namespace cuttle::dsl
