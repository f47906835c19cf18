// The guide's device code: structs and functions that host and kernels share.

#include <cuttle/cuttle.hpp>

#include <cmath>
#include <vector>

CUTTLE_DEVICE(
    struct Vector {
      float x, y;
      Vector operator+(Vector other) const { return {x + other.x, y + other.y}; }
      Vector operator*(float factor) const { return {x * factor, y * factor}; }
    };

    struct Body {
      Vector position, velocity;
    };

    inline Vector gravity(Vector at) {
      const float r = sqrtf(at.x * at.x + at.y * at.y);
      return at * (-1 / (r * r * r));
    });

auto step = CUTTLE_KERNEL([](view<Body> bodies, float dt) {
  for (auto i : grid_stride(bodies.size())) {
    Body& body = bodies[i];
    body.velocity = body.velocity + gravity(body.position) * dt;
    body.position = body.position + body.velocity * dt;
  }
});

int main() {
  cuttle::Array<Body> bodies(std::vector<Body>{{{1, 0}, {0, 1}}, {{4, 0}, {0, 0.5f}}});  // two circular orbits
  for (int i = 0; i < 100; ++i) step.over(bodies.size())(bodies, 0.01f);

  const Vector at = bodies.to_vector()[0].position;
  return std::abs(at.x - std::cos(1.0f)) < 0.01f && std::abs(at.y - std::sin(1.0f)) < 0.01f ? 0 : 1;
}
