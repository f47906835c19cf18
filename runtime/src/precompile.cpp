#include "cuttle/precompile.hpp"

#include <chrono>
#include <exception>
#include <future>
#include <mutex>

#include <tbb/parallel_for.h>

#include "cuttle/device.hpp"
#include "cuttle/error.hpp"

namespace cuttle {

CompiledKernel Specialization::compile() const { return CompiledKernel::compile(kernel_.call(), *signature_, nullptr); }

CompiledKernel Specialization::compile(Architecture architecture) const {
  return CompiledKernel::compile(kernel_.call(), *signature_, &architecture);
}

void detail::precompile(std::span<const Specialization> kernels, std::span<const Architecture> architectures, ProgressFunction progress,
                        void* context) {
  const std::size_t targets = architectures.empty() ? 1 : architectures.size();
  const std::size_t total = kernels.size() * targets;
  const Device device = Device::current();
  std::mutex mutex;
  std::size_t done = 0;
  std::exception_ptr first_error;
  tbb::parallel_for(std::size_t{0}, total, [&](std::size_t i) {
    std::exception_ptr error;
    try {
      const Use use(device);
      const Specialization& kernel = kernels[i / targets];
      architectures.empty() ? kernel.compile() : kernel.compile(architectures[i % targets]);
    } catch (const Error&) {
      error = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    if (!first_error) first_error = error;
    progress(context, ++done, total);
  });
  if (first_error) std::rethrow_exception(first_error);
}

struct PendingKernel::State {
  std::shared_future<CompiledKernel> kernel;
};

PendingKernel::PendingKernel(std::unique_ptr<State> state) : state_(std::move(state)) {}
PendingKernel::PendingKernel(PendingKernel&&) noexcept = default;
PendingKernel& PendingKernel::operator=(PendingKernel&&) noexcept = default;
PendingKernel::~PendingKernel() = default;

bool PendingKernel::ready() const { return state_->kernel.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }

CompiledKernel PendingKernel::get() const { return state_->kernel.get(); }

PendingKernel compile_async(const Specialization& kernel) {
  auto compilation = std::async(std::launch::async, [kernel, device = Device::current()] {
    const Use use(device);
    return kernel.compile();
  });
  return PendingKernel(std::make_unique<PendingKernel::State>(PendingKernel::State{compilation.share()}));
}

}  // namespace cuttle
