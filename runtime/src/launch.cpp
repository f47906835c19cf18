// A launch: find the variant, check the geometry, hand over to the device.

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "cuttle/error.hpp"
#include "cuttle/kernel.hpp"
#include "device_state.h"
#include "host_pointers.h"
#include "launched.h"
#include "parameter_text.h"
#include "variant.h"

namespace cuttle {
namespace detail {
namespace {

[[noreturn]] void refuse(const Launched& kernel, const std::string& what, std::int64_t asked, std::int64_t allowed, const std::string& advice) {
  throw LaunchError("kernel " + kernel.executable.entry + " was launched with " + what + " " + std::to_string(asked) + "; " +
                    std::to_string(allowed) + " is the most on " + kernel.device.name() + "." + advice);
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_extent(const Launched& kernel, const char* what, std::int64_t asked, std::int64_t least,
                                                          std::int64_t most) {
  if (asked > most) refuse(kernel, what, asked, most, "");
  throw LaunchError("kernel " + kernel.executable.entry + " was launched with " + what + " " + std::to_string(asked) + "; " + std::to_string(least) +
                    " is the least.");
}

// An extent of grid or block as the driver takes it. The message is made elsewhere, so that six of these are six comparisons in a launch.
std::uint32_t checked(const Launched& kernel, const char* what, std::int64_t asked, std::int64_t least, std::int64_t most) {
  if (asked < least || asked > most) [[unlikely]]
    refuse_extent(kernel, what, asked, least, most);
  return static_cast<std::uint32_t>(asked);
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_threads(const Launched& kernel, std::int64_t threads) {
  const bool is_bound = kernel.max_threads < kernel.device.limits().threads;
  refuse(kernel, "threads of a block", threads, kernel.max_threads, is_bound ? " Its launch_bounds say so." : "");
}

// No device has clusters of more than 16 blocks.
std::uint32_t checked_cluster(const Launched& kernel, const char* dimension, std::int64_t asked, std::int64_t grid) {
  const std::uint32_t cluster = checked(kernel, (std::string("cluster.") + dimension).c_str(), asked, 1, 16);
  if (grid % asked != 0) {
    throw LaunchError("kernel " + kernel.executable.entry + " was launched with cluster." + dimension + " " + std::to_string(asked) +
                      ", which does not divide grid." + dimension + " " + std::to_string(grid) + "; a grid consists of whole clusters.");
  }
  return cluster;
}

void add_attributes(const Launched& kernel, const Launch& launch, Geometry& geometry) {
  geometry.cluster[0] = checked_cluster(kernel, "x", launch.cluster.x, launch.grid.x);
  geometry.cluster[1] = checked_cluster(kernel, "y", launch.cluster.y, launch.grid.y);
  geometry.cluster[2] = checked_cluster(kernel, "z", launch.cluster.z, launch.grid.z);
  const std::int64_t most = kernel.device.limits().cluster;
  if (geometry.cluster_size() > most) refuse(kernel, "blocks of a cluster", geometry.cluster_size(), most, "");
  geometry.cooperative = launch.cooperative || kernel.executable.is_cooperative;
  geometry.overlap = launch.overlap;
}

Geometry check_geometry(const Launched& kernel, const Launch& launch) {
  const Limits& limits = kernel.device.limits();
  Geometry geometry{};
  // A grid of no blocks is a launch that does nothing, as a loop of no iterations is.
  geometry.grid[0] = checked(kernel, "grid.x", launch.grid.x, 0, limits.grid[0]);
  geometry.grid[1] = checked(kernel, "grid.y", launch.grid.y, 0, limits.grid[1]);
  geometry.grid[2] = checked(kernel, "grid.z", launch.grid.z, 0, limits.grid[2]);
  geometry.block[0] = checked(kernel, "block.x", launch.block.x, 1, limits.block[0]);
  geometry.block[1] = checked(kernel, "block.y", launch.block.y, 1, limits.block[1]);
  geometry.block[2] = checked(kernel, "block.z", launch.block.z, 1, limits.block[2]);
  const std::int64_t threads = launch.block.x * launch.block.y * launch.block.z;
  if (threads > kernel.max_threads) [[unlikely]]
    refuse_threads(kernel, threads);
  const auto shared_limit = limits.shared_bytes - static_cast<std::int64_t>(kernel.executable.static_shared_bytes);
  if (launch.shared > static_cast<std::size_t>(shared_limit)) [[unlikely]] {
    constexpr std::size_t largest = std::numeric_limits<std::int64_t>::max();
    refuse(kernel, "bytes of dynamic shared memory:", static_cast<std::int64_t>(std::min(launch.shared, largest)), shared_limit,
           " Static shared memory, of which it has " + std::to_string(kernel.executable.static_shared_bytes) + " bytes, counts too.");
  }
  geometry.shared_bytes = static_cast<std::uint32_t>(launch.shared);
  geometry.has_attributes = launch.cooperative || kernel.executable.is_cooperative || launch.overlap ||
                            ((launch.cluster.x ^ 1) | (launch.cluster.y ^ 1) | (launch.cluster.z ^ 1)) != 0;
  if (geometry.has_attributes) [[unlikely]]
    add_attributes(kernel, launch, geometry);
  return geometry;
}

// The options of a launch with block<256>: as many threads are its launch bounds, unless the kernel has bounds of its own.
Options with_bounds_of(const Dim& block, Options options) {
  if (!options.launch_bounds.max_threads) options.launch_bounds.max_threads = static_cast<std::uint32_t>(block.x * block.y * block.z);
  return options;
}

Launched launched(const Variant& variant) { return {*variant.device, *variant.executable, variant.max_threads}; }

void launch_variant(const Variant& variant, const Launch& configuration, void* stream, const void* const* arguments) {
  launch_checked(launched(variant), configuration, stream, *variant.signature, arguments);
}

// The device knows a parameter's number alone.
[[noreturn, gnu::cold, gnu::noinline]] void throw_named(const HostPointer& pointer, const KernelText& text) {
  throw HostPointer(pointer.argument, numbered("argument", text, pointer.argument), pointer.kernel);
}

}  // namespace

void launch_checked(const Launched& kernel, const Launch& configuration, void* stream, const Signature& signature, const void* const* arguments) {
  const Geometry geometry = check_geometry(kernel, configuration);
  if (geometry.grid[0] == 0 || geometry.grid[1] == 0 || geometry.grid[2] == 0) return;
  kernel.device.launch(kernel.executable, geometry, stream, signature, arguments);
}

Launch configuration_over(const Launched& kernel, const Dim& count) {
  const std::int64_t counts[] = {count.x, count.y, count.z};
  for (const std::int64_t n : counts) {
    if (n < 0) {
      throw LaunchError("kernel " + kernel.executable.entry + " was launched over " + std::to_string(n) + " threads; 0 is the least.");
    }
  }
  // A row of x as long as a warp where there is one, then y, then z: neighbours in memory stay neighbours in a block.
  std::int64_t left = std::min<std::int64_t>(kernel.device.preferred_block(kernel.executable), kernel.max_threads);
  std::int64_t block[3], grid[3];
  for (int d = 0; d < 3; ++d) {
    const bool is_last = d == 2 || (d == 0 && count.y == 1 && count.z == 1) || (d == 1 && count.z == 1);
    const std::int64_t most = is_last ? left : d == 0 ? 32 : 4;
    const std::int64_t wanted = is_last && d == 0 ? left : static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(counts[d])));
    block[d] = std::clamp<std::int64_t>(wanted, 1, std::min({most, left, kernel.device.limits().block[d]}));
    left = std::max<std::int64_t>(left / block[d], 1);
    grid[d] = counts[d] / block[d] + (counts[d] % block[d] != 0);
  }
  return {.grid = {grid[0], grid[1], grid[2]}, .block = {block[0], block[1], block[2]}};
}

void launch(const KernelCall& call, const Launch& configuration, const Signature& signature) try {
  const Place place = place_of(configuration.stream);
  if (configuration.block.is_static) {
    const Options options = with_bounds_of(configuration.block, call.options);
    launch_variant(find_variant({call.kernel, call.captures, options, call.arguments}, signature, place.device), configuration, place.stream,
                   call.arguments);
  } else {
    launch_variant(find_variant(call, signature, place.device), configuration, place.stream, call.arguments);
  }
} catch (const HostPointer& pointer) {
  throw_named(pointer, call.kernel.text);
}

void launch_over(const KernelCall& call, const Dim& count, const StreamRef& stream, const Signature& signature) try {
  const Place place = place_of(stream);
  const Variant& variant = find_variant(call, signature, place.device);
  launch_variant(variant, configuration_over(launched(variant), count), place.stream, call.arguments);
} catch (const HostPointer& pointer) {
  throw_named(pointer, call.kernel.text);
}

const DeviceState* device_of(const StreamRef& stream) { return &place_of(stream).device; }

void throw_wrong_home(const KernelText& kernel, const DeviceState* home, const DeviceState* device, std::size_t index) {
  const std::string which = numbered("argument", kernel, index) + " of a launch on " + device->name() + " is an Array ";
  if (!home) throw LaunchError(which + "that holds nothing: it was default-constructed or moved from.");
  throw LaunchError(which + "on " + home->name() + "; copy it to the device of the launch, or launch under Use(array.device()).");
}

void throw_null_data(const KernelText& kernel, std::size_t index) {
  throw LaunchError(numbered("argument", kernel, index) + " of a launch is a view of elements whose pointer is null.");
}

}  // namespace detail

}  // namespace cuttle
