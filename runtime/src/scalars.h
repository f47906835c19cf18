// From the scalar types that a signature tells at run time to types of this compiler.
#pragma once

#include <cstdint>

#include "cuttle/dsl/signature.hpp"

namespace cuttle::detail {

/// Calls `use` with a value of the type, if it is a scalar.
template <class Use>
void with_type(Scalar scalar, const Use& use) {
  switch (scalar) {
    case Scalar::none:
      return;
    case Scalar::boolean:
      return use(bool{});
    case Scalar::i8:
      return use(std::int8_t{});
    case Scalar::u8:
      return use(std::uint8_t{});
    case Scalar::i16:
      return use(std::int16_t{});
    case Scalar::u16:
      return use(std::uint16_t{});
    case Scalar::i32:
      return use(std::int32_t{});
    case Scalar::u32:
      return use(std::uint32_t{});
    case Scalar::i64:
      return use(std::int64_t{});
    case Scalar::u64:
      return use(std::uint64_t{});
    case Scalar::f32:
      return use(float{});
    case Scalar::f64:
      return use(double{});
  }
}

}  // namespace cuttle::detail
