// Device code in a header that two test files include.
#pragma once

#include <cuttle/cuttle.hpp>

namespace geometry {

CUTTLE_DEVICE(
    struct Vector {
      float x, y;
      float length_squared() const { return x * x + y * y; }
    };

    inline Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y}; });

namespace detail {
CUTTLE_DEVICE(template <class T> T twice(T value) { return value + value; });
}  // namespace detail

}  // namespace geometry
