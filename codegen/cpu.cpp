#include "codegen/cpu.h"

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "codegen/check.h"
#include "codegen/dynamic_shared.h"
#include "codegen/gpu_results.h"
#include "codegen/hoist_divisions.h"
#include "codegen/host_cpu.h"
#include "codegen/loop_hints.h"
#include "codegen/machines.h"
#include "codegen/optimise.h"
#include "codegen/pass_gate.h"
#include "codegen/simt.h"
#include "codegen/simt_regions.h"
#include "codegen/simt_thread.h"
#include "codegen/stopwatch.h"
#include "codegen/vector_math.h"

namespace cuttle::codegen {
namespace {

// What the code is made for. For a debugger each thread runs alone, statement by statement, and its variables are there to be seen.
enum class Purpose { speed, checks, debugger };

Purpose purpose_of(const cuttle_target& target) {
  if (target.check) return Purpose::checks;
  return target.line_info ? Purpose::debugger : Purpose::speed;
}

std::unique_ptr<llvm::TargetMachine> make_machine(const llvm::Module& module, llvm::CodeGenOptLevel level) {
  std::string error;
  const llvm::Target* x86 = llvm::TargetRegistry::lookupTarget(module.getTargetTriple(), error);
  llvm::TargetOptions options;
  // What may be fused is marked by Clang; the prelude's __fmul_rn and its kin are not.
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  return std::unique_ptr<llvm::TargetMachine>(x86->createTargetMachine(module.getTargetTriple(), host_cpu().name, host_cpu().feature_string, options,
                                                                       llvm::Reloc::PIC_, std::nullopt, level));
}

// Everything into the thread function, simplified enough that its shape shows. Returns the dynamic shared memory that every launch has to give.
std::size_t inline_into_thread(llvm::Module& module, llvm::TargetMachine& machine, llvm::Function& entry, llvm::Function& thread, Purpose purpose) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || &function == &entry) continue;
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.addFnAttr(&function == &thread ? llvm::Attribute::NoInline : llvm::Attribute::AlwaysInline);
  }
  PassContext passes(machine, {});
  llvm::FunctionPassManager simplify;
  if (purpose == Purpose::debugger) {
    simplify.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
    simplify.addPass(GpuResultsPass());
  } else {
    simplify.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    simplify.addPass(llvm::EarlyCSEPass(true));
    simplify.addPass(GpuResultsPass());
    simplify.addPass(llvm::InstCombinePass());
    simplify.addPass(llvm::SimplifyCFGPass());
    simplify.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  }
  llvm::ModulePassManager pipeline;
  pipeline.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
  pipeline.addPass(llvm::GlobalDCEPass());
  std::size_t least_shared_bytes = 0;
  pipeline.addPass(DynamicSharedPass(thread, least_shared_bytes, /*keep_needs=*/purpose == Purpose::checks));
  if (purpose == Purpose::checks) {
    pipeline.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::SROAPass(llvm::SROAOptions::PreserveCFG)));
    pipeline.addPass(CheckPass(thread));
  }
  pipeline.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(simplify)));
  pipeline.run(module, passes.modules);
  return std::max(least_shared_bytes, least_dynamic_shared(thread));
}

// Calls that the lowering made stand on no line of the kernel's; between functions with lines LLVM wants a place of each, be it line 0.
void place_calls(llvm::Module& module) {
  for (llvm::Function& function : module) {
    llvm::DISubprogram* scope = function.getSubprogram();
    if (!scope) continue;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (llvm::isa<llvm::CallBase>(instruction) && !instruction.getDebugLoc()) {
        instruction.setDebugLoc(llvm::DILocation::get(module.getContext(), 0, 0, scope));
      }
    }
  }
}

// Takes what the lowering made between two lines for the first of them: elsewhere a debugger would think that the kernel's function had been left.
void place_all(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (!function.getSubprogram()) continue;
    for (llvm::BasicBlock& block : function) {
      const auto first = llvm::find_if(block, [](const llvm::Instruction& instruction) { return static_cast<bool>(instruction.getDebugLoc()); });
      if (first == block.end()) continue;
      llvm::DebugLoc place = first->getDebugLoc();
      for (llvm::Instruction& instruction : block) {
        if (instruction.getDebugLoc()) place = instruction.getDebugLoc();
        instruction.setDebugLoc(place);
      }
    }
  }
}

// How much straight code a loop may become: sixteen times what LLVM allows for a scalar loop, since it becomes vector code.
constexpr unsigned max_unrolled_instructions = 4096;

// Loops of a few rounds become straight code before barriers and further loops split it: a thread's own arrays, which such loops index, then live in
// registers, and no round has to keep its values in memory. Loops that wait stay as they are: each barrier costs a copy of what follows it.
void unroll_short_loops(llvm::Function& thread, llvm::TargetMachine& machine) {
  PassContext passes(machine, {});
  const llvm::LoopInfo& loops = passes.functions.getResult<llvm::LoopAnalysis>(thread);
  if (loops.empty()) return;
  llvm::SmallPtrSet<llvm::Loop*, 8> waiting;
  for (const Wait& wait : waits_of(thread)) {
    for (llvm::Loop* loop = loops.getLoopFor(wait.call->getParent()); loop; loop = loop->getParentLoop()) waiting.insert(loop);
  }
  auto& evolution = passes.functions.getResult<llvm::ScalarEvolutionAnalysis>(thread);
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (waiting.contains(loop)) {
      loop->setLoopAlreadyUnrolled();
      continue;
    }
    std::size_t instructions = 0;
    for (const llvm::BasicBlock* block : loop->blocks()) instructions += block->size();
    const unsigned rounds = evolution.getSmallConstantTripCount(loop);
    if (rounds != 0 && rounds * instructions <= max_unrolled_instructions && loop->isInnermost()) {
      llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.full");
    }
  }
  llvm::LoopPassManager unroll;
  unroll.addPass(llvm::LoopRotatePass());
  unroll.addPass(llvm::IndVarSimplifyPass());
  unroll.addPass(llvm::LoopFullUnrollPass(3));
  llvm::FunctionPassManager pipeline;
  pipeline.addPass(llvm::LoopSimplifyPass());
  pipeline.addPass(llvm::LCSSAPass());
  pipeline.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(unroll)));
  pipeline.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  pipeline.addPass(llvm::EarlyCSEPass(true));
  pipeline.addPass(llvm::InstCombinePass());
  pipeline.addPass(llvm::SimplifyCFGPass());
  pipeline.run(thread, passes.functions);
}

// One kernel's block function: everything else of the module is made internal, and goes where it is not used.
SimtResult lower_kernel(llvm::Module& module, llvm::TargetMachine& machine, const EntryPoint& entry, const LoweringRequest& request) {
  internalize(module, {.target = request.target, .entries = {entry}, .variables = request.variables});
  llvm::Function& block = *module.getFunction(entry.name);
  llvm::Function& thread = *module.getFunction(entry.thread);
  if (request.entries.size() > 1) {
    PassContext passes(machine, {});
    llvm::GlobalDCEPass().run(module, passes.modules);  // the other kernels need not be inlined first
  }
  const Purpose purpose = purpose_of(request.target);
  const std::size_t least_shared_bytes = inline_into_thread(module, machine, block, thread, purpose);
  if (purpose != Purpose::debugger) unroll_short_loops(thread, machine);
  // A debugger is to follow one thread through its loops.
  SimtResult result = lower_simt(thread, request.target.check != 0, /*split_loops=*/purpose != Purpose::debugger);
  result.least_shared_bytes = least_shared_bytes;
  return result;
}

// Kernels of one module share its variables. Each is lowered in a copy, since the lowering takes a module for one kernel; the copies are joined,
// and the variables defined by the first of them.
SimtResult lower_others(llvm::Module& module, llvm::TargetMachine& machine, const LoweringRequest& request,
                        std::vector<std::unique_ptr<llvm::Module>> copies, Lowered& result) {
  for (std::size_t i = 0; i < copies.size(); ++i) {
    SimtResult simt = lower_kernel(*copies[i], machine, request.entries[i + 1], request);
    if (!simt.user_error.empty()) return simt;
    result.static_shared_bytes.push_back(simt.static_shared_bytes);
    result.least_shared_bytes.push_back(simt.least_shared_bytes);
    for (const std::string& name : request.variables) {
      if (llvm::GlobalVariable* variable = copies[i]->getGlobalVariable(name)) variable->setInitializer(nullptr);
    }
    if (llvm::Linker::linkModules(module, std::move(copies[i]))) result.internal_error = "the kernels of a module could not be joined";
  }
  return {};
}

// A variable that the host writes is none that LLVM may know the value of, and lies where it can be written and reached from the code directly.
void prepare_variables(llvm::Module& module, const LoweringRequest& request) {
  for (const std::string& name : request.variables) {
    llvm::GlobalVariable* variable = module.getGlobalVariable(name, /*AllowInternal=*/true);
    if (!variable) continue;
    variable->setConstant(false);
    variable->setLinkage(llvm::GlobalValue::ExternalLinkage);
    variable->setVisibility(llvm::GlobalValue::HiddenVisibility);
    variable->setDSOLocal(true);
  }
}

}  // namespace

Lowered lower_to_cpu(llvm::Module& module, const LoweringRequest& request, cuttle_stage_times& times) {
  Lowered result;
  Stopwatch watch;
  const bool for_debugger = purpose_of(request.target) == Purpose::debugger;
  Machine machine(for_debugger ? "cpu debugger" : "cpu",
                  [&] { return make_machine(module, for_debugger ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Aggressive); });
  apply_unroll_marks(module);
  for (const EntryPoint& entry : request.entries) localize_arguments(*module.getFunction(entry.thread));
  prepare_variables(module, request);
  std::vector<std::unique_ptr<llvm::Module>> copies;
  for (std::size_t i = 1; i < request.entries.size(); ++i) copies.push_back(llvm::CloneModule(module));
  if (!request.entries.empty()) {
    SimtResult simt = lower_kernel(module, *machine, request.entries[0], request);
    result.static_shared_bytes.push_back(simt.static_shared_bytes);
    result.least_shared_bytes.push_back(simt.least_shared_bytes);
    if (simt.user_error.empty()) simt = lower_others(module, *machine, request, std::move(copies), result);
    result.user_error = std::move(simt.user_error);
  }
  times.link = watch.lap();
  if (!result.user_error.empty() || !result.internal_error.empty()) return result;
  if (for_debugger) place_all(module);
  place_calls(module);
  if (auto broken = verify(module)) {
    result.internal_error = "the SIMT lowering made invalid code: " + *broken;
    return result;
  }

  PassContext passes(*machine, llvm::PipelineTuningOptions(), vector_math_library(module));
  passes.builder.registerVectorizerStartEPCallback(
      [](llvm::FunctionPassManager& starting, llvm::OptimizationLevel) { starting.addPass(HoistDivisionsPass()); });
  auto pipeline = for_debugger ? passes.builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0)
                               : passes.builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
  pipeline.run(module, passes.modules);
  call_vector_math(module);
  if (request.want_llvm_ir) result.llvm_ir = print(module);
  times.optimise = watch.lap();

  leave_out_strength_reduction(module);
  if (request.want_llvm_ir) result.code = emit(*llvm::CloneModule(module), *machine, llvm::CodeGenFileType::AssemblyFile);
  result.object = emit(module, *machine, llvm::CodeGenFileType::ObjectFile);
  std::move(machine).keep();
  times.lower = watch.lap();
  return result;
}

}  // namespace cuttle::codegen
