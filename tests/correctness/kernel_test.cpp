// cuttle::Kernel: any kernel by a type that can be named, in members, containers and results, launched like what it was made from.

#include <map>
#include <string>
#include <vector>

#include "support/device_test.h"

namespace {

using cuttle::Array;
using cuttle::Kernel;
using cuttle::LaunchError;

class KernelType : public cuttle::test::OnEveryDevice {};
CUTTLE_ON_EVERY_DEVICE(KernelType);

auto add = CUTTLE_KERNEL([](auto n, auto x, auto a) {
  auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += a;
});

auto multiply = CUTTLE_KERNEL([](unsigned n, cuttle::view<float> x, float a) {
  auto i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= a;
});

auto fill = CUTTLE_KERNEL([](const float* from, float* to, std::int8_t step, bool negate) {
  auto i = threadIdx.x;
  to[i] = negate ? -from[i * step] : from[i * step];
});

constinit Kernel at_namespace_scope = CUTTLE_KERNEL([](auto x) { x[threadIdx.x] = 7; });

struct Filter {
  Kernel step;
  void operator()(Array<float>& x) const { step.over(x.size())(x.size(), x, 2.0f); }
};

Kernel by_name(const std::string& name) {
  if (name == "add") return add;
  return multiply;
}

std::vector<float> after(const Filter& filter) {
  Array<float> x({1, 2, 3});
  filter(x);
  return x.to_vector();
}

std::string message_of(const auto& action) {
  try {
    action();
  } catch (const LaunchError& error) {
    return error.what();
  }
  return "no LaunchError";
}

TEST_P(KernelType, HoldsKernelsOfAnySortInMembersContainersAndResults) {
  EXPECT_EQ(after({add}), (std::vector<float>{3, 4, 5}));
  EXPECT_EQ(after({multiply}), (std::vector<float>{2, 4, 6}));
  EXPECT_EQ(after({by_name("add")}), (std::vector<float>{3, 4, 5}));

  std::map<std::string, Kernel> steps;
  steps["one"] = add;
  steps["two"] = multiply;
  steps["one"] = steps["two"];
  EXPECT_EQ(after({steps["one"]}), (std::vector<float>{2, 4, 6}));

  const std::vector<Kernel> kernels(3, Kernel(add));
  Array<float> x({0});
  for (const Kernel& k : kernels) k[{.block = 1}](1, x, 1.0f);
  EXPECT_EQ(x.item(), 3.0f);
}

TEST_P(KernelType, TakesEveryLaunchSpelling) {
  const Kernel kernel = add;
  Array<int> x({0, 0, 0});
  kernel[{.grid = 1, .block = 3}](3, x, 1);
  kernel[{1, 3}](3, x, 10);
  kernel.over(3)(3, x, 100);
  kernel.over(0)(3, x, 1000);  // no threads
  EXPECT_EQ(x.to_vector(), (std::vector<int>{111, 111, 111}));
}

TEST_P(KernelType, IsConstantInitialisedAtNamespaceScope) {
  Array<int> x(2);
  at_namespace_scope[{.block = 2}](x);
  EXPECT_EQ(x.to_vector(), (std::vector<int>{7, 7}));
}

TEST_P(KernelType, IsCompiledOnceWithWhatItWasMadeFrom) {
  auto kernel = CUTTLE_KERNEL([](auto x) { x[threadIdx.x] = 1234; });
  Array<double> x(1);
  kernel[{1, 1}](x);
  const auto before = cuttle::stats().compilations;
  Kernel erased = kernel;
  const Kernel copy = erased;
  copy[{1, 1}](x);
  erased[{1, 1}](x);
  EXPECT_EQ(cuttle::stats().compilations, before);
  EXPECT_EQ(x.item(), 1234.0);
}

TEST_P(KernelType, ConvertsScalarsToTheDeclaredParameters) {
  const Kernel kernel = multiply;
  Array<float> x({1});
  kernel[{1, 1}](std::int8_t{1}, x, 2);
  const auto before = cuttle::stats().compilations;
  kernel[{1, 1}](1u, x, 2.0f);
  kernel[{1, 1}](1.9, x, 0.5);  // 1.9 is 1, as in a call of a C++ function
  kernel[{1, 1}](true, x, std::int64_t{3});
  kernel[{1, 1}](std::uint64_t{1}, x, true);
  kernel[{1, 1}](short{1}, x, static_cast<unsigned char>(5));
  EXPECT_EQ(x.item(), 1 * 2 * 2 * 0.5f * 3 * 1 * 5);
  EXPECT_EQ(cuttle::stats().compilations, before);  // one signature
}

TEST_P(KernelType, GivesPointersAndReadOnlyViewsFromArrays) {
  const Kernel kernel = fill;
  const Array<float> from({1, 0, 2, 0});
  Array<float> to(2);
  kernel[{1, 2}](from, to, 2, 0);
  EXPECT_EQ(to.to_vector(), (std::vector<float>{1, 2}));
  kernel[{1, 2}](from.data(), to.data(), 2.5f, 1);
  EXPECT_EQ(to.to_vector(), (std::vector<float>{-1, -2}));

  const Kernel read = CUTTLE_KERNEL([](cuttle::view<const float, 1> x, cuttle::view<float> y) { y[threadIdx.x] = x[threadIdx.x] + 1; });
  read[{1, 2}](to, to);
  EXPECT_EQ(to.to_vector(), (std::vector<float>{0, -1}));
}

TEST_P(KernelType, RefusesAWrongNumberOfArgumentsWithBothNumbers) {
  const Kernel deduced = add, declared = multiply;
  Array<float> x(1);
  for (const Kernel* kernel : {&deduced, &declared}) {
    EXPECT_NE(message_of([&] { (*kernel)[{1, 1}](1u, x); }).find("takes 3 arguments and was given 2"), std::string::npos);
    EXPECT_NE(message_of([&] { (*kernel)[{1, 1}](1u, x, 1.0f, 2); }).find("takes 3 arguments and was given 4"), std::string::npos);
    EXPECT_NE(message_of([&] { kernel->over(1)(); }).find("takes 3 arguments and was given 0"), std::string::npos);
    EXPECT_NE(message_of([&] { (void)kernel->inspect(1u); }).find("takes 3 arguments and was given 1"), std::string::npos);
    EXPECT_NE(message_of([&] { (void)kernel->inspect<int>(); }).find("takes 3 arguments and was given 1"), std::string::npos);
  }
  const std::string message = message_of([&] { deduced[{1, 1}](); });
  EXPECT_NE(message.find("kernel_test.cpp:"), std::string::npos) << message;
}

TEST_P(KernelType, RefusesAnArgumentOfAnotherTypeNamingTheParametersPlace) {
  const Kernel kernel = multiply;
  Array<double> doubles(1);
  Array<float, 2> rows(1, 1);
  const Array<float> constant({1});
  float* pointer = nullptr;
  const auto expect_refused = [&](auto&& argument, const std::string& type) {
    const std::string message = message_of([&] { kernel[{1, 1}](1u, argument, 1.0f); });
    EXPECT_NE(message.find("parameter 2 "), std::string::npos) << message;
    EXPECT_NE(message.find("declared as view<f32>, and the argument is " + type), std::string::npos) << message;
  };
  expect_refused(doubles, "view<f64>");
  expect_refused(rows, "view<f32,2>");
  expect_refused(constant, "view<const f32>");
  expect_refused(pointer, "ptr<f32>");
  expect_refused(1.0f, "f32");
  EXPECT_NE(message_of([&] { kernel[{1, 1}](1u, constant, 1.0f); }).find("Pass an array that is not const"), std::string::npos);

  const Kernel pointers = fill;
  Array<float> x(1);
  EXPECT_NE(message_of([&] { pointers[{1, 1}](x, constant, 1, false); }).find("parameter 2 "), std::string::npos);
  EXPECT_NE(message_of([&] { pointers[{1, 1}](doubles, x, 1, false); }).find("parameter 1 "), std::string::npos);
  EXPECT_NE(message_of([&] { pointers[{1, 1}](x, x, x, false); }).find("parameter 3 "), std::string::npos);
}

TEST_P(KernelType, WhenEmptySaysSoAndCanBeAssigned) {
  Kernel kernel;
  EXPECT_NE(message_of([&] { kernel[{1, 1}](); }).find("empty"), std::string::npos);
  kernel = at_namespace_scope;
  Array<int> x(1);
  kernel[{1, 1}](x);
  EXPECT_EQ(x.item(), 7);
}

TEST_P(KernelType, ShowsItsCode) {
  const Kernel kernel = multiply;
  Array<float> x(1);
  EXPECT_EQ(kernel.inspect(cuttle::sm(75), 1, x, 2).signature(), "(u32, view<f32>, f32)");
  EXPECT_EQ((kernel.inspect<int, cuttle::view<float>, double>().signature()), "(u32, view<f32>, f32)");
  EXPECT_NE(kernel.inspect(cuttle::sm(75), 1, x, 2).ptx().find(".target sm_75"), std::string::npos);
}

}  // namespace
