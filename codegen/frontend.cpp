#include "codegen/frontend.h"

#include <clang/Basic/DiagnosticSema.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Sema/MultiplexExternalSemaSource.h>
#include <clang/Serialization/InMemoryModuleCache.h>
#include <clang/Serialization/ModuleCache.h>

#include <map>
#include <mutex>

#include "codegen/guard.h"
#include "codegen/host_cpu.h"
#include "codegen/prelude_pch.h"
#include "codegen/restrictions.h"
#include "codegen/versions.h"

namespace cuttle::codegen {
namespace {

constexpr const char* unit_path = "/cuttle/kernel.cu";
constexpr const char* pch_path = "/cuttle/prelude.pch";

// The flags that the PCH was made with, from cc1_flags.txt: a PCH is only right under its own flags, -O level included.
constexpr const char* shared_flags[] = {
#include "cc1_flags.inc"
};

std::vector<std::string> cc1_arguments(const cuttle_target& target) {
  std::vector<std::string> arguments(std::begin(shared_flags), std::end(shared_flags));
  const auto add = [&](std::initializer_list<std::string> more) { arguments.insert(arguments.end(), more); };
  if (target.backend == CUTTLE_BACKEND_PTX) {
    add({"-triple", "nvptx64-nvidia-cuda", "-target-cpu", sm_name(target), "-target-feature", ptx_feature(target)});
  } else {
    add({"-triple", host_triple(), "-target-cpu", host_cpu().name, "-mprefer-vector-width=512"});
    add({"-fno-strict-float-cast-overflow"});  // what does not fit an integer is defined, as it is on a GPU (gpu_results.h)
    for (const std::string& feature : host_cpu().features) add({"-target-feature", feature});
  }
  if (!target.contract) add({"-ffp-contract=off"});
  if (target.flush_denormals || target.fast_math) add({"-fdenormal-fp-math-f32=preserve-sign,preserve-sign"});
  // What nvcc's --use_fast_math does: approximate division, square root and functions; infinities and NaNs stay what they are.
  if (target.fast_math) add({"-fapprox-func"});
  if (target.line_info) {
    // Lines alone for a GPU, as nvcc -lineinfo, and for checks; for a debugger on the CPU device variables too. The prelude's files stand under a
    // name that is the same wherever cuttle was built.
    const bool is_for_debugger = target.backend == CUTTLE_BACKEND_CPU && !target.check;
    add({is_for_debugger ? "-debug-info-kind=limited" : "-debug-info-kind=line-directives-only", "-gno-column-info",
         "-fdebug-prefix-map=" CUTTLE_PRELUDE_ROOT "=cuttle"});
    if (is_for_debugger) add({"-dwarf-version=4", "-debugger-tuning=gdb"});
  }
  add({"-discard-value-names", "-undef", "-fno-validate-pch", "-ferror-limit", "12", "-disable-pragma-debug-crash", "-Wno-stack-exhausted",
       "-Wno-vla-cxx-extension", "-ftemplate-backtrace-limit=4", "-ftemplate-depth=512", "-fconstexpr-steps=2000000", "-fbracket-depth", "256",
       "-fexperimental-max-bitint-width=1024", unit_path});
  return arguments;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> make_file_system(const std::string& source) {
  // Nothing of the machine's own files is visible to a kernel: the same text gives the same code everywhere.
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  files->addFile(unit_path, 0, llvm::MemoryBuffer::getMemBuffer(source, unit_path));
  files->addFile(pch_path, 0, llvm::MemoryBuffer::getMemBuffer("", pch_path));  // its name alone: see provide_prelude
  return files;
}

// The PCH's bytes, where Clang looks before it reads the file: a file system in memory hashes all that it holds.
void provide_prelude(clang::CompilerInstance& compiler, uint32_t backend) {
  const std::string_view pch = prelude_pch(backend);
  compiler.getModuleCache().getInMemoryModuleCache().addPCM(
      pch_path, llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(pch.data(), pch.size()), pch_path, /*RequiresNullTerminator=*/false));
}

// What Clang makes of the arguments of a target: the same for every kernel.
std::shared_ptr<clang::CompilerInvocation> make_invocation(const cuttle_target& target, clang::DiagnosticsEngine& engine) {
  static std::mutex mutex;
  static auto* known = new std::map<std::vector<std::string>, clang::CompilerInvocation>;
  const std::vector<std::string> arguments = cc1_arguments(target);
  const std::lock_guard lock(mutex);
  auto found = known->find(arguments);
  if (found == known->end()) {
    std::vector<const char*> pointers;
    for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
    clang::CompilerInvocation invocation;
    if (!clang::CompilerInvocation::CreateFromArgs(invocation, pointers, engine)) {
      throw std::logic_error("Clang refuses the arguments that cuttle gives it");
    }
    // The host's type layouts, as -aux-triple would give them, without the names of its 2,500 builtins, which no kernel can use.
    invocation.getTargetOpts().HostTriple = host_triple();
    found = known->emplace(arguments, std::move(invocation)).first;
  }
  return std::make_shared<clang::CompilerInvocation>(found->second);
}

// Ends a compilation whose templates never would: `f<N>` that needs two of `f<N - 1>` stays under every depth limit.
class InstantiationLimit final : public clang::TemplateInstantiationCallback {
 public:
  void initialize(const clang::Sema&) override {}
  void finalize(const clang::Sema&) override {}
  void atTemplateBegin(const clang::Sema& sema, const clang::Sema::CodeSynthesisContext& where) override {
    if (++count_ != max_instantiations) return;
    clang::DiagnosticsEngine& engine = sema.getDiagnostics();
    const unsigned id = engine.getCustomDiagID(clang::DiagnosticsEngine::Fatal,
                                               "the kernel instantiates more than %0 templates: is there a recursion that does not end?");
    engine.Report(where.PointOfInstantiation, id) << max_instantiations;
    // Clang goes on after a fatal error, silently: at depth 0 every further instantiation fails at once.
    const_cast<clang::LangOptions&>(sema.getLangOpts()).InstantiationDepth = 0;
  }
  void atTemplateEnd(const clang::Sema&, const clang::Sema::CodeSynthesisContext&) override {}

 private:
  unsigned count_ = 0;
};

// What Sema asks of the prelude, less a list that Clang reads whole at the end of every CUDA compilation: all functions of the prelude, whose
// deferred diagnostics it would emit. They have none, and functions that the kernel calls are visited from the kernel in any case. It takes
// the reader of the precompiled header in when that registers itself.
class PreludeSource final : public clang::MultiplexExternalSemaSource {
 public:
  PreludeSource()
      : MultiplexExternalSemaSource(llvm::makeIntrusiveRefCnt<clang::ExternalSemaSource>(), llvm::makeIntrusiveRefCnt<clang::ExternalSemaSource>()) {}
  void ReadDeclsToCheckForDeferredDiags(llvm::SmallSetVector<clang::Decl*, 4>&) override {}
};

// Clang's CodeGenAction less its back end, which makes a target machine and a pass pipeline even where it is to emit nothing.
class EmitAction final : public clang::ASTFrontendAction {
 public:
  EmitAction(llvm::LLVMContext& context, std::string kernel, DiagnosticCollector& diagnostics)
      : context_(context), kernel_(std::move(kernel)), diagnostics_(diagnostics) {}

  [[nodiscard]] std::unique_ptr<llvm::Module> take_module() { return std::move(module_); }

 private:
  // Said here and not by -include-pch: Clang would first read the name of the PCH's source, for a directive that it then drops.
  bool BeginSourceFileAction(clang::CompilerInstance& compiler) override {
    compiler.getPreprocessorOpts().ImplicitPCHInclude = pch_path;
    return true;
  }

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef file) override {
    context_.setDiscardValueNames(compiler.getCodeGenOpts().DiscardValueNames);
    auto generator = clang::CreateLLVMCodeGen(compiler, file, context_);
    generator_ = generator.get();
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;  // at the end of the unit in this order
    consumers.push_back(check_restrictions(kernel_, diagnostics_));
    consumers.push_back(std::move(generator));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

  void ExecuteAction() override {
    clang::CompilerInstance& compiler = getCompilerInstance();
    compiler.createSema(getTranslationUnitKind(), nullptr);
    compiler.getSema().addExternalSource(llvm::makeIntrusiveRefCnt<PreludeSource>());
    compiler.getSema().TemplateInstCallbacks.push_back(std::make_unique<InstantiationLimit>());
    clang::ASTFrontendAction::ExecuteAction();
  }

  void EndSourceFileAction() override { module_ = generator_->ReleaseModule(); }

  llvm::LLVMContext& context_;
  std::string kernel_;
  DiagnosticCollector& diagnostics_;
  clang::CodeGenerator* generator_ = nullptr;  // the compiler instance owns it
  std::unique_ptr<llvm::Module> module_;
};

}  // namespace

std::unique_ptr<llvm::Module> parse(const Unit& unit, const cuttle_target& target, llvm::LLVMContext& context, DiagnosticCollector& diagnostics) {
  const auto files = make_file_system(unit.source);
  clang::DiagnosticOptions options;
  const auto engine = clang::CompilerInstance::createDiagnostics(*files, options, &diagnostics, /*ShouldOwnClient=*/false);
  clang::CompilerInstance compiler(make_invocation(target, *engine));
  compiler.setVirtualFileSystem(files);
  compiler.setDiagnostics(engine);
  compiler.setVerboseOutputStream(llvm::nulls());  // "1 error generated": not on the user's terminal
  provide_prelude(compiler, target.backend);
  EmitAction action(context, unit.kernel_function, diagnostics);
  if (!compiler.ExecuteAction(action)) return nullptr;
  return action.take_module();
}

}  // namespace cuttle::codegen
