#include "codegen/frontend.h"

#include <clang/Basic/DiagnosticSema.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Lex/HeaderSearchOptions.h>
#include <clang/Sema/MultiplexExternalSemaSource.h>
#include <clang/Serialization/InMemoryModuleCache.h>
#include <clang/Serialization/ModuleCache.h>

#include <map>
#include <mutex>

#include "codegen/guard.h"
#include "codegen/host_cpu.h"
#include "codegen/prelude_pch.h"
#include "codegen/restrictions.h"
#include "codegen/text_view.h"
#include "codegen/versions.h"
#include "dsl/text/known_headers.h"

namespace cuttle::codegen {
namespace {

constexpr const char* unit_path = "/cuttle/kernel.cu";
constexpr const char* pch_path = "/cuttle/prelude.pch";
constexpr const char* known_headers_path = "/cuttle/include";

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

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> make_file_system(const ParseInput& input) {
  // Nothing of the machine's own files is visible to a kernel: the same text gives the same code everywhere.
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  files->addFile(unit_path, 0, llvm::MemoryBuffer::getMemBuffer(input.source, unit_path));
  files->addFile(pch_path, 0, llvm::MemoryBuffer::getMemBuffer("", pch_path));  // its name alone: see provide_prelude
  const auto add_header = [&](const std::string& path, std::string_view text) {
    files->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text, path));
  };
  if (input.has_headers) {
    for (const text::KnownHeader& header : text::known_headers()) add_header(known_headers_path + ("/" + std::string(header.name)), header.text);
  }
  for (const cuttle_header& header : input.headers) add_header(std::string(view_of(header.path)), view_of(header.text));
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

// Where an input's headers are looked for, in this order.
void add_folders(clang::CompilerInvocation& invocation, const ParseInput& input) {
  const auto add = [&](std::string_view folder) {
    invocation.getHeaderSearchOpts().AddPath(llvm::StringRef(folder), clang::frontend::Angled, /*IsFramework=*/false, /*IgnoreSysRoot=*/true);
  };
  if (input.has_headers) add(known_headers_path);
  for (const cuttle_text folder : input.folders) add(view_of(folder));
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

// Ends a text that macros multiply: after so many tokens every further one is the file's end.
void end_after(clang::CompilerInstance& compiler, std::size_t most) {
  compiler.getPreprocessor().setTokenWatcher([&engine = compiler.getDiagnostics(), most, count = std::size_t{0}](const clang::Token& token) mutable {
    if (++count <= most) return;
    if (count == most + 1) {
      const unsigned id = engine.getCustomDiagID(clang::DiagnosticsEngine::Fatal, "the module has more than %0 tokens once its macros are expanded");
      engine.Report(token.getLocation(), id) << static_cast<unsigned>(most);
    }
    const_cast<clang::Token&>(token).setKind(clang::tok::eof);
  });
}

// Clang's CodeGenAction less its back end, which makes a target machine and a pass pipeline even where it is to emit nothing.
class EmitAction final : public clang::ASTFrontendAction {
 public:
  EmitAction(llvm::LLVMContext& context, const ParseInput& input, DiagnosticCollector& diagnostics)
      : context_(context), input_(input), diagnostics_(diagnostics) {}

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
    if (!input_.kernel.empty())
      consumers.push_back(check_restrictions(std::string(input_.kernel), {input_.parameters, input_.captures}, diagnostics_));
    if (input_.observer) consumers.push_back(input_.observer(compiler.getDiagnostics()));
    consumers.push_back(std::move(generator));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

  void ExecuteAction() override {
    clang::CompilerInstance& compiler = getCompilerInstance();
    compiler.createSema(getTranslationUnitKind(), nullptr);
    compiler.getSema().addExternalSource(llvm::makeIntrusiveRefCnt<PreludeSource>());
    compiler.getSema().TemplateInstCallbacks.push_back(std::make_unique<InstantiationLimit>());
    if (input_.has_headers) end_after(compiler, max_expanded_tokens);
    clang::ASTFrontendAction::ExecuteAction();
  }

  void EndSourceFileAction() override { module_ = generator_->ReleaseModule(); }

  llvm::LLVMContext& context_;
  const ParseInput& input_;
  DiagnosticCollector& diagnostics_;
  clang::CodeGenerator* generator_ = nullptr;  // the compiler instance owns it
  std::unique_ptr<llvm::Module> module_;
};

}  // namespace

std::unique_ptr<llvm::Module> parse(const ParseInput& input, const cuttle_target& target, llvm::LLVMContext& context,
                                    DiagnosticCollector& diagnostics) {
  const auto files = make_file_system(input);
  clang::DiagnosticOptions options;
  const auto engine = clang::CompilerInstance::createDiagnostics(*files, options, &diagnostics, /*ShouldOwnClient=*/false);
  // CUDA sources count in volatile variables.
  engine->setSeverityForGroup(clang::diag::Flavor::WarningOrError, "deprecated-volatile", clang::diag::Severity::Ignored);
  const auto invocation = make_invocation(target, *engine);
  add_folders(*invocation, input);
  clang::CompilerInstance compiler(invocation);
  compiler.setVirtualFileSystem(files);
  compiler.setDiagnostics(engine);
  compiler.setVerboseOutputStream(llvm::nulls());  // "1 error generated": not on the user's terminal
  provide_prelude(compiler, target.backend);
  EmitAction action(context, input, diagnostics);
  if (!compiler.ExecuteAction(action)) return nullptr;
  return action.take_module();
}

}  // namespace cuttle::codegen
