#include "codegen/ptx.h"

#include "codegen/check.h"
#include "codegen/dynamic_shared.h"
#include "codegen/libdevice.h"
#include "codegen/loop_hints.h"
#include "codegen/machines.h"
#include "codegen/optimise.h"
#include "codegen/pass_gate.h"
#include "codegen/printf_formats.h"
#include "codegen/redux.h"
#include "codegen/stopwatch.h"
#include "codegen/tune.h"
#include "codegen/versions.h"

namespace cuttle::codegen {
namespace {

std::unique_ptr<llvm::TargetMachine> make_machine(const llvm::Module& module, const cuttle_target& target) {
  std::string error;
  const llvm::Target* nvptx = llvm::TargetRegistry::lookupTarget(module.getTargetTriple(), error);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = target.contract ? llvm::FPOpFusion::Fast : llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(nvptx->createTargetMachine(module.getTargetTriple(), sm_name(target), ptx_feature(target), options,
                                                                         llvm::Reloc::Static, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

// What a kernel reaches through its calls.
void collect_reachable(const llvm::Function& function, llvm::SmallPtrSetImpl<const llvm::Function*>& reached) {
  if (!reached.insert(&function).second) return;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (const llvm::Function* callee = call ? call->getCalledFunction() : nullptr) collect_reachable(*callee, reached);
  }
}

bool is_used_in(const llvm::Value& value, const llvm::SmallPtrSetImpl<const llvm::Function*>& functions) {
  return llvm::any_of(value.users(), [&](const llvm::User* user) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
    return instruction ? functions.contains(instruction->getFunction()) : is_used_in(*user, functions);
  });
}

std::size_t static_shared_bytes(const llvm::Module& module, const llvm::Function& entry) {
  constexpr unsigned shared_address_space = 3;
  llvm::SmallPtrSet<const llvm::Function*, 8> reached;
  collect_reachable(entry, reached);
  std::size_t bytes = 0;
  for (const llvm::GlobalVariable& global : module.globals()) {
    if (global.getAddressSpace() != shared_address_space || global.isDeclaration() || !is_used_in(global, reached)) continue;
    bytes = llvm::alignTo(bytes, global.getAlign().valueOrOne()) + module.getDataLayout().getTypeAllocSize(global.getValueType());
  }
  return bytes;
}

void set_launch_bounds(llvm::Function& entry, const cuttle_target& target) {
  if (target.max_threads) entry.addFnAttr("nvvm.maxntid", std::to_string(target.max_threads));
  if (target.min_blocks) entry.addFnAttr("nvvm.minctasm", std::to_string(target.min_blocks));
  if (target.max_registers) entry.addFnAttr("nvvm.maxnreg", std::to_string(target.max_registers));
}

// Everything into the kernels, but for what checks call and for what ends the launch.
void inline_all(llvm::Module& module, llvm::TargetMachine& machine, llvm::ArrayRef<llvm::Function*> entries) {
  for (llvm::Function& function : module) {
    const bool ends_launch = function.hasFnAttribute(llvm::Attribute::Cold) && function.doesNotReturn();
    if (function.isDeclaration() || llvm::is_contained(entries, &function) || is_view_check(function) || ends_launch) continue;
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
  PassContext passes(machine, {});
  llvm::ModulePassManager pipeline;
  pipeline.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
  pipeline.addPass(llvm::GlobalDCEPass());
  pipeline.run(module, passes.modules);
}

// dynamic_shared needs a kernel's own code around it.
std::optional<std::string> lower_dynamic_shared(llvm::Module& module, llvm::TargetMachine& machine, llvm::ArrayRef<llvm::Function*> entries,
                                                std::vector<std::size_t>& least) {
  if (!uses_dynamic_shared(module)) return std::nullopt;
  inline_all(module, machine, entries);
  PassContext passes(machine, {});
  llvm::ModulePassManager pipeline;
  for (std::size_t i = 0; i < entries.size(); ++i) pipeline.addPass(DynamicSharedPass(*entries[i], least[i]));
  pipeline.addPass(llvm::GlobalDCEPass());
  pipeline.run(module, passes.modules);
  if (!uses_dynamic_shared(module)) return std::nullopt;
  return "dynamic_shared<T>(count) stands in a function that calls itself or is called through a pointer. Call it from the kernel and pass the "
         "pointer on.";
}

// A function of up to this many instructions, with all that it calls, is inlined before anything is optimised.
constexpr std::size_t small_function = 30;

// Instructions of `function` and of all that it calls, each call counted; more than `small_function` where that is so, or where it calls itself.
std::size_t inlined_size(const llvm::Function& function, llvm::DenseMap<const llvm::Function*, std::size_t>& sizes) {
  constexpr std::size_t large = small_function + 1;
  const auto [known, is_new] = sizes.try_emplace(&function, large);
  if (!is_new) return known->second;
  std::size_t size = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    size += callee && !callee->isDeclaration() ? inlined_size(*callee, sizes) : 1;
    if (size > small_function) return large;
  }
  return sizes[&function] = size;
}

// Only a call uses it: LLVM inlines such a function of any size, but simplifies it by itself before: a kernel's own body among them, and most of
// what a kernel has from libdevice. A register-tiled SGEMM spent a sixth of its compilation on that, a kernel with a sine a fifth.
bool is_called_once(const llvm::Function& function) {
  const auto* call = function.hasOneUse() ? llvm::dyn_cast<llvm::CallBase>(function.user_back()) : nullptr;
  return call && call->getCalledFunction() == &function;
}

// LLVM would simplify each operator of a view by itself before it inlines it: a third of the optimiser's work on a small kernel.
void inline_small_functions(llvm::Module& module, PassContext& passes) {
  llvm::DenseMap<const llvm::Function*, std::size_t> sizes;
  // A __restrict__ is lost with the parameter that has it: HoistRestrict (tune_addresses.h), in the pipeline, is to see it first.
  const auto is_restrict = [](const llvm::Argument& argument) { return argument.hasNoAliasAttr() && !argument.hasStructRetAttr(); };
  for (llvm::Function& function : module) {
    if (!function.hasInternalLinkage() || function.isDeclaration() || function.hasFnAttribute(llvm::Attribute::NoInline)) continue;
    if (llvm::any_of(function.args(), is_restrict)) continue;
    if (is_called_once(function) || inlined_size(function, sizes) <= small_function) function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
  llvm::ModulePassManager pipeline;
  pipeline.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/true));  // without lifetimes, local arrays would not share their stack
  pipeline.addPass(llvm::GlobalDCEPass());
  pipeline.run(module, passes.modules);
}

void optimise(llvm::Module& module, llvm::TargetMachine& machine, const LoweringRequest& request) {
  llvm::PipelineTuningOptions tuning;
  // Both vectorisers leave the PTX of 63 kernels as it was and cost time (shared/codegen_tuning.md).
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  // Loop-invariant code motion compares all accesses of a loop in pairs where it looks for ones to keep in registers. Half of a register-tiled
  // SGEMM's optimisation went there, for nothing: with 32 in place of 250 the PTX of 82 kernels is the same.
  tuning.LicmMssaNoAccForPromotionCap = 32;
  PassContext passes(machine, tuning);
  inline_small_functions(module, passes);
  add_tuning_passes(passes.builder, request.target.facts, request.views);
  passes.builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, passes.modules);
}

}  // namespace

Lowered lower_to_ptx(llvm::Module& module, const LoweringRequest& request, cuttle_stage_times& times) {
  const cuttle_target& target = request.target;
  Lowered result;
  Stopwatch watch;

  apply_unroll_marks(module);
  use_redux(module, target);
  LibdeviceResult libdevice = link_libdevice(module, request);
  if (libdevice.error) {
    result.user_error = std::move(*libdevice.error);
    return result;
  }
  result.uses_libdevice = libdevice.is_used;
  internalize(module, request);
  llvm::SmallVector<llvm::Function*> entries;
  for (const EntryPoint& entry : request.entries) entries.push_back(module.getFunction(entry.name));
  for (llvm::Function* entry : entries) set_launch_bounds(*entry, target);
  module.setModuleFlag(llvm::Module::Override, "nvvm-reflect-ftz", target.flush_denormals || target.fast_math ? 1u : 0u);
  rewrite_printf_formats(module);
  tune_before_optimising(module);
  times.link = watch.lap();

  Machine machine("ptx " + sm_name(target) + ptx_feature(target) + (target.contract ? " contract" : ""),
                  [&] { return make_machine(module, target); });
  if (target.check) {
    inline_all(module, *machine, entries);
    place_view_checks(module);
  }
  result.least_shared_bytes.resize(entries.size());
  if (auto error = lower_dynamic_shared(module, *machine, entries, result.least_shared_bytes)) {
    result.user_error = std::move(*error);
    return result;
  }
  optimise(module, *machine, request);
  if (auto broken = verify(module)) {
    result.internal_error = "LLVM's optimiser made invalid code: " + *broken;
    return result;
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    result.static_shared_bytes.push_back(static_shared_bytes(module, *entries[i]));
    result.least_shared_bytes[i] = std::max(result.least_shared_bytes[i], least_dynamic_shared(*entries[i]));
  }
  if (request.want_llvm_ir) result.llvm_ir = print(module);
  times.optimise = watch.lap();

  leave_out_quadratic_passes(module);
  result.code = emit(module, *machine, llvm::CodeGenFileType::AssemblyFile);
  // The calls that stay calls are numbered over the machine's whole life, and PTX shows the numbers: the next kernel's are to begin with 0.
  if (result.code.find("callseq") == std::string::npos) std::move(machine).keep();
  times.lower = watch.lap();
  return result;
}

}  // namespace cuttle::codegen
