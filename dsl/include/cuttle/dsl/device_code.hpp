// CUTTLE_DEVICE and CUTTLE_DEVICE_HEADER: structs, functions, templates and constants for host code and kernels alike.
#pragma once

namespace cuttle::detail {

/// One per translation unit: its address tells whose blocks a kernel may use, which are those that its own file declares or includes.
struct TranslationUnit {};
[[maybe_unused]] static constexpr TranslationUnit this_unit{};

/// What stands in a block.
enum class DeviceBlockKind : unsigned char {
  declarations,     ///< after macro expansion
  named_header,     ///< the name of a header, as an #include in quotes has it
  embedded_header,  ///< the text of one, whose path is `file`: for the blocks that name it, and of no translation unit
};

/// A CUTTLE_DEVICE block, constant-initialised. Pointers to all of a program's blocks stand in one linker section, so that no registration
/// runs: dynamic registrars would depend on the order of initialisation and could be dropped by the linker.
struct DeviceBlock {
  const char* text;
  const char* file;
  unsigned line;
  unsigned order;        ///< among the blocks of its translation unit
  const char* function;  ///< name of a lambda beside the block: shows the enclosing namespaces
  const TranslationUnit* unit;
  DeviceBlockKind kind;
};

}  // namespace cuttle::detail

extern "C" {
// Bounds of the section within this program or shared library; null where it has no block.
extern const cuttle::detail::DeviceBlock* const __start_cuttle_blocks[] __attribute__((weak, visibility("hidden")));
extern const cuttle::detail::DeviceBlock* const __stop_cuttle_blocks[] __attribute__((weak, visibility("hidden")));
}

namespace cuttle::detail {

/// The blocks of one program or shared library.
struct DeviceBlocks {
  const DeviceBlock* const* begin;
  const DeviceBlock* const* end;
};

// Hidden, so that each program and library gets its own bounds.
[[gnu::visibility("hidden")]] constexpr DeviceBlocks device_blocks() { return {__start_cuttle_blocks, __stop_cuttle_blocks}; }

}  // namespace cuttle::detail

// __COUNTER__ stands in every compiler, and clang 22 calls it an extension where the user's file expands our macro: it can be silenced only for
// the rest of that file.
#ifdef __clang__
#if __has_warning("-Wc2y-extensions")
#pragma clang diagnostic ignored "-Wc2y-extensions"
#endif
#endif

#define CUTTLE_DEVICE(...) CUTTLE_DEVICE_NUMBERED(__COUNTER__, CUTTLE_STRINGIFY(__VA_ARGS__), __VA_ARGS__)

/// Declarations for the host and for kernels: `CUTTLE_DEVICE(struct Particle { float x, v; }; inline float energy(Particle p) { ... })`, at
/// namespace scope of a source or a header. The host compiles them as they stand. A kernel takes in the blocks of its own translation unit
/// whose names it uses, and those of the types in its signature.
#define CUTTLE_DEVICE_NUMBERED(number, text, ...) CUTTLE_DEVICE_EXPANDED(number, text, __VA_ARGS__)
#define CUTTLE_DEVICE_EXPANDED(number, text, ...) \
  __VA_ARGS__                                     \
  CUTTLE_DEVICE_REGISTER(number, text, [] { return static_cast<const char*>(__PRETTY_FUNCTION__); }(), declarations)

/// A whole header, directives and all, as device code: `#include "stencil.h"` for the host, and below it, at global scope,
/// `CUTTLE_DEVICE_HEADER("stencil.h");` for kernels. Headers that it includes in quotes come with it; those in angle brackets do not, since kernels
/// have a standard library of their own. The text is what `cuttle_embed_headers(target stencil.h)` of CMake put into the program, else it is read
/// when a kernel is compiled, from beside the source file or from CUTTLE_INCLUDE_PATH. An edited header is new code.
#define CUTTLE_DEVICE_HEADER(name) CUTTLE_DEVICE_HEADER_NUMBERED(__COUNTER__, name)
#define CUTTLE_DEVICE_HEADER_NUMBERED(number, name) CUTTLE_DEVICE_REGISTER(number, name, "", named_header)

#define CUTTLE_DEVICE_REGISTER(number, text, function, kind) CUTTLE_DEVICE_REGISTER_EXPANDED(number, text, function, kind)
#define CUTTLE_DEVICE_REGISTER_EXPANDED(number, text, function, kind)                                                        \
  static constexpr ::cuttle::detail::DeviceBlock cuttle_device_block_##number{                                               \
      text, __FILE__, __LINE__, number, function, &::cuttle::detail::this_unit, ::cuttle::detail::DeviceBlockKind::kind};    \
  [[gnu::section("cuttle_blocks"), gnu::used]] static const ::cuttle::detail::DeviceBlock* const cuttle_device_block_entry_##number = \
      &cuttle_device_block_##number
