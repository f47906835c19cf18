// The algorithms of <algorithm> and <numeric>, and Thrust's with keys, called by one thread for each row, on rows that are contiguous and on rows
// that are strided; against the host's own.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "support/device_test.h"

namespace {

constexpr int rows = 12, columns = 24;
using Matrix = std::vector<int>;  // row-major

/// Runs each kernel over contiguous rows and over the columns of the transposed matrix, which are the same rows with a stride.
class Algorithms : public cuttle::test::OnEveryDevice {
 protected:
  template <class Kernel, class... Out>
  void run_rows(const Kernel& kernel, const Matrix& in, const std::function<void()>& check, Out&... out) {
    kernel[{1, rows}](cuttle::Array<int, 2>(in, rows, columns), out...);
    check();
    cuttle::Array<int, 2> transposed(transpose(in), columns, rows);
    kernel[{1, rows}](transposed.transpose(), out...);
    check();
  }

  static Matrix transpose(const Matrix& in) {
    Matrix out(in.size());
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) out[c * rows + r] = in[r * columns + c];
    }
    return out;
  }

  static Matrix numbers(int seed, int different) {
    Matrix values;
    for (int i = 0; i < rows * columns; ++i) values.push_back((i * 7919 + seed * 104729) % 10007 % different);
    return values;
  }
  static Matrix in_order(Matrix values) {
    for (int r = 0; r < rows; ++r) std::sort(values.begin() + r * columns, values.begin() + (r + 1) * columns);
    return values;
  }
};
CUTTLE_ON_EVERY_DEVICE(Algorithms);

// ---- search -------------------------------------------------------------------------------------------------------------------------

auto search_rows = CUTTLE_KERNEL([](auto x, auto out) {
  const auto row = x[threadIdx.x];
  const auto first = row.begin(), last = row.end();
  auto o = out[threadIdx.x];
  o[0] = static_cast<int>(std::find(first, last, 3) - first);
  o[1] = static_cast<int>(std::find_if(first, last, [](int v) { return v > 5; }) - first);
  o[2] = static_cast<int>(std::count(first, last, 2));
  o[3] = static_cast<int>(std::count_if(first, last, [](int v) { return v % 2 == 0; }));
  o[4] = std::all_of(first, last, [](int v) { return v < 8; });
  o[5] = std::any_of(first, last, [](int v) { return v == 7; });
  o[6] = std::none_of(first, last, [](int v) { return v == 6; });
  o[7] = static_cast<int>(std::min_element(first, last) - first);
  o[8] = static_cast<int>(std::max_element(first, last, [](int a, int b) { return a % 5 < b % 5; }) - first);
  o[9] = static_cast<int>(std::adjacent_find(first, last) - first);
  const auto other = x[0];
  o[10] = std::equal(first, last, other.begin());
  o[11] = static_cast<int>(std::mismatch(first, last, other.begin()).first - first);
  o[12] = std::lexicographical_compare(first, last, other.begin(), other.end());
  o[13] = static_cast<int>(std::search(first, last, first + 5, first + 7) - first);
  o[14] = std::is_sorted(first, last);
  o[15] = static_cast<int>(std::is_sorted_until(first, last) - first);
});

TEST_P(Algorithms, SearchRows) {
  const Matrix in = numbers(1, 9);
  cuttle::Array<int, 2> out(rows, 16);
  run_rows(
      search_rows, in,
      [&] {
        const std::vector<int> found = out.to_vector();
        for (int r = 0; r < rows; ++r) {
          const int *first = in.data() + r * columns, *last = first + columns, *other = in.data();
          const std::vector<int> expected = {static_cast<int>(std::find(first, last, 3) - first),
                                             static_cast<int>(std::find_if(first, last, [](int v) { return v > 5; }) - first),
                                             static_cast<int>(std::count(first, last, 2)),
                                             static_cast<int>(std::count_if(first, last, [](int v) { return v % 2 == 0; })),
                                             std::all_of(first, last, [](int v) { return v < 8; }),
                                             std::any_of(first, last, [](int v) { return v == 7; }),
                                             std::none_of(first, last, [](int v) { return v == 6; }),
                                             static_cast<int>(std::min_element(first, last) - first),
                                             static_cast<int>(std::max_element(first, last, [](int a, int b) { return a % 5 < b % 5; }) - first),
                                             static_cast<int>(std::adjacent_find(first, last) - first),
                                             std::equal(first, last, other),
                                             static_cast<int>(std::mismatch(first, last, other).first - first),
                                             std::lexicographical_compare(first, last, other, other + columns),
                                             static_cast<int>(std::search(first, last, first + 5, first + 7) - first),
                                             std::is_sorted(first, last),
                                             static_cast<int>(std::is_sorted_until(first, last) - first)};
          EXPECT_EQ(std::vector<int>(found.begin() + 16 * r, found.begin() + 16 * (r + 1)), expected) << "row " << r;
        }
      },
      out);
}

auto search_sorted_rows = CUTTLE_KERNEL([](auto x, auto out) {
  const auto row = x[threadIdx.x];
  const auto first = row.begin(), last = row.end();
  auto o = out[threadIdx.x];
  for (int v = 0; v < 10; ++v) {
    const auto range = std::equal_range(first, last, v);
    o[4 * v] = std::binary_search(first, last, v);
    o[4 * v + 1] = static_cast<int>(std::lower_bound(first, last, v) - first);
    o[4 * v + 2] = static_cast<int>(std::upper_bound(first, last, v, [](int a, int b) { return a < b; }) - first);
    o[4 * v + 3] = static_cast<int>(range.second - range.first);
  }
});

TEST_P(Algorithms, SearchSortedRowsForOneAndForManyValues) {
  const Matrix in = in_order(numbers(2, 9));
  cuttle::Array<int, 2> out(rows, 40);
  run_rows(
      search_sorted_rows, in,
      [&] {
        const std::vector<int> found = out.to_vector();
        for (int r = 0; r < rows; ++r) {
          const int *first = in.data() + r * columns, *last = first + columns;
          for (int v = 0; v < 10; ++v) {
            const auto range = std::equal_range(first, last, v);
            const std::vector<int> expected = {std::binary_search(first, last, v), static_cast<int>(range.first - first),
                                               static_cast<int>(range.second - first), static_cast<int>(range.second - range.first)};
            const auto* mine = found.data() + 40 * r + 4 * v;
            EXPECT_EQ(std::vector<int>(mine, mine + 4), expected) << "row " << r << ", value " << v;
          }
        }
      },
      out);
}

// ---- copy, edit, sort: in place, each on a fresh copy ------------------------------------------------------------------------------------

/// Applies a kernel that changes rows, and the host's counterpart; `returned` is what the kernel gives for each row.
template <class Kernel, class Host>
void expect_edit(const Kernel& kernel, const Matrix& in, const Host& host, const char* what) {
  Matrix expected = in;
  std::vector<int> expected_ends;
  for (int r = 0; r < rows; ++r) expected_ends.push_back(host(expected.data() + r * columns, expected.data() + (r + 1) * columns));
  const auto check = [&](const Matrix& changed, const std::vector<int>& ends) {
    EXPECT_EQ(ends, expected_ends) << what;
    for (int r = 0; r < rows; ++r) {  // what lies behind a new end is not said
      for (int c = 0; c < expected_ends[r]; ++c) EXPECT_EQ(changed[r * columns + c], expected[r * columns + c]) << what << ", row " << r;
    }
  };
  cuttle::Array<int> ends(rows);
  cuttle::Array<int, 2> straight(in, rows, columns);
  kernel[{1, rows}](straight, ends);
  check(straight.to_vector(), ends.to_vector());
  Matrix transposed(in.size());
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) transposed[c * rows + r] = in[r * columns + c];
  }
  cuttle::Array<int, 2> turned(transposed, columns, rows);
  kernel[{1, rows}](turned.transpose(), ends);
  const Matrix changed = turned.to_vector();
  Matrix back(in.size());
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) back[r * columns + c] = changed[c * rows + r];
  }
  check(back, ends.to_vector());
}

// The same lines for the kernel and for the host.
#define EXPECT_EDIT(in, ...)                                                                 \
  do {                                                                                       \
    auto kernel = CUTTLE_KERNEL([](auto x, auto ends) {                                      \
      auto row = x[threadIdx.x];                                                             \
      auto first = row.begin(), last = row.end();                                            \
      ends[threadIdx.x] = static_cast<int>([&]() { __VA_ARGS__ }() - first);                 \
    });                                                                                      \
    expect_edit(kernel, in, [](int* first, [[maybe_unused]] int* last) { return static_cast<int>([&]() { __VA_ARGS__ }() - first); }, #__VA_ARGS__); \
  } while (false)

TEST_P(Algorithms, EditRowsInPlace) {
  const Matrix in = numbers(3, 7);
  EXPECT_EDIT(in, std::fill(first, last, 10); return last;);
  EXPECT_EDIT(in, std::replace(first, last, 0, 999); return last;);
  EXPECT_EDIT(in, std::replace_if(first, last, [](int v) { return v > 4; }, -1); return last;);
  EXPECT_EDIT(in, std::reverse(first, last); return last;);
  EXPECT_EDIT(in, std::rotate(first, first + 5, last); return last;);
  EXPECT_EDIT(in, return std::remove(first, last, 3););
  EXPECT_EDIT(in, return std::remove_if(first, last, [](int v) { return v % 2 == 1; }););
  EXPECT_EDIT(in_order(in), return std::unique(first, last););
  EXPECT_EDIT(in, return std::unique(first, last, [](int a, int b) { return a % 3 == b % 3; }););
  EXPECT_EDIT(in, std::swap_ranges(first, first + 8, first + 10); return last;);
  EXPECT_EDIT(in, std::iota(first, last, 4); return last;);
  EXPECT_EDIT(in, std::transform(first, last, first, [](int v) { return v * v - 3; }); return last;);
  EXPECT_EDIT(in, std::for_each(first, last, [](int& v) { v += 2; }); return last;);
  EXPECT_EDIT(in, return std::copy(first + 6, last, first););
  EXPECT_EDIT(in, std::copy_backward(first, first + 9, last); return last;);
  EXPECT_EDIT(in, return std::copy_if(first, last, first, [](int v) { return v > 2; }););
  EXPECT_EDIT(in, return std::reverse_copy(first, first + 8, first + 12););
  EXPECT_EDIT(in, return std::remove_copy(first + 8, last, first, 1););
  EXPECT_EDIT(in, return std::replace_copy(first + 8, last, first, 1, 77););
}

TEST_P(Algorithms, SortRows) {
  for (const int different : {2, 9, 10007}) {
    const Matrix in = numbers(4, different);
    EXPECT_EDIT(in, std::sort(first, last); return last;);
    EXPECT_EDIT(in, std::sort(first, last, [](int a, int b) { return b < a; }); return last;);
    EXPECT_EDIT(in, std::stable_sort(first, last); return last;);
    EXPECT_EDIT(in, std::stable_sort(first, last, [](int a, int b) { return a % 5 < b % 5; }); return last;);
    EXPECT_EDIT(in, std::sort(first + 3, first + 3); return last;);
  }
}

TEST_P(Algorithms, ScanAndReduceRows) {
  const Matrix in = numbers(5, 50);
  EXPECT_EDIT(in, return std::inclusive_scan(first, last, first););
  EXPECT_EDIT(in, return std::inclusive_scan(first, last, first, [](int a, int b) { return a < b ? b : a; }););
  EXPECT_EDIT(in, return std::exclusive_scan(first, last, first, 0););
  EXPECT_EDIT(in, return std::exclusive_scan(first, last, first, 10, [](int a, int b) { return a ^ b; }););
  EXPECT_EDIT(in, return std::partial_sum(first, last, first););
  EXPECT_EDIT(in, return std::adjacent_difference(first, last, first););
  EXPECT_EDIT(in, *first = std::reduce(first, last); return last;);
  EXPECT_EDIT(in, *first = std::reduce(first, last, 10); return last;);
  EXPECT_EDIT(in, *first = std::accumulate(first, last, 3, [](int a, int b) { return 2 * a % 1009 + b; }); return last;);
  EXPECT_EDIT(in, *first = std::inner_product(first, last, first, 0); return last;);
  EXPECT_EDIT(in, *first = std::transform_reduce(first, last, 0, std::plus<>(), [](int v) { return v * v; }); return last;);
}

TEST_P(Algorithms, CombineSetsOfRows) {
  // Each row is two sequences in order, of 10 and 14 elements; the result goes to an array of the thread's own and back.
  Matrix in = numbers(6, 12);
  for (int r = 0; r < rows; ++r) {
    std::sort(in.begin() + r * columns, in.begin() + r * columns + 10);
    std::sort(in.begin() + r * columns + 10, in.begin() + (r + 1) * columns);
  }
#define EXPECT_SET(operation)                                                                         \
  EXPECT_EDIT(in, int out[24] = {}; int* end = operation(first, first + 10, first + 10, last, out);   \
              return std::copy(out, end, first);)
  EXPECT_SET(std::set_union);
  EXPECT_SET(std::set_intersection);
  EXPECT_SET(std::set_difference);
  EXPECT_SET(std::set_symmetric_difference);
  EXPECT_SET(std::merge);
#undef EXPECT_SET
  EXPECT_EDIT(in, *first = std::includes(first + 10, last, first, first + 2); return last;);
}

// ---- with keys -----------------------------------------------------------------------------------------------------------------------------

auto sort_rows_by_key = CUTTLE_KERNEL([](auto keys, auto values, bool stable) {
  auto key = keys[threadIdx.x];
  auto value = values[threadIdx.x];
  if (stable) {
    stable_sort_by_key(key.begin(), key.end(), value.begin(), [](int a, int b) { return b < a; });
  } else {
    sort_by_key(key.begin(), key.end(), value.begin());
  }
});

TEST_P(Algorithms, SortByKey) {
  Matrix keys(rows * columns);
  for (int i = 0; i < rows * columns; ++i) keys[i] = i % columns * 7 % columns;  // all different in a row
  Matrix values(rows * columns);
  std::iota(values.begin(), values.end(), 0);
  cuttle::Array<int, 2> k(keys, rows, columns), v(values, rows, columns);
  sort_rows_by_key[{1, rows}](k, v, false);
  const Matrix sorted = k.to_vector(), moved = v.to_vector();
  for (int i = 0; i < rows * columns; ++i) {
    EXPECT_EQ(sorted[i], i % columns);
    EXPECT_EQ(keys[moved[i]], sorted[i]);
  }
}

TEST_P(Algorithms, SortStablyByKeyInDescendingOrder) {
  const Matrix keys = numbers(8, 5);
  Matrix values(rows * columns);
  std::iota(values.begin(), values.end(), 0);
  cuttle::Array<int, 2> k(transpose(keys), columns, rows), v(values, rows, columns);
  sort_rows_by_key[{1, rows}](k.transpose(), v, true);
  for (int r = 0; r < rows; ++r) {
    std::stable_sort(values.begin() + r * columns, values.begin() + (r + 1) * columns, [&](int a, int b) { return keys[b] < keys[a]; });
  }
  EXPECT_EQ(v.to_vector(), values);
}

auto scan_by_key =
    CUTTLE_KERNEL([](const int* keys, int* inclusive, int* exclusive, int* reduced_keys, int* reduced, int* unique, int* kept, int* counts, int n) {
      inclusive_scan_by_key(keys, keys + n, inclusive, inclusive);
      exclusive_scan_by_key(keys, keys + n, exclusive, exclusive, 5);
      counts[0] = static_cast<int>(reduce_by_key(keys, keys + n, exclusive, reduced_keys, reduced).first - reduced_keys);
      const auto ends = unique_by_key(unique, unique + n, kept);
      counts[1] = static_cast<int>(ends.first - unique);
      counts[2] = static_cast<int>(ends.second - kept);
    });

TEST_P(Algorithms, ScanReduceAndKeepByKey) {
  const std::vector<int> keys = {1, 1, 1, 3, 3, 2, 1, 1, 0, 0, 0, 0, 7}, values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
  const int n = static_cast<int>(keys.size());
  cuttle::Array<int> inclusive(values), exclusive(values), reduced_keys(n), reduced(n), unique(keys), kept(values), counts(3);
  scan_by_key[{1, 1}](cuttle::Array<int>(keys), inclusive, exclusive, reduced_keys, reduced, unique, kept, counts, n);
  EXPECT_EQ(inclusive.to_vector(), (std::vector<int>{1, 3, 6, 4, 9, 6, 7, 15, 9, 19, 30, 42, 13}));
  EXPECT_EQ(exclusive.to_vector(), (std::vector<int>{5, 6, 8, 5, 9, 5, 5, 12, 5, 14, 24, 35, 5}));
  EXPECT_EQ(counts.to_vector(), (std::vector<int>{6, 6, 6}));
  const auto first_six = [](const cuttle::Array<int>& x) {
    std::vector<int> all = x.to_vector();
    all.resize(6);
    return all;
  };
  EXPECT_EQ(first_six(reduced_keys), (std::vector<int>{1, 3, 2, 1, 0, 7}));
  EXPECT_EQ(first_six(reduced), (std::vector<int>{19, 14, 5, 17, 78, 5}));
  EXPECT_EQ(first_six(unique), (std::vector<int>{1, 3, 2, 1, 0, 7}));
  EXPECT_EQ(first_six(kept), (std::vector<int>{1, 4, 6, 7, 9, 13}));
}

auto sets_by_key = CUTTLE_KERNEL([](const int* a, const int* b, auto keys, auto values, int* counts) {
  const int *va = a + 6, *vb = b + 5;
  const auto put = [&](int which, auto ends) {
    counts[2 * which] = static_cast<int>(ends.first - keys[which].begin());
    counts[2 * which + 1] = static_cast<int>(ends.second - values[which].begin());
  };
  put(0, set_union_by_key(a, a + 6, b, b + 5, va, vb, keys[0].begin(), values[0].begin()));
  put(1, set_intersection_by_key(a, a + 6, b, b + 5, va, keys[1].begin(), values[1].begin()));
  put(2, set_difference_by_key(a, a + 6, b, b + 5, va, vb, keys[2].begin(), values[2].begin()));
  put(3, set_symmetric_difference_by_key(a, a + 6, b, b + 5, va, vb, keys[3].begin(), values[3].begin()));
});

TEST_P(Algorithms, CombineSetsByKey) {
  const cuttle::Array<int> a{0, 1, 3, 3, 5, 8, 100, 101, 102, 103, 104, 105}, b{1, 3, 4, 8, 9, 200, 201, 202, 203, 204};
  cuttle::Array<int, 2> keys = cuttle::zeros<int>(4, 12), values = cuttle::zeros<int>(4, 12);
  cuttle::Array<int> counts(8);
  sets_by_key[{1, 1}](a, b, keys, values, counts);
  EXPECT_EQ(counts.to_vector(), (std::vector<int>{8, 8, 3, 3, 3, 3, 5, 5}));
  EXPECT_EQ(keys.to_vector(), (std::vector<int>{0, 1, 3, 3, 4, 5, 8, 9, 0, 0, 0, 0, 1, 3, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                                0, 3, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 4, 5, 9, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(values.to_vector(), (std::vector<int>{100, 101, 102, 103, 202, 104, 105, 204, 0, 0, 0, 0, 101, 102, 105, 0,   0,   0, 0, 0, 0, 0, 0, 0,
                                                  100, 103, 104, 0,   0,   0,   0,   0,   0, 0, 0, 0, 100, 103, 202, 104, 204, 0, 0, 0, 0, 0, 0, 0}));
}

auto gather_and_scatter = CUTTLE_KERNEL([](const int* map, const float* source, float* gathered, long long* scattered, int* steps, int n) {
  gather(map, map + n, source, gathered);
  scatter(map, map + n, map, scattered);
  sequence(steps, steps + n);
  sequence(steps + n, steps + 2 * n, 1);
  sequence(steps + 2 * n, steps + 3 * n, n, 10);
  auto constant = make_constant_iterator(n * n);
  auto counting = make_counting_iterator(n * n);
  steps[3 * n] = constant[n] + *(constant + 5);
  steps[3 * n + 1] = counting[n] + *(counting + 5);
  steps[3 * n + 2] = static_cast<int>(std::find(counting, counting + 100, n * n + 7) - counting);
});

TEST_P(Algorithms, GatherScatterAndCount) {
  const std::vector<int> map = {4, 0, 3, 1, 2};
  cuttle::Array<float> source{0.5f, 1.5f, 2.5f, 3.5f, 4.5f}, gathered(5);
  cuttle::Array<long long> scattered(5);
  cuttle::Array<int> steps(18);
  gather_and_scatter[{1, 1}](cuttle::Array<int>(map), source, gathered, scattered, steps, 5);
  EXPECT_EQ(gathered.to_vector(), (std::vector<float>{4.5f, 0.5f, 3.5f, 1.5f, 2.5f}));
  EXPECT_EQ(scattered.to_vector(), (std::vector<long long>{0, 1, 2, 3, 4}));
  EXPECT_EQ(steps.to_vector(), (std::vector<int>{0, 1, 2, 3, 4, 1, 2, 3, 4, 5, 5, 15, 25, 35, 45, 50, 60, 7}));
}

auto count_in_shared_memory = CUTTLE_KERNEL([](auto x, auto counts) {
  __shared__ int values[32];
  values[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  counts[threadIdx.x] = static_cast<int>(std::count(values, values + 32, static_cast<int>(threadIdx.x) % 4));
  if (threadIdx.x == 0) counts[32] = std::reduce(std::begin(values), std::end(values));
});

TEST_P(Algorithms, RunOnSharedArrays) {
  std::vector<int> in;
  for (int i = 0; i < 32; ++i) in.push_back(i * i % 5);
  cuttle::Array<int> counts(33);
  count_in_shared_memory[{1, 32}](cuttle::Array<int>(in), counts);
  std::vector<int> expected;
  for (int t = 0; t < 32; ++t) expected.push_back(static_cast<int>(std::count(in.begin(), in.end(), t % 4)));
  expected.push_back(std::accumulate(in.begin(), in.end(), 0));
  EXPECT_EQ(counts.to_vector(), expected);
}

auto iterate_over_a_broadcast = CUTTLE_KERNEL([](auto x, int* out) {
  out[0] = std::reduce(x.begin(), x.end());
  out[1] = static_cast<int>(x.end() - x.begin());
});

TEST_P(Algorithms, IterateOverElementsThatAreOneAndTheSame) {
  const cuttle::Array<int> x{3};
  cuttle::Array<int> out(2);
  iterate_over_a_broadcast[{1, 1}](x.broadcast(1000), out);
  EXPECT_EQ(out.to_vector(), (std::vector<int>{3000, 1000}));
}

}  // namespace
