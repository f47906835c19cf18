// Structs of CUTTLE_DEVICE as kernel arguments, and what a block may hold: every field arrives, whatever its alignment and its neighbours.

#include <array>
#include <cstdint>
#include <vector>

#include "support/device_test.h"

namespace shapes {

CUTTLE_DEVICE(
    struct alignas(32) Inner {
      float a[3];
      char tag;
    };
    enum class Kind : short { plain = 1, fancy = 300 };
    struct Outer {
      char c;
      Inner inner;
      cuttle::view<float> data;
      const int* table;
      double d;
      Kind kind;
      bool flags[3];
      std::array<std::uint16_t, 3> numbers;
    };);

CUTTLE_DEVICE(template <class A, class B> struct Pair {
  A first;
  B second;
};);

namespace {
CUTTLE_DEVICE(struct Hidden {
  int value;
  [[maybe_unused]] friend int operator-(Hidden h, int n) { return h.value - n; }
};);
}  // namespace

CUTTLE_DEVICE(
    struct Empty {};
    struct Derived : Empty {
      signed char low : 4;
      signed char high : 4;
      [[no_unique_address]] Empty nothing;
      int value;
    };
    struct __attribute__((packed)) Packed {
      char c;
      double d;
      short s;
    };);

}  // namespace shapes

// A type whose name has thousands of letters.
CUTTLE_DEVICE(
    template <class... T> struct List { int length; };
    template <int N> struct Doubled { using type = List<typename Doubled<N - 1>::type, typename Doubled<N - 1>::type>; };
    template <> struct Doubled<0> { using type = List<>; };
    template <class T> const char* text_of() { return __PRETTY_FUNCTION__; });

// ---- blocks ---------------------------------------------------------------------------------------------------------------------------

namespace one {
CUTTLE_DEVICE(inline int which() { return 1; });
}  // namespace one
namespace two {
CUTTLE_DEVICE(inline int which() { return 2; });
namespace inner {
CUTTLE_DEVICE(inline int which_of_both() { return which() * 10 + one::which(); });
}  // namespace inner
}  // namespace two

CUTTLE_DEVICE(template <class T> struct Width { static constexpr int value = 1; };);
CUTTLE_DEVICE(template <> struct Width<double> { static constexpr int value = 2; };);
CUTTLE_DEVICE(template <class T> struct Width<T*> { static constexpr int value = 10 * Width<T>::value; };);

CUTTLE_DEVICE(
    enum Flags : unsigned { none = 0, first = 1, second = 2 };
    constexpr Flags operator|(Flags a, Flags b) { return static_cast<Flags>(static_cast<unsigned>(a) | static_cast<unsigned>(b)); });

CUTTLE_DEVICE(
    inline int overloaded(int) { return 1; }
    inline int overloaded(float) { return 2; }
    template <class T> int overloaded(T*) { return 3; });

CUTTLE_DEVICE(class Fraction {
 public:
  constexpr Fraction(int n, int d) : numerator_(n), denominator_(d) {}
  template <class T> constexpr T as() const { return static_cast<T>(numerator_) / static_cast<T>(denominator_); }
  constexpr explicit operator float() const { return as<float>(); }
  constexpr Fraction& operator*=(const Fraction& other) {
    numerator_ *= other.numerator_;
    denominator_ *= other.denominator_;
    return *this;
  }
  constexpr bool operator==(const Fraction& other) const = default;
  static constexpr int table[] = {10, 20, 30};

 private:
  int numerator_, denominator_;
};);

// A block of a block of a block, and one that names itself.
CUTTLE_DEVICE(constexpr int base_value = 5;);
CUTTLE_DEVICE(inline int middle() { return base_value * 2; });
CUTTLE_DEVICE(
    inline int odd(int n);
    inline int even(int n) { return n == 0 ? middle() : odd(n - 1); }
    inline int odd(int n) { return n == 0 ? -1 : even(n - 1); });

namespace {

class DeviceStructs : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(DeviceStructs);

TEST_P(DeviceStructs, EveryFieldOfANestedStructArrives) {
  auto kernel = CUTTLE_KERNEL([](auto y, char before, auto s, char after, auto t) {
    double sum = before + after;
    for (float v : s.inner.a) sum = sum * 2 + v;
    sum = sum * 2 + s.inner.tag + s.c;
    sum = sum * 2 + s.data[1] + s.data.size();
    sum = sum * 2 + s.table[2];
    sum = sum * 2 + s.d;
    sum = sum * 2 + static_cast<int>(s.kind);
    for (bool flag : s.flags) sum = sum * 2 + flag;
    for (auto number : s.numbers) sum = sum * 2 + number;
    y[0] = sum;
    y[1] = t.inner.tag;
  });
  cuttle::Array<double> y(2);
  cuttle::Array<float> data({0.5f, 1.5f});
  const cuttle::Array<int> table({7, 8, 9});
  shapes::Outer s{'c', {{1, 2, 3}, 't'}, data.view(), table.data(), 0.25, shapes::Kind::fancy, {true, false, true}, {100, 200, 65535}};
  shapes::Outer t = s;
  t.inner.tag = 'u';
  kernel[{1, 1}](y, 'a', s, 'b', t);

  double sum = 'a' + 'b';
  for (const float v : s.inner.a) sum = sum * 2 + v;
  sum = sum * 2 + 't' + 'c';
  sum = sum * 2 + 1.5 + 2;
  sum = sum * 2 + 9;
  sum = sum * 2 + 0.25;
  sum = sum * 2 + 300;
  for (const bool flag : s.flags) sum = sum * 2 + flag;
  for (const auto number : s.numbers) sum = sum * 2 + number;
  EXPECT_EQ(y.to_vector(), (std::vector<double>{sum, 'u'}));
}

TEST_P(DeviceStructs, TemplatesOfThemAreNamedForBothCompilers) {
  auto kernel = CUTTLE_KERNEL([](auto y, auto p) { y[0] = p.first + p.second.first + p.second.second.a[2]; });
  cuttle::Array<float> y(1);
  shapes::Pair<unsigned long, shapes::Pair<short, shapes::Inner>> p{40, {2, {{0, 0, 0.5f}, 0}}};
  kernel[{1, 1}](y, p);
  EXPECT_EQ(y.item(), 42.5f);
}

TEST_P(DeviceStructs, OfAnUnnamedNamespaceBringTheirOperators) {
  auto kernel = CUTTLE_KERNEL([](auto y, auto h) { y[0] = h - 2; });
  cuttle::Array<int> y(1);
  kernel[{1, 1}](y, shapes::Hidden{44});
  EXPECT_EQ(y.item(), 42);
}

TEST_P(DeviceStructs, EmptyBasesBitFieldsAndPackedOnes) {
  auto kernel = CUTTLE_KERNEL([](auto y, auto d, auto p, auto e, int last) {
    y[0] = d.low + d.high * 10 + d.value * 100 + static_cast<int>(p.d * 2) + p.c + p.s + static_cast<int>(sizeof(e)) + last;
  });
  cuttle::Array<int> y(1);
  shapes::Derived d{};
  d.low = -3;
  d.high = 5;
  d.value = 7;
  kernel[{1, 1}](y, d, shapes::Packed{'p', 1.5, -1}, shapes::Empty{}, 1000);
  EXPECT_EQ(y.item(), -3 + 50 + 700 + 3 + 'p' - 1 + 1 + 1000);
}

TEST_P(DeviceStructs, ArraysOfThemAreReadAndWritten) {
  auto kernel = CUTTLE_KERNEL([](auto x) {
    x[threadIdx.x].tag += 1;
    x[threadIdx.x].a[1] = x[threadIdx.x].a[0] * 2;
  });
  cuttle::Array<shapes::Inner> x(std::vector<shapes::Inner>{{{1, 0, 0}, 'a'}, {{2, 0, 0}, 'b'}});
  kernel[{1, 2}](x);
  const std::vector<shapes::Inner> result = x.to_vector();
  EXPECT_EQ(result[0].tag, 'b');
  EXPECT_EQ(result[1].tag, 'c');
  EXPECT_EQ(result[1].a[1], 4.0f);
}

TEST_P(DeviceStructs, NamesOfNestedNamespacesAreTheirOwn) {
  auto kernel = CUTTLE_KERNEL([](auto y) { y[0] = one::which() * 1000 + two::which() * 100 + two::inner::which_of_both(); });
  cuttle::Array<int> y(1);
  kernel[{1, 1}](y);
  EXPECT_EQ(y.item(), 1000 + 200 + 21);
}

TEST_P(DeviceStructs, SpecialisationsInBlocksOfTheirOwnAreTaken) {
  auto kernel = CUTTLE_KERNEL([](auto y) { y[0] = Width<int>::value + Width<double>::value * 10 + Width<double*>::value * 100; });
  cuttle::Array<int> y(1);
  kernel[{1, 1}](y);
  EXPECT_EQ(y.item(), 1 + 20 + 2000);
}

TEST_P(DeviceStructs, EnumerationsBringTheirOperators) {
  auto kernel = CUTTLE_KERNEL([](auto y, auto flags) { y[0] = static_cast<int>(flags | first); });
  cuttle::Array<int> y(1);
  kernel[{1, 1}](y, second);
  EXPECT_EQ(y.item(), 3);
}

TEST_P(DeviceStructs, OverloadsAreResolvedAsOnTheHost) {
  auto kernel = CUTTLE_KERNEL([](auto y) { y[0] = overloaded(1) * 100 + overloaded(1.0f) * 10 + overloaded(&y[0]); });
  cuttle::Array<int> y(1);
  kernel[{1, 1}](y);
  EXPECT_EQ(y.item(), 123);
}

TEST_P(DeviceStructs, ClassesWithConstructorsTemplatesAndTables) {
  auto kernel = CUTTLE_KERNEL([](auto y, int n) {
    Fraction half(1, 2);
    half *= Fraction(3, n);
    constexpr Fraction quarter(1, 4);
    y[0] = static_cast<float>(half) + quarter.as<float>() + static_cast<float>(Fraction::table[n % 3] + (half == quarter));
  });
  cuttle::Array<float> y(1);
  kernel[{1, 1}](y, 2);
  EXPECT_EQ(y.item(), 0.75f + 0.25f + 30);
}

TEST_P(DeviceStructs, BlocksBringTheBlocksThatTheyName) {
  auto kernel = CUTTLE_KERNEL([](auto y, int n) { y[0] = even(n); });
  cuttle::Array<int> y(1);
  kernel[{1, 1}](y, 4);
  EXPECT_EQ(y.item(), 10);
  kernel[{1, 1}](y, 5);
  EXPECT_EQ(y.item(), -1);
}

// llvm-project#121468 and others: symbols that assemblers and loaders stumbled over.
TEST_P(DeviceStructs, NamesOfAnyLengthAndAlphabetAreLoaded) {
  auto kernel = CUTTLE_KERNEL([](auto y, auto list) {
    static constexpr int größe[] = {4, 5, 6};
    struct Örtlich {
      int wert() const { return 9; }
    };
    const auto ruf = [](auto f) { return f(); };
    y[0] = list.length + größe[list.length % 3] + ruf([] { return Örtlich{}.wert(); });
    y[1] = 0;
    for (const char* at = text_of<decltype(list)>(); *at != '\0'; ++at) ++y[1];
  });
  for (const bool line_info : {false, true}) {
    cuttle::Array<int> y(2);
    kernel.with({.line_info = line_info})[{1, 1}](y, Doubled<9>::type{41});
    EXPECT_EQ(y.to_vector()[0], 41 + 6 + 9);
    EXPECT_GT(y.to_vector()[1], 4096);
  }
}

}  // namespace
