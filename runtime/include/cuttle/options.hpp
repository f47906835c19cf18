// How a kernel is compiled: `k.with({.fast_math = true})`.
#pragma once

#include <cstdint>
#include <string_view>

namespace cuttle {

/// A name in the program's text, which lives as long as the program: a string literal.
class LiteralName {
 public:
  constexpr LiteralName() = default;
  consteval LiteralName(const char* literal) : text_(literal) {}  // NOLINT(google-explicit-constructor): {.name = "step"}

  [[nodiscard]] constexpr std::string_view view() const { return text_ ? std::string_view(text_) : std::string_view(); }

  /// Equal literals are usually one; else their letters decide.
  [[gnu::always_inline]] friend constexpr bool operator==(LiteralName a, LiteralName b) { return a.text_ == b.text_ || a.view() == b.view(); }

 private:
  const char* text_ = nullptr;
};

/// What CUDA's __launch_bounds__ says of a kernel.
struct LaunchBounds {
  std::uint32_t max_threads = 0;  ///< of a block; 0 for the device's own limit
  std::uint32_t min_blocks = 0;   ///< of a multiprocessor, which limits registers; 0 for none

  friend constexpr bool operator==(const LaunchBounds&, const LaunchBounds&) = default;
};

/// Choices that change a kernel's code, each as nvcc's switch of the same meaning does. They are part of the kernel's signature. Where a
/// choice is about a GPU's instructions, the CPU device takes no notice: see docs/semantics.md.
struct Options {
  bool fast_math = false;           ///< --use_fast_math: approximate division, square root and functions; flushes denormals
  bool contract = true;             ///< --fmad: a * b + c rounds once
  bool flush_denormals = false;     ///< --ftz: float denormals are 0
  LaunchBounds launch_bounds{};     ///< __launch_bounds__; a launch with more threads is refused
  std::uint32_t max_registers = 0;  ///< --maxrregcount, of a thread; 0 for no limit
  bool line_info = false;           ///< -lineinfo: profilers and debuggers show the kernel's own lines
  bool check = false;               ///< the kernel finds its mistakes and throws CheckError: docs/checks.md. CUTTLE_CHECK=1 does it for all
  LiteralName name{};               ///< what the entry point's name begins with, in place of the file's; a string literal

  [[gnu::always_inline]] friend constexpr bool operator==(const Options&, const Options&) = default;  // part of every launch
};

}  // namespace cuttle
