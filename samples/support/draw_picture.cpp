// Draws the picture that the samples work on, a PPM file: two discs and a checkerboard before a sky.

#include <fstream>

namespace {

struct Colour {
  unsigned char red, green, blue;
};

bool is_in_disc(int x, int y, int centre_x, int centre_y, int radius) {
  return (x - centre_x) * (x - centre_x) + (y - centre_y) * (y - centre_y) < radius * radius;
}

Colour colour_at(int x, int y) {
  if (is_in_disc(x, y, 250, 60, 36)) return {250, 210, 60};
  if (is_in_disc(x, y, 110, 120, 50)) return {190, 60, 40};
  if (y > 180) return (x / 20 + y / 20) % 2 == 0 ? Colour{40, 60, 40} : Colour{200, 220, 190};
  return {static_cast<unsigned char>(60 + y / 2), static_cast<unsigned char>(110 + y / 2), 220};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  constexpr int columns = 321, rows = 240;  // columns: no multiple of a block's width
  std::ofstream file(argv[1], std::ios::binary);
  file << "P6\n# two discs and a checkerboard\n" << columns << ' ' << rows << "\n255\n";
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) {
      const Colour colour = colour_at(x, y);
      file << colour.red << colour.green << colour.blue;
    }
  }
  return file.flush() ? 0 : 1;
}
