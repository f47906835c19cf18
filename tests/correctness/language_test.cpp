// The C++ that a kernel may be written in: one feature, one test, with the answer that the host would give.

#include <algorithm>
#include <array>
#include <vector>

#include "support/device_test.h"

namespace {

class Language : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(Language);

// What the first thread of `kernel` writes to an int.
template <class Kernel, class... Args>
int answer(const Kernel& kernel, Args... arguments) {
  cuttle::Array<int> y({-1});
  kernel[{1, 1}](y, arguments...);
  return y.item();
}

TEST_P(Language, RecursiveLambda) {
  auto kernel = CUTTLE_KERNEL([](auto y, int n) {
    auto gcd = [](auto self, int a, int b) -> int { return b == 0 ? a : self(self, b, a % b); };
    y[0] = gcd(gcd, n, 36);
  });
  EXPECT_EQ(answer(kernel, 84), 12);
}

TEST_P(Language, LocalStructWithRecursion) {
  auto kernel = CUTTLE_KERNEL([](auto y, int n) {
    struct Ackermann {
      static int of(int m, int k) { return m == 0 ? k + 1 : k == 0 ? of(m - 1, 1) : of(m - 1, of(m, k - 1)); }
    };
    y[0] = Ackermann::of(n, 3);
  });
  EXPECT_EQ(answer(kernel, 2), 9);
}

TEST_P(Language, GenericLambdaIsAFunctionTemplate) {
  auto kernel = CUTTLE_KERNEL([](auto y, int n) {
    auto size = []<class T>(T) { return static_cast<int>(sizeof(T)); };
    y[0] = size(n) * 100 + size(1.0) * 10 + size('c');
  });
  EXPECT_EQ(answer(kernel, 1), 481);
}

TEST_P(Language, LambdasCaptureByValueAndByReference) {
  auto kernel = CUTTLE_KERNEL([](auto y, int n) {
    int sum = 0;
    auto add = [&sum, factor = n + 1](int v) { sum += factor * v; };
    auto add_all = [&](auto... v) { (add(v), ...); };
    add_all(1, 2, 3);
    auto copy = [=] { return sum; };
    y[0] = copy();
  });
  EXPECT_EQ(answer(kernel, 9), 60);
}

TEST_P(Language, MutableLambdaKeepsState) {
  auto kernel = CUTTLE_KERNEL([](auto y, int n) {
    auto next = [state = n]() mutable { return state = state * 5 + 1; };
    next();
    y[0] = next();
  });
  EXPECT_EQ(answer(kernel, 2), 56);
}

TEST_P(Language, IfConstexprLeavesTheOtherBranchOut) {
  auto kernel = CUTTLE_KERNEL([](auto y, auto n) {
    if constexpr (sizeof(n) == 4) {
      y[0] = n;
    } else {
      y[0] = n.there_is_no_such_member;
    }
  });
  EXPECT_EQ(answer(kernel, 5), 5);
}

TEST_P(Language, IfAndSwitchWithInitialisers) {
  auto kernel = CUTTLE_KERNEL([](auto y, int n) {
    if (int half = n / 2; half > 2) {
      switch (int rest = n % 4; rest) {
        case 0:
          y[0] = 10;
          break;
        case 1:
          y[0] = 11;
          [[fallthrough]];
        case 2:
          y[0] += 100;
          break;
        default:
          y[0] = half;
      }
    }
  });
  EXPECT_EQ(answer(kernel, 9), 111);
  EXPECT_EQ(answer(kernel, 8), 10);
  EXPECT_EQ(answer(kernel, 10), 99);
  EXPECT_EQ(answer(kernel, 7), 3);
}

TEST_P(Language, StructuredBindings) {
  auto kernel = CUTTLE_KERNEL([](auto y, int n) {
    struct Pair {
      int first;
      float second;
    };
    auto [a, b] = Pair{n, 2.5f};
    int pair[] = {3, 4};
    auto& [c, d] = pair;
    c += 1;
    y[0] = a * 1000 + static_cast<int>(b * 2) * 100 + pair[0] * 10 + d;
  });
  EXPECT_EQ(answer(kernel, 6), 6544);
}

TEST_P(Language, RangeFor) {
  auto kernel = CUTTLE_KERNEL([](auto y, int n) {
    int sum = 0;
    int local[] = {1, 2, n};
    for (const int v : local) sum += v;
    for (int& v : local) v *= 10;
    std::array<int, 2> table{100, 200};
    for (auto v : table) sum += v;
    for (auto v : y) sum += v;  // its one element, -1
    y[0] = sum + local[2];
  });
  EXPECT_EQ(answer(kernel, 7), 10 + 300 - 1 + 70);
}

TEST_P(Language, ListsInBraces) {
  auto kernel = CUTTLE_KERNEL([](auto x, int n) {
    int sum = 0;
    for (const int value : {n, 10, 100}) sum += value;
    const auto values = {1, 2, n};
    x[0] = sum + static_cast<int>(values.size());
    x[1] = std::max({n, 3, 2}) * 10 + std::min({n, 3, 4});
  });
  cuttle::Array<int> x(2);
  kernel[{1, 1}](x, 7);
  EXPECT_EQ(x.to_vector(), (std::vector<int>{120, 73}));
}

TEST_P(Language, LocalArraysOfArrays) {
  auto kernel = CUTTLE_KERNEL([](auto y, int n) {
    int matrix[3][4] = {{1, 2, 3, 4}, {5, 6}};
    int transposed[4][3];
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 4; ++j) transposed[j][i] = matrix[i][j];
    }
    y[0] = transposed[n][1] * 10 + transposed[n + 1][0];
  });
  EXPECT_EQ(answer(kernel, 1), 63);
}

TEST_P(Language, LoopsWithBreakContinueAndGoto) {
  auto kernel = CUTTLE_KERNEL([](auto y, int n) {
    int sum = 0, i = 0;
    while (true) {
      if (++i > n) break;
      if (i % 2) continue;
      sum += i;
    }
    do sum += 1000;
    while (--i > n);
    for (int a = 0; a < 10; ++a) {
      for (int b = 0; b < 10; ++b) {
        if (a * b == 42) goto found;
        ++sum;
      }
    }
  found:
    y[0] = sum;
  });
  EXPECT_EQ(answer(kernel, 10), 30 + 1000 + 6 * 10 + 7);
}

TEST_P(Language, StringLiterals) {
  auto kernel = CUTTLE_KERNEL([](auto y, int n) {
    const char* text = "a\"b\\c\n\x41\t, ) ] }";
    int length = 0;
    while (text[length]) ++length;
    const char raw[] = R"(raw "text")";
    y[0] = text[n] * 10000 + length * 100 + static_cast<int>(sizeof(raw));
  });
  EXPECT_EQ(answer(kernel, 6), 'A' * 10000 + 15 * 100 + 11);
}

TEST_P(Language, UnicodeInNamesCommentsAndLiterals) {
  auto kernel = CUTTLE_KERNEL([](auto y, int größe) {
    // Σ over all λ: ∫ dx
    const char* wort = "Größe – π";
    int länge = 0;
    while (wort[länge]) ++länge;
    y[0] = größe * 100 + länge + (u'π' == 0x3c0) + (U'😀' == 0x1f600);
  });
  EXPECT_EQ(answer(kernel, 3), 300 + 14 + 2);
}

TEST_P(Language, NumbersWithSeparatorsBasesAndSuffixes) {
  auto kernel = CUTTLE_KERNEL([](auto y, int n) { y[0] = n + 1'000'000 + 0x1F + 0b101 + 017 + static_cast<int>(1e3f + 0x1.8p3 + 5ull + .5); });
  EXPECT_EQ(answer(kernel, 0), 1000000 + 31 + 5 + 15 + 1017);
}

TEST_P(Language, TrailingReturnTypes) {
  auto kernel = CUTTLE_KERNEL([](auto y, int n) -> void {
    auto half = [](auto v) -> decltype(v + 0.5f) { return v / 2.0f; };
    y[0] = static_cast<int>(half(n) * 10);
  });
  EXPECT_EQ(answer(kernel, 5), 25);
}

TEST_P(Language, RequiresClauses) {
  auto kernel = CUTTLE_KERNEL([]<class T>(T y, auto n)
                                requires(sizeof(n) == 4)
                              {
                                auto is_small = [](auto v) {
                                  if constexpr (requires { v + 1; } && sizeof(v) < 8) {
                                    return 1;
                                  } else {
                                    return 0;
                                  }
                                };
                                y[0] = is_small(n) * 10 + is_small(1.0);
                              });
  EXPECT_EQ(answer(kernel, 5), 10);
}

TEST_P(Language, Attributes) {
  auto kernel = CUTTLE_KERNEL([](auto y, [[maybe_unused]] int unused, int n) {
    [[maybe_unused]] int also_unused = 3;
    auto f = [](int v) __attribute__((always_inline)) { return v + 1; };
    if (n > 0) [[likely]] {
      y[0] = f(n);
    } else [[unlikely]] {
      y[0] = 0;
    }
  });
  EXPECT_EQ(answer(kernel, 1, 4), 5);
}

TEST_P(Language, EnumerationsUnionsAndBitFields) {
  auto kernel = CUTTLE_KERNEL([](auto y, int n) {
    enum class Kind : unsigned char { a = 3, b };
    enum Plain { x = 10 };
    struct Bits {
      unsigned low : 3;
      unsigned high : 5;
      int sign : 2;
    };
    union Both {
      unsigned u;
      float f;
    };
    Bits bits{static_cast<unsigned>(n) & 7u, 17, -1};
    Both both;
    both.f = 1.0f;
    y[0] = static_cast<int>(Kind::b) + x + static_cast<int>(bits.low * 100 + bits.high * 1000) + bits.sign + static_cast<int>(both.u >> 23);
  });
  EXPECT_EQ(answer(kernel, 13), 4 + 10 + 500 + 17000 - 1 + 127);
}

TEST_P(Language, ClassesWithInheritanceAndVirtualFunctions) {
  auto kernel = CUTTLE_KERNEL([](auto y, int n) {
    struct Shape {
      int scale;
      explicit Shape(int s) : scale(s) {}
      virtual int area() const { return 0; }
    };
    struct Square : Shape {
      int side;
      Square(int s, int w) : Shape(s), side(w) {}
      int area() const override { return this->scale * side * side; }
    };
    Square square(2, n);
    const Shape* shape = &square;
    y[0] = shape->area();
  });
  EXPECT_EQ(answer(kernel, 5), 50);
}

TEST_P(Language, DestructorsRunAtTheEndOfTheirScope) {
  auto kernel = CUTTLE_KERNEL([](auto y, int n) {
    int order = 0;
    struct Mark {
      int& order;
      int digit;
      ~Mark() { order = order * 10 + digit; }
    };
    {
      Mark first{order, n};
      Mark second{order, n + 1};
    }
    y[0] = order;
  });
  EXPECT_EQ(answer(kernel, 1), 21);
}

TEST_P(Language, FoldsPacksAndConstantExpressions) {
  auto kernel = CUTTLE_KERNEL([](auto y, int n) {
    auto sum = [](auto... v) { return (v + ...); };
    constexpr auto power = [](int base, int exponent) {
      int result = 1;
      for (int i = 0; i < exponent; ++i) result *= base;
      return result;
    };
    static_assert(power(2, 10) == 1024);
    int table[power(2, 3)] = {};
    static constexpr int weights[] = {1, 10, 100};
    y[0] = sum(n, 2, 3) * weights[2] + static_cast<int>(sizeof(table) / sizeof(int));
  });
  EXPECT_EQ(answer(kernel, 1), 608);
}

TEST_P(Language, ConstantEvaluationMayDoWhatADeviceCannot) {
  auto kernel = CUTTLE_KERNEL([](auto y, int n) {
    constexpr auto checked = [](int v) {
      if (v < 0) throw v;
      return v;
    };
    static_assert(checked(2) == 2);
    int table[checked(4)] = {};
    y[0] = n + static_cast<int>(sizeof(table));
  });
  EXPECT_EQ(answer(kernel, 100), 116);
}

TEST_P(Language, AliasesAndUsingDeclarationsInTheBody) {
  auto kernel = CUTTLE_KERNEL([](auto y, int n) {
    using Element = std::remove_cvref_t<decltype(y[0])>;
    typedef Element Number;
    using std::max;
    using enum_like = std::integral_constant<Number, 4>;
    y[0] = max(static_cast<Number>(n), enum_like::value);
  });
  EXPECT_EQ(answer(kernel, 3), 4);
}

TEST_P(Language, MacrosOfTheFileAreExpanded) {
#define LANGUAGE_TEST_SQUARE(v) ((v) * (v))
  auto kernel = CUTTLE_KERNEL([](auto y, int n) { y[0] = LANGUAGE_TEST_SQUARE(n + 1); });
#undef LANGUAGE_TEST_SQUARE
  EXPECT_EQ(answer(kernel, 3), 16);
}

TEST_P(Language, CommaInTheBodyNeedsNoParentheses) {
  auto kernel = CUTTLE_KERNEL([](auto y, int n) {
    int a = 1, b = 2;
    a = (b += n, b * 2);
    y[0] = a, b = 0;
  });
  EXPECT_EQ(answer(kernel, 3), 10);
}

TEST_P(Language, AlternativeTokensAndTernaries) {
  auto kernel = CUTTLE_KERNEL([](auto y, int n) { y[0] = (n > 1 and not(n == 3)) or n < 0 ? compl n : n bitand 3; });
  EXPECT_EQ(answer(kernel, 5), ~5);
  EXPECT_EQ(answer(kernel, 3), 3);
}

}  // namespace
