// CUDA's loads and stores with cache operators (PTX ISA, "Cache Operators").
#pragma once

#ifdef CUTTLE_BACKEND_PTX
namespace cuttle::device {

/// The widest word in which a T can be moved.
template <class T>
inline constexpr unsigned word_bytes = alignof(T) >= 16 ? 16 : alignof(T);

template <unsigned bytes>
struct HintedWord;
template <>
struct HintedWord<16> {
  unsigned long long low, high;
};
template <>
struct HintedWord<8> {
  unsigned long long value;
};
template <>
struct HintedWord<4> {
  unsigned value;
};
template <>
struct HintedWord<2> {
  unsigned short value;
};
template <>
struct HintedWord<1> {
  unsigned short value;  // no register is smaller
};

#define CUTTLE_GLOBAL(address) "l"((__attribute__((address_space(1))) void*)(address))
#define CUTTLE_HINTED_WORDS(name, operation)                                                                                                \
  struct name {                                                                                                                                    \
    static void run(const void* p, HintedWord<16>& w) {                                                                                            \
      asm volatile(operation ".v2.b64 {%0, %1}, [%2];" : "=l"(w.low), "=l"(w.high) : CUTTLE_GLOBAL(p) : "memory");                                 \
    }                                                                                                                                              \
    static void run(const void* p, HintedWord<8>& w) { asm volatile(operation ".b64 %0, [%1];" : "=l"(w.value) : CUTTLE_GLOBAL(p) : "memory"); }   \
    static void run(const void* p, HintedWord<4>& w) { asm volatile(operation ".b32 %0, [%1];" : "=r"(w.value) : CUTTLE_GLOBAL(p) : "memory"); }   \
    static void run(const void* p, HintedWord<2>& w) { asm volatile(operation ".b16 %0, [%1];" : "=h"(w.value) : CUTTLE_GLOBAL(p) : "memory"); }   \
    static void run(const void* p, HintedWord<1>& w) { asm volatile(operation ".b8 %0, [%1];" : "=h"(w.value) : CUTTLE_GLOBAL(p) : "memory"); }    \
  };
CUTTLE_HINTED_WORDS(LoadNonCoherent, "ld.global.nc")
CUTTLE_HINTED_WORDS(LoadCa, "ld.global.ca")
CUTTLE_HINTED_WORDS(LoadCg, "ld.global.cg")
CUTTLE_HINTED_WORDS(LoadCs, "ld.global.cs")
CUTTLE_HINTED_WORDS(LoadLu, "ld.global.lu")
CUTTLE_HINTED_WORDS(LoadCv, "ld.global.cv")
#undef CUTTLE_HINTED_WORDS
#define CUTTLE_HINTED_WORDS(name, operation)                                                                                                      \
  struct name {                                                                                                                                    \
    static void run(void* p, const HintedWord<16>& w) {                                                                                            \
      asm volatile(operation ".v2.b64 [%0], {%1, %2};" ::CUTTLE_GLOBAL(p), "l"(w.low), "l"(w.high) : "memory");                                    \
    }                                                                                                                                              \
    static void run(void* p, const HintedWord<8>& w) { asm volatile(operation ".b64 [%0], %1;" ::CUTTLE_GLOBAL(p), "l"(w.value) : "memory"); }     \
    static void run(void* p, const HintedWord<4>& w) { asm volatile(operation ".b32 [%0], %1;" ::CUTTLE_GLOBAL(p), "r"(w.value) : "memory"); }     \
    static void run(void* p, const HintedWord<2>& w) { asm volatile(operation ".b16 [%0], %1;" ::CUTTLE_GLOBAL(p), "h"(w.value) : "memory"); }     \
    static void run(void* p, const HintedWord<1>& w) { asm volatile(operation ".b8 [%0], %1;" ::CUTTLE_GLOBAL(p), "h"(w.value) : "memory"); }      \
  };
CUTTLE_HINTED_WORDS(StoreWb, "st.global.wb")
CUTTLE_HINTED_WORDS(StoreCg, "st.global.cg")
CUTTLE_HINTED_WORDS(StoreCs, "st.global.cs")
CUTTLE_HINTED_WORDS(StoreWt, "st.global.wt")
#undef CUTTLE_HINTED_WORDS
#undef CUTTLE_GLOBAL

template <class Operation, class T>
T load_hinted(const T* address) {
  constexpr unsigned bytes = word_bytes<T>;
  unsigned char value[sizeof(T)];
  for (unsigned i = 0; i < sizeof(T); i += bytes) {
    HintedWord<bytes> word;
    Operation::run(reinterpret_cast<const unsigned char*>(address) + i, word);
    __builtin_memcpy(value + i, &word, bytes);
  }
  return __builtin_bit_cast(T, value);
}
template <class Operation, class T>
void store_hinted(T* address, const T& value) {
  constexpr unsigned bytes = word_bytes<T>;
  for (unsigned i = 0; i < sizeof(T); i += bytes) {
    HintedWord<bytes> word{};
    __builtin_memcpy(&word, reinterpret_cast<const unsigned char*>(&value) + i, bytes);
    Operation::run(reinterpret_cast<unsigned char*>(address) + i, word);
  }
}

}  // namespace cuttle::device

#define CUTTLE_LOAD_HINTED(Operation) device::load_hinted<device::Operation>(address)
#define CUTTLE_STORE_HINTED(Operation) device::store_hinted<device::Operation>(address, value)
#else
#define CUTTLE_LOAD_HINTED(Operation) *address
#define CUTTLE_STORE_HINTED(Operation) *address = value
#endif

namespace cuttle::dsl {

#define CUTTLE_HINTED_LOAD(name, Operation)                                                                         \
  template <class T>                                                                                                \
  T name(const T* address) {                                                                                        \
    static_assert(__is_trivially_copyable(T), "a load with a cache hint moves bytes: the type must be trivially copyable"); \
    return CUTTLE_LOAD_HINTED(Operation);                                                                           \
  }
#define CUTTLE_HINTED_STORE(name, Operation)                                                                        \
  template <class T>                                                                                                \
  void name(T* address, std::type_identity_t<T> value) {                                                            \
    static_assert(__is_trivially_copyable(T), "a store with a cache hint moves bytes: the type must be trivially copyable"); \
    CUTTLE_STORE_HINTED(Operation);                                                                                 \
  }
CUTTLE_HINTED_LOAD(__ldg, LoadNonCoherent)
CUTTLE_HINTED_LOAD(__ldca, LoadCa)
CUTTLE_HINTED_LOAD(__ldcg, LoadCg)
CUTTLE_HINTED_LOAD(__ldcs, LoadCs)
CUTTLE_HINTED_LOAD(__ldlu, LoadLu)
CUTTLE_HINTED_LOAD(__ldcv, LoadCv)
CUTTLE_HINTED_STORE(__stwb, StoreWb)
CUTTLE_HINTED_STORE(__stcg, StoreCg)
CUTTLE_HINTED_STORE(__stcs, StoreCs)
CUTTLE_HINTED_STORE(__stwt, StoreWt)
#undef CUTTLE_HINTED_LOAD
#undef CUTTLE_HINTED_STORE
#undef CUTTLE_LOAD_HINTED
#undef CUTTLE_STORE_HINTED

}  // namespace cuttle::dsl
