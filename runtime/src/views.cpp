#include "cuttle/views.hpp"

#include <string>

#include "cuttle/error.hpp"

namespace cuttle::detail {
namespace {

std::string shape_text(const std::int64_t* shape, int ndim) {
  std::string text = "(";
  for (int d = 0; d < ndim; ++d) text += (d == 0 ? "" : ", ") + std::to_string(shape[d]);
  return text + ")";
}

}  // namespace

void require_dimension(int d, int ndim) {
  if (d < 0 || d >= ndim) {
    throw LaunchError("dimension " + std::to_string(d) + " was asked for; there are " + std::to_string(ndim) + ", counted from 0.");
  }
}

std::int64_t resolve(Slice& slice, int d, std::int64_t extent) {
  if (slice.step == 0) throw LaunchError("a slice with step 0 was asked for; a step is 1 or more, or -1 or less to go backwards.");
  const bool forward = slice.step > 0;
  if (slice.begin == Slice::whole) slice.begin = forward ? 0 : extent - 1;
  if (slice.end == Slice::whole) slice.end = forward ? extent : -1;
  const bool inside = forward ? 0 <= slice.begin && slice.begin <= slice.end && slice.end <= extent
                              : -1 <= slice.end && slice.end <= slice.begin && slice.begin < extent;
  if (!inside) throw_not_inside("a slice", slice.begin, slice.end, d, extent);
  const std::int64_t distance = forward ? slice.end - slice.begin : slice.begin - slice.end;
  const std::int64_t step = forward ? slice.step : -slice.step;
  return distance / step + (distance % step != 0);
}

void resolve_reshape(std::int64_t* shape, int ndim, std::int64_t size) {
  std::int64_t known = 1;
  int open = -1;
  for (int d = 0; d < ndim; ++d) {
    if (shape[d] == -1 && open < 0) {
      open = d;
    } else if (shape[d] < 0 || __builtin_mul_overflow(known, shape[d], &known)) {
      throw LaunchError("a reshape to " + shape_text(shape, ndim) + " was asked for; extents are 0 or more, one of them may be -1.");
    }
  }
  if (open >= 0 && known > 0 && size % known == 0) {
    shape[open] = size / known;
    known = size;
  }
  if (known != size || (open >= 0 && shape[open] < 0)) {
    throw LaunchError("a reshape of " + std::to_string(size) + " elements to " + shape_text(shape, ndim) + " was asked for; sizes must be equal.");
  }
}

void resolve_broadcast(const std::int64_t* from_shape, const std::int64_t* from_strides, int from_ndim, const std::int64_t* shape,
                       std::int64_t* strides, int ndim) {
  for (int d = 0; d < ndim; ++d) {
    const int from = d - (ndim - from_ndim);
    if (from < 0 || (from_shape[from] == 1 && shape[d] >= 0)) {
      strides[d] = 0;
    } else if (from_shape[from] == shape[d]) {
      strides[d] = from_strides[from];
    } else {
      throw LaunchError("a broadcast from " + shape_text(from_shape, from_ndim) + " to " + shape_text(shape, ndim) +
                        " was asked for; counted from the last, extents must be equal or 1.");
    }
    if (shape[d] < 0) throw LaunchError("a broadcast to " + shape_text(shape, ndim) + " was asked for; extents are 0 or more.");
  }
}

std::int64_t resolve_view_as(const void* data, std::int64_t extent, std::size_t from, std::size_t to, std::size_t align) {
  const std::int64_t bytes = extent * static_cast<std::int64_t>(from);
  if (bytes % static_cast<std::int64_t>(to) != 0) {
    throw LaunchError("rows of " + std::to_string(bytes) + " bytes cannot be seen as elements of " + std::to_string(to) + " bytes.");
  }
  if (reinterpret_cast<std::uintptr_t>(data) % align != 0) {
    throw LaunchError("data that is not aligned to " + std::to_string(align) + " bytes cannot be seen as elements of a type that must be.");
  }
  return bytes / static_cast<std::int64_t>(to);
}

}  // namespace cuttle::detail
