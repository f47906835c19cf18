// Math functions on a machine that has libclc and no libdevice.

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "support/compiler_library.h"

namespace {

constexpr const char* libclc = "/usr/lib/clc/nvptx64--.bc";

class Libclc : public testing::Test {
 protected:
  void SetUp() override {
    if (access(libclc, R_OK) != 0) GTEST_SKIP() << "libclc is not installed";
  }

  static cuttle::test::Outcome compile(const std::string& body) {
    return cuttle::test::CompilerLibrary::instance().compile("[](auto x, int n) {" + body + "}", CUTTLE_BACKEND_PTX, {.libdevice = libclc});
  }
};

TEST_F(Libclc, ServesWhatOpenClHas) {
  const auto outcome = compile(R"(
    int e = n; float s, c; double w = x[2];
    sincos(x[0], &s, &c);
    x[0] = sin(x[0]) + pow(x[1], x[2]) + frexp(x[3], &e) + static_cast<float>(modf(w, &w)) + s * c + ldexp(x[4], e);
    x[1] = static_cast<float>(erf(w) + exp10(w) + atan2(w, w + 1) + tgamma(w) + fmod(w, 3.0) + rcbrt(w) + rhypot(w, 2.0)) + __expf(x[2]);
    sincospi(x[5], &s, &c);
    x[2] = s + c + __powf(x[0], x[1]) + __fdividef(x[3], x[4]) + remquo(x[0], x[1], &e) + static_cast<float>(e + ilogb(w));
  )");
  EXPECT_EQ(outcome.status, CUTTLE_COMPILE_OK) << outcome.text();
  EXPECT_EQ(outcome.code.find(".extern"), std::string::npos) << outcome.code;
}

TEST_F(Libclc, LacksWhatOnlyCudaHasAndSaysSo) {
  const auto outcome = compile("x[0] = erfcx(x[0]);");
  EXPECT_EQ(outcome.status, CUTTLE_COMPILE_USER_ERROR);
  EXPECT_NE(outcome.text().find("math function (erfcx) that needs NVIDIA's libdevice.10.bc; there is only libclc"), std::string::npos)
      << outcome.text();
}

}  // namespace
