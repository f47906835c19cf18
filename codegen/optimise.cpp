#include "codegen/optimise.h"

#include "dsl/device/failed_assert.h"

namespace cuttle::codegen {

PassContext::PassContext(llvm::TargetMachine& machine, const llvm::PipelineTuningOptions& tuning, std::optional<llvm::TargetLibraryInfoImpl> library)
    : builder(&machine, tuning) {
  if (library) functions.registerPass([=] { return llvm::TargetLibraryAnalysis(*library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(call_graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, call_graph, modules);
}

void internalize(llvm::Module& module, const LoweringRequest& request) {
  for (llvm::Function& function : module) {
    const bool is_entry = llvm::any_of(request.entries, [&](const EntryPoint& entry) { return entry.name == function.getName(); });
    if (function.isDeclaration() || is_entry) continue;
    function.setComdat(nullptr);
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  for (llvm::GlobalVariable& global : module.globals()) {
    if (global.isDeclaration()) continue;
    const bool host_writes = global.getName() == detail::AssertHost::variable;
    global.setComdat(nullptr);
    global.setLinkage(host_writes ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::InternalLinkage);
  }
  for (const std::string& name : request.variables) {
    llvm::GlobalVariable* variable = module.getGlobalVariable(name, /*AllowInternal=*/true);
    if (!variable || variable->isDeclaration()) continue;
    variable->setLinkage(llvm::GlobalValue::ExternalLinkage);
    variable->setExternallyInitialized(true);
  }
}

void keep_roundings(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (llvm::isa<llvm::FPTruncInst>(instruction)) instruction.setHasAllowContract(false);
    }
  }
}

std::optional<std::string> verify(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (!llvm::verifyModule(module, &out)) return std::nullopt;
  return text;
}

std::string print(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out, nullptr);
  return text;
}

std::string emit(llvm::Module& module, llvm::TargetMachine& machine, llvm::CodeGenFileType type) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream out(bytes);
  llvm::legacy::PassManager passes;
  machine.addPassesToEmitFile(passes, out, nullptr, type);
  passes.run(module);
  return {bytes.data(), bytes.size()};
}

}  // namespace cuttle::codegen
