#include "cuttle/copy.hpp"

#include "cuttle/error.hpp"
#include "device_state.h"

namespace cuttle::detail {
namespace {

// One side: its place, and strides in bytes.
struct Side {
  char* data;
  const std::int64_t* strides;  // in elements
  std::int64_t element_size;

  [[nodiscard]] std::int64_t pitch(int d) const { return strides[d] * element_size; }
};

void copy_part(DeviceState& device, Side to, Side from, const std::int64_t* shape, int d, int ndim, std::size_t row_bytes, void* stream) {
  if (d + 2 < ndim) {
    for (std::int64_t i = 0; i < shape[d]; ++i) {
      copy_part(device, {to.data + i * to.pitch(d), to.strides, to.element_size}, {from.data + i * from.pitch(d), from.strides, from.element_size},
                shape, d + 1, ndim, row_bytes, stream);
    }
  } else if (d + 2 == ndim) {
    copy_rows(device, to.data, to.pitch(d), from.data, from.pitch(d), row_bytes, static_cast<std::size_t>(shape[d]), stream);
  } else {
    device.copy(to.data, from.data, row_bytes, stream);
  }
}

}  // namespace

void copy_shape(void* to, const std::int64_t* to_strides, const void* from, const std::int64_t* from_strides, const std::int64_t* shape, int ndim,
                std::size_t element_size, const StreamRef& stream) {
  for (int d = 0; d < ndim; ++d) {
    if (shape[d] == 0) return;
  }
  if (ndim > 0 && shape[ndim - 1] > 1 && (to_strides[ndim - 1] != 1 || from_strides[ndim - 1] != 1)) {
    throw LaunchError("a copy between views was asked for, of which one has rows whose elements do not lie side by side; a kernel copies those.");
  }
  const Place place = place_of(stream);
  const auto size = static_cast<std::int64_t>(element_size);
  const std::size_t row_bytes = element_size * static_cast<std::size_t>(ndim == 0 ? 1 : shape[ndim - 1]);
  copy_part(place.device, {static_cast<char*>(to), to_strides, size}, {static_cast<char*>(const_cast<void*>(from)), from_strides, size}, shape, 0,
            ndim, row_bytes, place.stream);
}

void throw_shapes_differ() { throw LaunchError("a copy between views of different shapes was asked for; their extents must be equal."); }

}  // namespace cuttle::detail
