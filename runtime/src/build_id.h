// The identity of the code that compiles kernels, fixed when both libraries were built: part of every key.
#pragma once

namespace cuttle::detail {

extern const char* const build_id;

}  // namespace cuttle::detail
