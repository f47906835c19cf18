// 02: the edges of a picture. Threads in two dimensions, views with two dimensions, and parameter types declared in the lambda.
//
//   sample_02_edges picture.pgm edges.pgm     (PGM or PPM, binary, 8 bits a sample)

#include <cuttle/cuttle.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

using Pixels = std::vector<unsigned char>;

struct Picture {
  int rows = 0, columns = 0;
  Pixels grey;  // row by row
};

// Sobel's operator: how fast the brightness changes from left to right, plus how fast from top to bottom.
//
// With declared parameter types the host compiler checks the whole body, and arguments convert to them as in a function call:
// an Array<unsigned char, 2> to a view, here one that can only be read. `view` needs no prefix inside the lambda.
auto sobel = CUTTLE_KERNEL([](view<const unsigned char, 2> picture, view<unsigned char, 2> edges) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int last_row = picture.shape(0) - 1;
  const int last_column = picture.shape(1) - 1;
  if (row > last_row || column > last_column) return;  // the grid is rounded up to whole blocks

  // A lambda inside a kernel. Beyond the border the picture goes on with its last pixel.
  const auto pixel = [&](int r, int c) -> int { return picture(std::clamp(r, 0, last_row), std::clamp(c, 0, last_column)); };
  const int horizontal = pixel(row - 1, column + 1) + 2 * pixel(row, column + 1) + pixel(row + 1, column + 1)  //
                         - pixel(row - 1, column - 1) - 2 * pixel(row, column - 1) - pixel(row + 1, column - 1);
  const int vertical = pixel(row + 1, column - 1) + 2 * pixel(row + 1, column) + pixel(row + 1, column + 1)  //
                       - pixel(row - 1, column - 1) - 2 * pixel(row - 1, column) - pixel(row - 1, column + 1);
  const int strength = (horizontal < 0 ? -horizontal : horizontal) + (vertical < 0 ? -vertical : vertical);
  edges(row, column) = static_cast<unsigned char>(std::min(strength, 255));
});

Picture find_edges(const Picture& picture) {
  const cuttle::Array<unsigned char, 2> input(std::span(picture.grey), picture.rows, picture.columns);  // to the device, with a shape
  cuttle::Array<unsigned char, 2> edges(picture.rows, picture.columns);

  constexpr int tile = 16;  // a block is 16 x 16 threads; x is the direction in which neighbours in memory lie
  const auto blocks = [](int extent) { return (extent + tile - 1) / tile; };
  sobel[{.grid = {blocks(picture.columns), blocks(picture.rows)}, .block = {tile, tile}}](input, edges);

  return {picture.rows, picture.columns, edges.to_vector()};  // waits for the kernel, and copies back
}

// ---- files: nothing below is about cuttle ----

int read_number(std::istream& file) {
  while (file >> std::ws && file.peek() == '#') file.ignore(1 << 20, '\n');  // a comment in the header
  int number = 0;
  file >> number;
  return number;
}

Picture read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + " cannot be opened");
  char magic[2] = {};
  file.read(magic, 2);
  const int columns = read_number(file), rows = read_number(file), most = read_number(file);
  file.get();  // the one white space that ends the header
  const bool is_grey = magic[1] == '5';
  if (magic[0] != 'P' || (!is_grey && magic[1] != '6') || !file || columns < 1 || rows < 1 || most < 1 || most > 255) {
    throw std::runtime_error(path + " is not a binary PGM or PPM picture with 8 bits a sample");
  }
  Pixels samples(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) * (is_grey ? 1 : 3));
  if (!file.read(reinterpret_cast<char*>(samples.data()), static_cast<std::streamsize>(samples.size()))) {
    throw std::runtime_error(path + " ends before its last pixel");
  }
  if (!is_grey) {
    for (std::size_t i = 0; i < samples.size() / 3; ++i) {  // in place: pixel i is written where pixels before it were read
      samples[i] = static_cast<unsigned char>((299 * samples[3 * i] + 587 * samples[3 * i + 1] + 114 * samples[3 * i + 2]) / 1000);
    }
    samples.resize(samples.size() / 3);
  }
  return {rows, columns, std::move(samples)};
}

void write(const Picture& picture, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  file << "P5\n" << picture.columns << ' ' << picture.rows << "\n255\n";
  file.write(reinterpret_cast<const char*>(picture.grey.data()), static_cast<std::streamsize>(picture.grey.size()));
  if (!file) throw std::runtime_error(path + " cannot be written");
}

int main(int argc, char** argv) try {
  if (argc != 3) throw std::runtime_error("usage: sample_02_edges PICTURE.pgm EDGES.pgm");
  const Picture edges = find_edges(read(argv[1]));
  write(edges, argv[2]);
  const auto strong = std::count_if(edges.grey.begin(), edges.grey.end(), [](unsigned char strength) { return strength > 127; });
  std::printf("on %s: %d x %d pixels, %d of them on an edge; written to %s\n", cuttle::Device::current().name().c_str(), edges.columns, edges.rows,
              static_cast<int>(strong), argv[2]);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
