// A launch: find the variant, check the geometry, hand over to the device.

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "cuttle/error.hpp"
#include "cuttle/kernel.hpp"
#include "device_state.h"
#include "error_text.h"
#include "launched.h"
#include "parameter_text.h"
#include "unreachable_pointers.h"
#include "variant.h"

namespace cuttle {
namespace detail {
namespace {

[[noreturn]] void refuse(const Launched& kernel, const std::string& what, std::int64_t asked, std::int64_t allowed, const std::string& advice) {
  throw LaunchError("kernel " + kernel.executable.title + " was launched with " + what + " " + std::to_string(asked) + "; " +
                    std::to_string(allowed) + " is the most on " + kernel.device.name() + "." + advice);
}

void check_extent(const Launched& kernel, const std::string& what, std::int64_t asked, std::int64_t least, std::int64_t most) {
  if (asked > most) refuse(kernel, what, asked, most, "");
  if (asked < least) {
    throw LaunchError("kernel " + kernel.executable.title + " was launched with " + what + " " + std::to_string(asked) + "; " +
                      std::to_string(least) + " is the least.");
  }
}

// One comparison for both ends: 0 and less are large as unsigned numbers.
bool is_extent(std::int64_t asked, std::int64_t most) { return static_cast<std::uint64_t>(asked) - 1 < static_cast<std::uint64_t>(most); }

bool has_extents(const Launch& launch, const Limits& limits) {
  return is_extent(launch.grid.x, limits.grid[0]) && is_extent(launch.grid.y, limits.grid[1]) && is_extent(launch.grid.z, limits.grid[2]) &&
         is_extent(launch.block.x, limits.block[0]) && is_extent(launch.block.y, limits.block[1]) && is_extent(launch.block.z, limits.block[2]);
}

// Throws for what has_extents() refuses, but for a grid of no blocks: that is a launch that does nothing, as a loop of no iterations is.
[[gnu::cold, gnu::noinline]] void check_extents(const Launched& kernel, const Launch& launch) {
  const Limits& limits = kernel.device.limits();
  check_extent(kernel, "grid.x", launch.grid.x, 0, limits.grid[0]);
  check_extent(kernel, "grid.y", launch.grid.y, 0, limits.grid[1]);
  check_extent(kernel, "grid.z", launch.grid.z, 0, limits.grid[2]);
  check_extent(kernel, "block.x", launch.block.x, 1, limits.block[0]);
  check_extent(kernel, "block.y", launch.block.y, 1, limits.block[1]);
  check_extent(kernel, "block.z", launch.block.z, 1, limits.block[2]);
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_threads(const Launched& kernel, std::int64_t threads) {
  const bool is_bound = kernel.max_threads < kernel.device.limits().threads;
  refuse(kernel, "threads of a block", threads, kernel.max_threads, is_bound ? " Its launch_bounds say so." : "");
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_too_little_shared(const Launched& kernel, std::size_t asked) {
  const std::size_t least = kernel.executable.least_shared_bytes;
  throw LaunchError("kernel " + kernel.executable.title + " was launched with " + std::to_string(asked) +
                    " bytes of dynamic shared memory; it takes " + (least > 1 ? "at least " + std::to_string(least) : std::string("some")) +
                    ". Say how many at the launch: {.grid = ..., .block = ..., " +
                    ".shared = " + (least > 1 ? std::to_string(least) : std::string("count * sizeof(T)")) + "}.");
}

// No device has clusters of more than 16 blocks.
std::uint32_t checked_cluster(const Launched& kernel, const char* dimension, std::int64_t asked, std::int64_t grid) {
  check_extent(kernel, std::string("cluster.") + dimension, asked, 1, 16);
  if (grid % asked != 0) {
    throw LaunchError("kernel " + kernel.executable.title + " was launched with cluster." + dimension + " " + std::to_string(asked) +
                      ", which does not divide grid." + dimension + " " + std::to_string(grid) + "; a grid consists of whole clusters.");
  }
  return static_cast<std::uint32_t>(asked);
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

// The geometry of a launch whose extents are checked.
Geometry check_geometry(const Launched& kernel, const Launch& launch) {
  const Limits& limits = kernel.device.limits();
  const std::int64_t threads = launch.block.x * launch.block.y * launch.block.z;
  if (threads > kernel.max_threads) [[unlikely]]
    refuse_threads(kernel, threads);
  const auto shared_limit = limits.shared_bytes - static_cast<std::int64_t>(kernel.executable.static_shared_bytes);
  if (launch.shared > static_cast<std::size_t>(shared_limit)) [[unlikely]] {
    constexpr std::size_t largest = std::numeric_limits<std::int64_t>::max();
    refuse(kernel, "bytes of dynamic shared memory:", static_cast<std::int64_t>(std::min(launch.shared, largest)), shared_limit,
           " Static shared memory, of which it has " + std::to_string(kernel.executable.static_shared_bytes) + " bytes, counts too.");
  }
  const auto extent = [](std::int64_t checked) { return static_cast<std::uint32_t>(checked); };
  Geometry geometry{.grid = {extent(launch.grid.x), extent(launch.grid.y), extent(launch.grid.z)},
                    .block = {extent(launch.block.x), extent(launch.block.y), extent(launch.block.z)},
                    .shared_bytes = static_cast<std::uint32_t>(launch.shared),
                    .has_attributes = launch.cooperative || kernel.executable.is_cooperative || launch.overlap ||
                                      ((launch.cluster.x ^ 1) | (launch.cluster.y ^ 1) | (launch.cluster.z ^ 1)) != 0,
                    .cooperative = false,
                    .overlap = false,
                    .cluster = {}};
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
[[noreturn, gnu::cold, gnu::noinline]] void throw_named(const UnreachablePointer& pointer, const KernelText& text) {
  throw UnreachablePointer(pointer.argument, numbered("argument", text, pointer.argument), pointer.kernel, pointer.why);
}

}  // namespace

void launch_checked(const Launched& kernel, const Launch& configuration, void* stream, const Signature& signature, const void* const* arguments) {
  const bool runs = has_extents(configuration, kernel.device.limits());
  if (!runs) [[unlikely]]
    check_extents(kernel, configuration);
  const Geometry geometry = check_geometry(kernel, configuration);
  if (!runs) [[unlikely]]
    return;
  if (configuration.shared < kernel.executable.least_shared_bytes) [[unlikely]]
    refuse_too_little_shared(kernel, configuration.shared);
  kernel.device.launch(kernel.executable, geometry, stream, signature, arguments);
}

Launch configuration_over(const Launched& kernel, const Dim& count) {
  const std::int64_t counts[] = {count.x, count.y, count.z};
  for (const std::int64_t n : counts) {
    if (n < 0) {
      throw LaunchError("kernel " + kernel.executable.title + " was launched over " + std::to_string(n) + " threads; 0 is the least.");
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

void launch(const KernelCall& call, const Launch& configuration, const Signature& signature, const Place& place) try {
  if (configuration.block.is_static) {
    const Options options = with_bounds_of(configuration.block, call.options);
    launch_variant(find_variant({call.kernel, call.captures, options, call.arguments, call.facts}, signature, place.device), configuration,
                   place.stream, call.arguments);
  } else {
    launch_variant(find_variant(call, signature, place.device), configuration, place.stream, call.arguments);
  }
} catch (const UnreachablePointer& pointer) {
  throw_named(pointer, call.kernel.text);
}

void launch_over(const KernelCall& call, const Dim& count, const Signature& signature, const Place& place) try {
  const Variant& variant = find_variant(call, signature, place.device);
  launch_variant(variant, configuration_over(launched(variant), count), place.stream, call.arguments);
} catch (const UnreachablePointer& pointer) {
  throw_named(pointer, call.kernel.text);
}

void throw_wrong_home(const KernelText& kernel, const DeviceState* home, const DeviceState* device, std::size_t index) {
  const std::string which =
      numbered("argument", kernel, index) + " of a launch of the kernel at " + place_in_source(kernel) + " on " + device->name() + " is an Array ";
  if (!home) throw LaunchError(which + "that holds nothing: it was default-constructed or moved from.");
  throw LaunchError(which + "on " + home->name() + "; copy it to the device of the launch, or launch under Use(array.device()).");
}

void throw_null_data(const KernelText& kernel, std::size_t index) {
  throw LaunchError(numbered("argument", kernel, index) + " of a launch of the kernel at " + place_in_source(kernel) +
                    " is a view of elements whose pointer is null.");
}

}  // namespace detail

}  // namespace cuttle
