// A kernel in a header, with a macro that each file which includes it sets: identity_16_test.cpp and identity_32_test.cpp. No include guard by
// intention of the test, and everything has the same names in both files.

namespace identity {

// Always inlined, as small functions are: the linker sees two copies of its statics and keeps one.
[[gnu::always_inline]] inline int inline_function(cuttle::Array<int>& out) {
  auto kernel = CUTTLE_KERNEL([](auto x) { x[0] = TILE; });
  kernel[{1, 1}](out);
  return out.item();
}

// In a template, whose instances of the two files are one for the linker.
template <class T>
struct Template {
  [[gnu::always_inline]] static int run(cuttle::Array<T>& out) {
    auto kernel = CUTTLE_KERNEL([](auto x) { x[0] = TILE + sizeof(x[0]); });
    kernel[{1, 1}](out);
    return static_cast<int>(out.item());
  }
};

static auto at_namespace_scope = CUTTLE_KERNEL([](auto x) { x[0] = TILE + 1; });

namespace {
auto in_an_unnamed_namespace = CUTTLE_KERNEL([](auto x) { x[0] = TILE + 2; });
}  // namespace

}  // namespace identity
