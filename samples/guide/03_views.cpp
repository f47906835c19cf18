// The guide's views: two dimensions, rows, and elements that do not lie one behind the other.

#include <cuttle/cuttle.hpp>

#include <vector>

auto heat = CUTTLE_KERNEL([](view<const float, 2> t, view<float, 2> next, float rate) {
  for (auto [column, row] : grid_stride(t.shape(1), t.shape(0))) {  // x of the grid first: neighbours in memory
    const bool inside = row > 0 && row + 1 < t.shape(0) && column > 0 && column + 1 < t.shape(1);
    const float here = t(row, column);
    const float flow = inside ? t(row - 1, column) + t(row + 1, column) + t(row, column - 1) + t(row, column + 1) - 4 * here : 0;
    next(row, column) = here + rate * flow;
  }
});

auto row_sums = CUTTLE_KERNEL([](view<const float, 2, strided> a, view<float> sums) {
  for (auto i : grid_stride(a.shape(0))) {
    float sum = 0;
    for (float value : a[i]) sum += value;  // a row is a view too
    sums[i] = sum;
  }
});

int main() {
  cuttle::Array<float, 2> t{{0, 0, 0, 0}, {0, 8, 0, 0}, {0, 0, 0, 0}};
  cuttle::Array<float, 2> next(3, 4);
  heat.over({4, 3})(t, next, 0.25f);  // columns, rows

  cuttle::Array<float> rows(3), columns(4);
  row_sums.over(3)(next.slice(0, {}), rows);    // {}: all of dimension 0, as a strided view
  row_sums.over(4)(next.transpose(), columns);  // no copy: the same elements with other strides
  return rows.to_vector() == std::vector<float>{0, 2, 0} && columns.to_vector() == std::vector<float>{0, 0, 2, 0} ? 0 : 1;
}
