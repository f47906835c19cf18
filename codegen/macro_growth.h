// How long device code becomes when the macros of its headers are expanded: a few lines can double a text thirty times.
#pragma once

#include <cstddef>
#include <string_view>

namespace cuttle::codegen {

/// The number of tokens of `text` with the macros expanded that it defines; `limit + 1` where it is more than `limit`, or takes more steps to count.
/// Conditions are not evaluated: what either branch defines counts. A name that ## makes is not seen as a macro's.
[[nodiscard]] std::size_t expanded_size(std::string_view text, std::size_t limit);

}  // namespace cuttle::codegen
