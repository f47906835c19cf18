#include "cpu_identity.h"

#include <cpuid.h>

#include <cstdint>
#include <cstdio>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

namespace cuttle::detail {
namespace {

struct Registers {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

// All zero where the CPU has no such leaf.
Registers cpuid(unsigned leaf, unsigned subleaf = 0) {
  Registers r;
  __get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx);
  return r;
}

// Which register states the operating system saves: without it AVX is there and cannot be used.
std::uint64_t saved_states(const Registers& features) {
  constexpr unsigned osxsave = 1u << 27;
  if (!(features.ecx & osxsave)) return 0;
  unsigned low = 0, high = 0;  // NOLINT(misc-const-correctness): written by the instruction
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (std::uint64_t{high} << 32) | low;
}

// The leaves that llvm/lib/TargetParser/Host.cpp reads. Left out are the stepping, and what differs from core to core of one machine (the
// APIC id in ebx of leaf 1).
std::string read_identity() {
  const Registers vendor = cpuid(0);
  const Registers features = cpuid(1);
  std::string text(reinterpret_cast<const char*>(&vendor.ebx), 4);
  text.append(reinterpret_cast<const char*>(&vendor.edx), 4).append(reinterpret_cast<const char*>(&vendor.ecx), 4);
  const auto add = [&text](std::uint64_t word) {
    char digits[20];
    std::snprintf(digits, sizeof(digits), " %llx", static_cast<unsigned long long>(word));
    text += digits;
  };
  add(features.eax & ~0xfu);
  add(features.ecx);
  add(features.edx);
  add(saved_states(features));
  const Registers leaf7 = cpuid(7), leaf7_1 = cpuid(7, 1), extended = cpuid(0x80000001);
  for (const unsigned word : {leaf7.ebx, leaf7.ecx, leaf7.edx, leaf7_1.eax, leaf7_1.ebx, leaf7_1.ecx, leaf7_1.edx, cpuid(0xd, 1).eax, cpuid(0x14).ebx,
                              cpuid(0x19).ebx, cpuid(0x1e, 1).eax, cpuid(0x24).ebx, extended.ecx, extended.edx, cpuid(0x80000008).ebx}) {
    add(word);
  }
#ifdef __GLIBC__
  text.append(" glibc ").append(gnu_get_libc_version());  // the vector functions that code may call (codegen/vector_math.h)
#endif
  return text;
}

}  // namespace

const std::string& cpu_identity() {
  static const auto* identity = new std::string(read_identity());  // read by threads that compile while the process exits
  return *identity;
}

}  // namespace cuttle::detail
