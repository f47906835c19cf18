// What can be looked at of a kernel's code.

#include <mutex>

#include "compilation.h"
#include "cuttle/error.hpp"
#include "cuttle/kernel.hpp"
#include "device_state.h"
#include "fork_gate.h"
#include "variant.h"

namespace cuttle {
namespace {

int threads_of(const Dim& block) {
  const std::int64_t threads = block.x * block.y * block.z;
  if (block.x < 1 || block.y < 1 || block.z < 1 || threads > 1024) {
    throw LaunchError("the occupancy of blocks of " + std::to_string(threads) + " threads was asked for; 1 to 1024 are possible.");
  }
  return static_cast<int>(threads);
}

}  // namespace

// The kernel on its device, loaded once however many copies of the CompiledKernel ask.
struct CompiledKernel::Loadable {
  std::shared_ptr<const detail::Compilation> compilation;
  detail::DeviceState* device;
  std::once_flag once;
  std::unique_ptr<const detail::Executable> executable;

  const detail::Executable& load() {
    if (!device || !device->is_cuda()) {
      throw Error("registers, local memory and occupancy are known once a GPU's driver has assembled a kernel: inspect() it with a GPU current.");
    }
    const detail::ForkGate gate;
    std::call_once(once, [this] {
      detail::Compilation assembled = *compilation;
      if (assembled.binary.empty()) assembled.binary = device->link(assembled);
      executable = device->load(assembled, assembled.entry + " " + assembled.signature);
    });
    return *executable;
  }
  detail::Resources resources() { return device->resources(load()); }
};

CompiledKernel::CompiledKernel(std::shared_ptr<const detail::Compilation> compilation, detail::DeviceState* device)
    : compilation_(std::move(compilation)), loadable_(new Loadable{compilation_, device, {}, nullptr}) {}

CompiledKernel CompiledKernel::inspect(const detail::KernelCall& call, const detail::Signature& signature, const Architecture* architecture) {
  detail::DeviceState* device = architecture ? nullptr : &detail::current_device();
  // People ask for ptx() on machines without a GPU; what the CPU runs is inspect(Architecture::cpu(), ...).
  const bool is_here = device && device->is_cuda();
  const cuttle_target target = is_here ? device->target() : detail::target_of(architecture ? *architecture : sm(90));
  return CompiledKernel(detail::compile_to_read(call, signature, target), device);
}

CompiledKernel CompiledKernel::compile(const detail::KernelCall& call, const detail::Signature& signature, const Architecture* architecture) {
  if (architecture) return CompiledKernel(detail::compile_ahead(call, signature, detail::target_of(*architecture)));
  detail::DeviceState& device = detail::current_device();
  return CompiledKernel(detail::find_variant(call, signature, device).compilation, &device);
}

const std::string& CompiledKernel::source() const { return compilation_->source; }
const std::string& CompiledKernel::signature() const { return compilation_->signature; }
const std::string& CompiledKernel::llvm_ir() const { return compilation_->llvm_ir; }
const std::string& CompiledKernel::ptx() const { return compilation_->code; }
const std::string& CompiledKernel::entry() const { return compilation_->entry; }
std::size_t CompiledKernel::static_shared_bytes() const { return compilation_->static_shared_bytes; }

int CompiledKernel::registers() const { return loadable_->resources().registers; }
std::size_t CompiledKernel::local_bytes() const { return loadable_->resources().local_bytes; }
int CompiledKernel::max_threads_per_block() const { return loadable_->resources().max_threads; }

int CompiledKernel::blocks_per_multiprocessor(const Dim& block, std::size_t dynamic_shared_bytes) const {
  const detail::Executable& executable = loadable_->load();
  return loadable_->device->blocks_per_multiprocessor(executable, threads_of(block), dynamic_shared_bytes);
}
double CompiledKernel::occupancy(const Dim& block, std::size_t dynamic_shared_bytes) const {
  const double threads = blocks_per_multiprocessor(block, dynamic_shared_bytes) * threads_of(block);
  return threads / loadable_->device->properties().max_threads_per_multiprocessor;
}

}  // namespace cuttle
