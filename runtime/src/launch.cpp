// A launch: find the variant, check the geometry, hand over to the device.

#include <string>

#include "cuttle/kernel.hpp"
#include "device_state.h"
#include "variant.h"

namespace cuttle {
namespace detail {
namespace {

[[noreturn]] void refuse(const Variant& variant, const std::string& what, std::int64_t asked, std::int64_t allowed, const std::string& advice) {
  throw LaunchError("kernel " + variant.compilation->entry + " was launched with " + what + " " + std::to_string(asked) + "; " +
                    std::to_string(allowed) + " is the most on " + variant.device->name() + "." + advice);
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_extent(const Variant& variant, const char* what, std::int64_t asked, std::int64_t least,
                                                          std::int64_t most) {
  if (asked > most) refuse(variant, what, asked, most, "");
  throw LaunchError("kernel " + variant.compilation->entry + " was launched with " + what + " " + std::to_string(asked) + "; " +
                    std::to_string(least) + " is the least.");
}

// An extent of grid or block as the driver takes it. The message is made elsewhere, so that six of these are six comparisons in a launch.
std::uint32_t checked(const Variant& variant, const char* what, std::int64_t asked, std::int64_t least, std::int64_t most) {
  if (asked < least || asked > most) [[unlikely]]
    refuse_extent(variant, what, asked, least, most);
  return static_cast<std::uint32_t>(asked);
}

Geometry check_geometry(const Variant& variant, const Launch& launch) {
  const Limits& limits = variant.device->limits();
  Geometry geometry{};
  // A grid of no blocks is a launch that does nothing, as a loop of no iterations is.
  geometry.grid[0] = checked(variant, "grid.x", launch.grid.x, 0, limits.grid[0]);
  geometry.grid[1] = checked(variant, "grid.y", launch.grid.y, 0, limits.grid[1]);
  geometry.grid[2] = checked(variant, "grid.z", launch.grid.z, 0, limits.grid[2]);
  geometry.block[0] = checked(variant, "block.x", launch.block.x, 1, limits.block[0]);
  geometry.block[1] = checked(variant, "block.y", launch.block.y, 1, limits.block[1]);
  geometry.block[2] = checked(variant, "block.z", launch.block.z, 1, limits.block[2]);
  const std::int64_t threads = launch.block.x * launch.block.y * launch.block.z;
  if (threads > limits.threads) [[unlikely]]
    refuse(variant, "threads of a block", threads, limits.threads, "");
  const auto shared_limit = limits.shared_bytes - static_cast<std::int64_t>(variant.compilation->static_shared_bytes);
  if (launch.shared > static_cast<std::size_t>(shared_limit)) [[unlikely]] {
    refuse(variant, "bytes of dynamic shared memory:", static_cast<std::int64_t>(launch.shared), shared_limit,
           " Static shared memory, of which it has " + std::to_string(variant.compilation->static_shared_bytes) + " bytes, counts too.");
  }
  geometry.shared_bytes = static_cast<std::uint32_t>(launch.shared);
  return geometry;
}

void launch_variant(const Variant& variant, const Launch& configuration, const void* const* arguments) {
  const Geometry geometry = check_geometry(variant, configuration);
  if (geometry.grid[0] == 0 || geometry.grid[1] == 0 || geometry.grid[2] == 0) return;
  variant.device->launch(*variant.executable, geometry, arguments);
}

}  // namespace

void launch(const KernelCall& call, const Launch& configuration, const Signature& signature, const void* const* arguments) {
  launch_variant(find_variant(call, signature, current_device()), configuration, arguments);
}

void launch_over(const KernelCall& call, std::int64_t count, const Signature& signature, const void* const* arguments) {
  const Variant& variant = find_variant(call, signature, current_device());
  if (count < 0)
    throw LaunchError("kernel " + variant.compilation->entry + " was launched over " + std::to_string(count) + " threads; 0 is the least.");
  const std::int64_t block = variant.device->preferred_block(*variant.executable);
  launch_variant(variant, {.grid = count / block + (count % block != 0), .block = block}, arguments);
}

std::shared_ptr<const Compilation> inspect(const KernelCall& call, const Signature& signature, const Architecture* architecture) {
  cuttle_target target{};
  if (architecture) {
    target = target_of(*architecture);
  } else {
    target = current_device().target();
    if (target.backend == CUTTLE_BACKEND_CPU) {
      // People ask for ptx() on machines without a GPU; what the CPU runs is inspect(Architecture::cpu(), ...).
      target.backend = CUTTLE_BACKEND_PTX;
      target.sm = 90;
    }
  }
  return compile_to_read(call, signature, target);
}

}  // namespace detail

const std::string& CompiledKernel::source() const { return compilation_->source; }
const std::string& CompiledKernel::signature() const { return compilation_->signature; }
const std::string& CompiledKernel::llvm_ir() const { return compilation_->llvm_ir; }
const std::string& CompiledKernel::ptx() const { return compilation_->code; }
const std::string& CompiledKernel::entry() const { return compilation_->entry; }
std::size_t CompiledKernel::static_shared_bytes() const { return compilation_->static_shared_bytes; }

}  // namespace cuttle
