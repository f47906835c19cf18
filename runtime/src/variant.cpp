#include "variant.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <tuple>

#include "codegen/stopwatch.h"
#include "error_text.h"
#include "events.h"
#include "fork_gate.h"

namespace cuttle::detail {
namespace {

// Executables of this process: one for each compilation and device, loaded once however many threads ask. Kernels at several places that share a
// compilation have one each, so that messages name the place.
const Executable& load_once(const Compilation& compilation, const std::string& place, DeviceState& device) {
  struct Slot {
    std::once_flag once;
    std::unique_ptr<const Executable> executable;
  };
  static std::mutex mutex;
  static auto* slots = new std::map<std::tuple<std::string, std::string, DeviceState*>, Slot>;
  Slot* slot = nullptr;
  {
    const std::lock_guard lock(mutex);
    slot = &(*slots)[{compilation.key, place, &device}];
  }
  std::call_once(slot->once, [&] {  // an exception leaves the flag unset: the next call tries again
    codegen::Stopwatch watch;
    slot->executable = device.load(compilation, compilation.entry + " at " + place + " " + compilation.signature);
    record(Event::loaded, compilation.entry, compilation.signature, {.load = watch.lap()});
  });
  return *slot->executable;
}

// The constants among the arguments, one after the other.
std::unique_ptr<unsigned char[]> constants_of(const Signature& signature, const void* const* arguments) {
  auto constants = std::make_unique<unsigned char[]>(signature.constant_bytes);
  unsigned char* end = constants.get();
  for (std::size_t i = 0; i < signature.count; ++i) {
    const TypeInfo& type = *signature.parameters[i];
    if (type.constant_of) end = std::copy_n(static_cast<const unsigned char*>(arguments[i]), type.size, end);
  }
  return constants;
}

// A kernel whose calls differ in more facts than this gets code that assumes none: the next compilation would cost more than it gives.
constexpr int most_sets_of_facts = 4;

// The code for a call of facts that there is no variant for: what was compiled from types alone, where that was done, or new code.
std::shared_ptr<const Compilation> compilation_for(const KernelCall& call, const Signature& signature, DeviceState& device) {
  int sets_of_facts = 0;
  for (const Variant* v = call.kernel.site->variants.load(std::memory_order_acquire); v; v = v->next) {
    if (!v->is_for_other_facts(call, signature, device)) continue;
    if (v->compilation->target.facts == 0) return v->compilation;
    ++sets_of_facts;
  }
  if (sets_of_facts < most_sets_of_facts) return compile(call, signature, device);
  KernelCall any = call;
  any.facts = 0;
  return compile(any, signature, device);
}

const Variant& add_variant(const KernelCall& call, const Signature& signature, DeviceState& device) {
  const ForkGate gate;
  auto compilation = compilation_for(call, signature, device);
  const Executable& executable = load_once(*compilation, place_in_source(call.kernel.text), device);
  const KernelHandle& kernel = call.kernel;
  auto captures = std::make_unique<unsigned char[]>(kernel.capture_types->size);
  std::copy_n(call.captures, kernel.capture_types->size, captures.get());
  const std::int64_t bound = call.options.launch_bounds.max_threads;
  const std::int64_t max_threads = bound ? std::min(bound, device.limits().threads) : device.limits().threads;
  auto* variant = new Variant{.next = nullptr,
                              .text = kernel.text.text,
                              .unit = kernel.text.unit,
                              .signature = &signature,
                              .device = &device,
                              .capture_types = kernel.capture_types,
                              .captures = std::move(captures),
                              .constants = constants_of(signature, call.arguments),
                              .options = call.options,
                              .facts = call.facts & device.useful_facts(),
                              .compilation = std::move(compilation),
                              .executable = &executable,
                              .max_threads = max_threads};
  variant->next = kernel.site->variants.load(std::memory_order_acquire);
  while (!kernel.site->variants.compare_exchange_weak(variant->next, variant, std::memory_order_release, std::memory_order_acquire)) {
  }
  return *variant;
}

}  // namespace

const Variant& find_variant(const KernelCall& call, const Signature& signature, DeviceState& device) {
  for (const Variant* v = call.kernel.site->variants.load(std::memory_order_acquire); v; v = v->next) {
    if (v->is_for(call, signature, device)) [[likely]]
      return *v;
  }
  return add_variant(call, signature, device);
}

}  // namespace cuttle::detail
