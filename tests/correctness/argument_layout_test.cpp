// Arguments of every alignment and size, in any order: each field arrives. Host and kernel read them with the same functions.

#include <cstdint>
#include <vector>

#include "support/device_test.h"

namespace layout {

CUTTLE_DEVICE(
    struct alignas(16) Wide {
      std::int64_t a;
      int b;
    };
    struct __attribute__((packed)) Odd {
      char a;
      double b;
      short c;
      float d;
    };
    struct alignas(64) Line { float a[3]; };
    struct alignas(128) TwoLines { int a; };
    struct alignas(256) FourLines { int a; };
    struct Nothing {};
    struct Mixed {
      bool a;
      [[no_unique_address]] Nothing nothing;
      double b;
    };

    template <class T> double read(const T& value) { return static_cast<double>(value); }
    template <class T> double read(T* const& value) { return static_cast<double>(reinterpret_cast<std::uintptr_t>(value)); }
    inline double read(const Wide& w) { return static_cast<double>(w.a) + w.b; }
    inline double read(const Odd& o) { return o.a + o.b + o.c + static_cast<double>(o.d); }
    inline double read(const Line& l) { return static_cast<double>(l.a[0] + 2 * l.a[1] + 3 * l.a[2]); }
    inline double read(const TwoLines& l) { return l.a; }
    inline double read(const FourLines& l) { return l.a; }
    inline double read(const Nothing&) { return sizeof(Nothing); }
    inline double read(const Mixed& m) { return m.a + m.b; }
    inline double read(const cuttle::double2& v) { return v.x + 2 * v.y; }
    inline double read(const cuttle::float3& v) { return static_cast<double>(v.x + 2 * v.y + 3 * v.z); });

}  // namespace layout

namespace {

using namespace layout;
__extension__ typedef __int128 Int128;

class ArgumentLayout : public cuttle::test::OnEveryDevice {
 protected:
  template <class... T>
  static void expect_to_arrive(const T&... values) {
    auto kernel = CUTTLE_KERNEL([](cuttle::view<double> out, auto a, auto b, auto c, auto d, auto e, auto f) {
      out[0] = layout::read(a);
      out[1] = layout::read(b);
      out[2] = layout::read(c);
      out[3] = layout::read(d);
      out[4] = layout::read(e);
      out[5] = layout::read(f);
    });
    cuttle::Array<double> out(6);
    kernel[{.grid = 1, .block = 1}](out, values...);
    EXPECT_EQ(out.to_vector(), (std::vector<double>{read(values)...}));
  }

  const Wide wide_{std::int64_t{1} << 40, 7};
  const Odd odd_{'o', 0.5, -3, 2.25f};
  const Line line_{{1, 2, 4}};
  const TwoLines two_lines_{123};
  const FourLines four_lines_{-456};
  const Mixed mixed_{true, {}, 1e100};
  int* const pointer_ = reinterpret_cast<int*>(0x123456789a0);  // never followed
};
CUTTLE_ON_EVERY_DEVICE(ArgumentLayout);

// pycuda#143, ILGPU#1176: arguments packed at the wrong offsets.
TEST_P(ArgumentLayout, EveryFieldArrivesWhateverStandsBeforeIt) {
  expect_to_arrive('a', wide_, 'b', odd_, 'c', line_);
  expect_to_arrive(line_, 'a', mixed_, Nothing{}, pointer_, true);
  expect_to_arrive(true, Int128{1} << 90, 'x', cuttle::double2{1, 2}, 'y', cuttle::float3{1, 2, 3});
  expect_to_arrive(odd_, pointer_, 'a', Int128{-5}, Nothing{}, wide_);
}

// picongpu#1563: structs that are aligned to more than 16 bytes, also more than PTX aligns a parameter to.
TEST_P(ArgumentLayout, OverAlignedStructsArrive) {
  expect_to_arrive('a', two_lines_, 'b', four_lines_, odd_, line_);
  expect_to_arrive(four_lines_, true, wide_, two_lines_, 'z', mixed_);
}

}  // namespace
