#include "cuttle/print.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <vector>

namespace cuttle::detail {
namespace {

constexpr std::int64_t most_elements = 1000;  // of an array that is shown whole, as NumPy's print options have it
constexpr std::int64_t edge_items = 3;        // at each end of a dimension that is not
constexpr int most_digits = 8;                // after the point

// The indices of a dimension that are shown; -1 stands for the dots between.
std::vector<std::int64_t> shown_indices(std::int64_t extent, bool abbreviate) {
  std::vector<std::int64_t> indices;
  const bool cut = abbreviate && extent > 2 * edge_items;
  for (std::int64_t i = 0; i < (cut ? edge_items : extent); ++i) indices.push_back(i);
  if (!cut) return indices;
  indices.push_back(-1);
  for (std::int64_t i = extent - edge_items; i < extent; ++i) indices.push_back(i);
  return indices;
}

// A number in two parts, so that points stand below each other: "12", ".5".
struct Cell {
  std::string head, tail;
};

template <class T>
T read(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

std::string integer_text(const char* bytes, std::size_t size, bool is_signed) {
  switch (size) {
    case 1:
      return is_signed ? std::to_string(read<std::int8_t>(bytes)) : std::to_string(read<std::uint8_t>(bytes));
    case 2:
      return is_signed ? std::to_string(read<std::int16_t>(bytes)) : std::to_string(read<std::uint16_t>(bytes));
    case 4:
      return is_signed ? std::to_string(read<std::int32_t>(bytes)) : std::to_string(read<std::uint32_t>(bytes));
    default:
      return is_signed ? std::to_string(read<std::int64_t>(bytes)) : std::to_string(read<std::uint64_t>(bytes));
  }
}

// The shortest digits that give the number back, or eight after the point where there are more.
template <class T>
std::string float_text(T value, std::chars_format format) {
  char text[64];
  auto shortest = std::to_chars(text, text + sizeof(text), value, format);
  const std::string_view digits(text, static_cast<std::size_t>(shortest.ptr - text));
  const std::size_t point = digits.find('.');
  const std::size_t exponent = std::min(digits.find('e'), digits.size());
  if (point != std::string_view::npos && exponent - point - 1 > most_digits) {
    shortest = std::to_chars(text, text + sizeof(text), value, format, most_digits);
  }
  return {text, shortest.ptr};
}

template <class T>
std::vector<Cell> float_cells(const std::vector<char>& bytes, std::size_t count) {
  // One format for all, NumPy's rule: scientific for very large or small numbers and for a wide range.
  double least = INFINITY, greatest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double magnitude = std::fabs(static_cast<double>(read<T>(&bytes[i * sizeof(T)])));
    if (!std::isfinite(magnitude) || magnitude == 0) continue;
    least = std::min(least, magnitude);
    greatest = std::max(greatest, magnitude);
  }
  const bool scientific = greatest > 0 && (greatest >= 1e8 || least < 1e-4 || greatest / least > 1e3);
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < count; ++i) {
    const T value = read<T>(&bytes[i * sizeof(T)]);
    if (!std::isfinite(value)) {
      cells.push_back({std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf", ""});
      continue;
    }
    std::string text = float_text(value, scientific ? std::chars_format::scientific : std::chars_format::fixed);
    std::size_t exponent = std::min(text.find('e'), text.size());
    std::size_t point = text.find('.');
    if (point == std::string::npos) {
      point = exponent;
      text.insert(exponent++, ".");
    }
    // Trailing zeros of a number that was cut to eight digits say nothing.
    const std::size_t last = text.find_last_not_of('0', exponent - 1);
    text.erase(last + 1, exponent - last - 1);
    cells.push_back({text.substr(0, point), text.substr(point)});
  }
  return cells;
}

std::vector<Cell> cells_of(const std::vector<char>& bytes, std::size_t count, ElementKind kind, std::size_t size) {
  std::vector<Cell> cells;
  if (kind == ElementKind::floating) return size == 4 ? float_cells<float>(bytes, count) : float_cells<double>(bytes, count);
  for (std::size_t i = 0; i < count; ++i) {
    const char* element = &bytes[i * size];
    cells.push_back(
        {kind == ElementKind::boolean ? (*element ? "true" : "false") : integer_text(element, size, kind == ElementKind::signed_integer), ""});
  }
  return cells;
}

// Points stand below each other; what has none (inf, nan) ends where the numbers end.
void align(std::vector<Cell>& cells) {
  std::size_t head = 0, tail = 0, whole = 0;
  for (const Cell& cell : cells) {
    if (!cell.tail.empty()) head = std::max(head, cell.head.size());
    tail = std::max(tail, cell.tail.size());
    whole = std::max(whole, cell.head.size());
  }
  head = std::max(head, whole - std::min(whole, tail));
  for (Cell& cell : cells) {
    const std::size_t width = cell.tail.empty() ? head + tail : head;
    cell.head.insert(0, width - cell.head.size(), ' ');
    if (!cell.tail.empty()) cell.tail.append(tail - cell.tail.size(), ' ');
  }
}

// Visits the shown elements in order; `element(offset)` for each, `open(d)`, `close(d)`, `next(d)` and `dots(d)` between.
class Walk {
 public:
  Walk(const std::int64_t* shape, const std::int64_t* strides, int ndim, bool abbreviate) : strides_(strides), ndim_(ndim) {
    for (int d = 0; d < ndim; ++d) shown_.push_back(shown_indices(shape[d], abbreviate));
  }

  template <class Visitor>
  void run(Visitor& visitor, int d = 0, std::int64_t offset = 0) const {
    if (d == ndim_) {
      visitor.element(offset);
      return;
    }
    visitor.open();
    bool first = true;
    for (const std::int64_t i : shown_[static_cast<std::size_t>(d)]) {
      if (!first) visitor.next(ndim_ - d);
      first = false;
      if (i < 0) {
        visitor.dots();
      } else {
        run(visitor, d + 1, offset + i * strides_[d]);
      }
    }
    visitor.close();
  }

 private:
  const std::int64_t* strides_;
  int ndim_;
  std::vector<std::vector<std::int64_t>> shown_;
};

struct Collect {
  std::vector<std::int64_t>& offsets;
  void element(std::int64_t offset) { offsets.push_back(offset); }
  void open() {}
  void close() {}
  void next(int) {}
  void dots() {}
};

struct Write {
  std::string& text;
  const std::vector<Cell>& cells;
  std::size_t at = 0, depth = 0;
  void element(std::int64_t) {
    text += cells[at].head + cells[at].tail;
    ++at;
  }
  void open() {
    text += '[';
    ++depth;
  }
  void close() {
    text += ']';
    --depth;
  }
  // Between elements of a row a space; between rows a line end, and an empty line for each dimension more.
  void next(int dimensions) {
    if (dimensions == 1) {
      text += ' ';
    } else {
      text.append(static_cast<std::size_t>(dimensions - 1), '\n');
      text.append(depth, ' ');
    }
  }
  void dots() { text += "..."; }
};

// The elements at the offsets, one after the other; neighbours come in one copy.
std::vector<char> fetch(DeviceState& device, const void* data, const std::vector<std::int64_t>& offsets, std::size_t size) {
  std::vector<char> bytes(offsets.size() * size);
  for (std::size_t begin = 0, end; begin < offsets.size(); begin = end) {
    for (end = begin + 1; end < offsets.size() && offsets[end] == offsets[end - 1] + 1;) ++end;
    copy_and_wait(device, &bytes[begin * size], static_cast<const char*>(data) + offsets[begin] * static_cast<std::int64_t>(size),
                  (end - begin) * size);
  }
  return bytes;
}

}  // namespace

std::string text_of(DeviceState& device, const void* data, ElementKind kind, std::size_t size, const std::int64_t* shape, const std::int64_t* strides,
                    int ndim) {
  std::int64_t count = 1;
  for (int d = 0; d < ndim; ++d) count *= shape[d];
  if (count == 0) return "[]";
  const Walk walk(shape, strides, ndim, count > most_elements);
  std::vector<std::int64_t> offsets;
  Collect collect{offsets};
  walk.run(collect);
  std::vector<Cell> cells = cells_of(fetch(device, data, offsets, size), offsets.size(), kind, size);
  align(cells);
  std::string text;
  Write write{text, cells};
  walk.run(write);
  return text;
}

}  // namespace cuttle::detail
