// The guide's mistake: a name of the file that the kernel does not see. Prints what the error says.

#include <cuttle/cuttle.hpp>

#include <cstdio>

constexpr float gravity = 9.81f;

auto fall = CUTTLE_KERNEL([](auto height, auto speed, float dt) {
  for (auto i : grid_stride(height.size())) {
    speed[i] -= gravity * dt;
    height[i] += speed[i] * dt;
  }
});

int main() {
  cuttle::Array<float> height({100, 200}), speed({0, 0});
  try {
    fall.over(2)(height, speed, 0.1f);
  } catch (const cuttle::CompileError& error) {
    std::printf("%s\n", error.what());
    return error.diagnostics().size() == 1 ? 0 : 1;
  }
  return 1;
}
