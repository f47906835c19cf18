#include "codegen/restrictions.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Lex/Lexer.h>

#include <vector>

#include "codegen/hints.h"
#include "codegen/local_variables.h"

namespace cuttle::codegen {
namespace {

constexpr std::uint64_t max_local_bytes = 512 * 1024;  // CUDA C++ programming guide, "maximum amount of local memory per thread"

constexpr const char* no_heap = "use a local array, shared memory (shared<T, n>()), or an Array that the host makes";

// The first `return value;` of a function, without those of lambdas inside.
class ReturnFinder : public clang::RecursiveASTVisitor<ReturnFinder> {
 public:
  bool VisitReturnStmt(clang::ReturnStmt* statement) {
    if (!statement->getRetValue()) return true;
    found = statement;
    return false;
  }
  bool TraverseLambdaExpr(clang::LambdaExpr*) { return true; }

  clang::ReturnStmt* found = nullptr;
};

class Checker : public clang::RecursiveASTVisitor<Checker> {
 public:
  Checker(clang::ASTContext& context, DiagnosticCollector& diagnostics)
      : engine_(context.getDiagnostics()), context_(context), diagnostics_(diagnostics) {}

  // Instantiated bodies are reached from calls: what nobody calls is not checked.
  void check_from(clang::FunctionDecl& entry) {
    reach(&entry);
    while (!to_visit_.empty()) {
      const clang::FunctionDecl* function = to_visit_.back();
      to_visit_.pop_back();
      if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function)) {
        for (const clang::CXXCtorInitializer* member : constructor->inits()) TraverseStmt(member->getInit());
      }
      TraverseStmt(function->getBody());
    }
    if (local_bytes_ > max_local_bytes) check_sizes(entry);
  }

  void check_file_scope(clang::Decl& declaration) {
    if (llvm::isa<clang::FileScopeAsmDecl>(declaration)) {
      report(declaration.getLocation(), "a kernel cannot have assembly outside of every function",
             "write it in the function that needs it: asm(...)");
    }
  }

  bool shouldVisitImplicitCode() const { return true; }  // what a range-for calls

  // ---- expressions
  bool VisitCXXThrowExpr(clang::CXXThrowExpr* e) {
    return report(e->getBeginLoc(), "a kernel cannot use 'throw': there are no exceptions on a device", no_exceptions_hint);
  }
  bool VisitCXXTryStmt(clang::CXXTryStmt* s) {
    return report(s->getBeginLoc(), "a kernel cannot use 'try': there are no exceptions on a device", no_exceptions_hint);
  }
  bool VisitCXXTypeidExpr(clang::CXXTypeidExpr* e) {
    return report(e->getBeginLoc(), "a kernel cannot use typeid: there is no run-time type information on a device", by_type_hint);
  }
  bool VisitCXXDynamicCastExpr(clang::CXXDynamicCastExpr* e) {
    return report(e->getBeginLoc(), "a kernel cannot use dynamic_cast: there is no run-time type information on a device", by_type_hint);
  }
  bool VisitCXXNewExpr(clang::CXXNewExpr* e) {
    if (e->getNumPlacementArgs() > 0) return true;
    return report(e->getBeginLoc(), "a kernel cannot use 'new': it has no heap", no_heap);
  }
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr* e) { return report(e->getBeginLoc(), "a kernel cannot use 'delete': it has no heap", no_heap); }
  // The operand of a literal operator (4.0i) is a long double by the language's rules, whatever was written.
  bool VisitFloatingLiteral(clang::FloatingLiteral* e) {
    llvm::SmallString<32> buffer;
    const llvm::StringRef spelling = clang::Lexer::getSpelling(e->getBeginLoc(), buffer, context_.getSourceManager(), context_.getLangOpts());
    return spelling.ends_with_insensitive("l") ? check_type(e->getBeginLoc(), e->getType()) : true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* e) {
    reach(e->getConstructor());
    return true;
  }
  // What `...` takes byte by byte is garbage where a number is printed.
  bool VisitCallExpr(clang::CallExpr* e) {
    const clang::FunctionDecl* function = e->getDirectCallee();
    if (!function || !function->isVariadic() || function->getNameAsString() != "printf") return true;
    for (const clang::Expr* argument : e->arguments()) {
      const clang::QualType type = argument->getType();
      if (!type->isRecordType()) continue;
      report(argument->getBeginLoc(), "printf cannot print a " + type.getUnqualifiedType().getAsString(context_.getPrintingPolicy()),
             "print an element, a member or, of a half, static_cast<float>(h)");
    }
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* e) {
    if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(e->getMemberDecl())) check_use(*function, e->getMemberLoc());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* e) {
    if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(e->getDecl())) {
      check_use(*function, e->getLocation());
    } else if (auto* variable = llvm::dyn_cast<clang::VarDecl>(e->getDecl())) {
      check_use(*variable, e->getLocation());
    }
    return true;
  }

  // ---- declarations in bodies
  bool VisitVarDecl(clang::VarDecl* variable) {
    if (is_prelude(*variable)) return true;
    check_type(variable->getLocation(), variable->getType());
    const auto* record = variable->getType()->getAsCXXRecordDecl();
    if (record && record->hasDefinition() && !record->hasTrivialDestructor()) reach(record->getDestructor());
    if (variable->getType()->isVariableArrayType()) {
      // Where Clang reports it for a GPU.
      const auto array = variable->getTypeSourceInfo()->getTypeLoc().getAs<clang::ArrayTypeLoc>();
      return report(array ? array.getLBracketLoc() : variable->getLocation(), "a kernel cannot have an array whose length is known only when it runs",
                    constant_length_hint);
    }
    if (variable->hasAttr<clang::CUDASharedAttr>()) return true;
    check_size(*variable);
    if (variable->getTLSKind() != clang::VarDecl::TLS_None) {
      return report(variable->getLocation(), "a kernel cannot have a thread_local variable", "a local variable is every thread's own already");
    }
    if (variable->isStaticLocal() && !is_constant(*variable)) {
      return report(variable->getLocation(), "a kernel cannot have a static variable that changes",
                    "make it static constexpr, or __shared__ for one in every block; what outlives the launch belongs in an Array");
    }
    return true;
  }

  // Bodies of lambdas and of local classes are reached by their calls.
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) {
    for (clang::Expr* initializer : lambda->capture_inits()) TraverseStmt(initializer);
    return true;
  }
  bool TraverseCXXRecordDecl(clang::CXXRecordDecl*) { return true; }

  // What is evaluated at compile time, or not at all, is not the device's.
  bool TraverseVarDecl(clang::VarDecl* variable) {
    return variable->isConstexpr() ? VisitVarDecl(variable) : RecursiveASTVisitor::TraverseVarDecl(variable);
  }
  bool TraverseConstantExpr(clang::ConstantExpr*) { return true; }
  bool TraverseUserDefinedLiteral(clang::UserDefinedLiteral* literal) {
    if (clang::FunctionDecl* function = literal->getDirectCallee()) check_use(*function, literal->getBeginLoc());
    return true;
  }
  bool TraverseStaticAssertDecl(clang::StaticAssertDecl*) { return true; }
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*) { return true; }
  bool TraverseTypeLoc(clang::TypeLoc, bool = true) { return true; }

 private:
  // Always true, for a visitor to go on.
  bool report(clang::SourceLocation where, const std::string& message, std::string hint) {
    const unsigned id = engine_.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0");
    engine_.Report(where, id) << message;
    diagnostics_.add_hint(std::move(hint));
    return true;
  }

  [[nodiscard]] static bool is_prelude(const clang::Decl& declaration) { return declaration.isFromASTFile(); }

  [[nodiscard]] bool is_constant(const clang::VarDecl& variable) const {
    if (variable.isConstexpr()) return true;
    return context_.getBaseElementType(variable.getType()).isConstQualified() && variable.hasInit() && variable.hasConstantInitialization();
  }

  bool check_type(clang::SourceLocation where, clang::QualType type) {
    const clang::Type* element = type->getBaseElementTypeUnsafe();
    if (!element->isSpecificBuiltinType(clang::BuiltinType::LongDouble)) return true;
    return report(where, "there is no long double on a device", "use double, and 1.0 in place of 1.0L");
  }

  // A GPU's driver would say so, of the kernel and not of the variable; a CPU's thread would overrun its stack.
  void check_size(const clang::VarDecl& variable) {
    const clang::QualType type = variable.getType();
    if (!variable.hasLocalStorage() || variable.isConstexpr() || type->isReferenceType() || type->isIncompleteType()) return;
    const std::uint64_t bytes = static_cast<std::uint64_t>(context_.getTypeSizeInChars(type).getQuantity());
    local_bytes_ += bytes;
    if (bytes > max_local_bytes) report_size(variable, variable.getNameAsString() + " has " + std::to_string(bytes) + " bytes");
  }

  // The same of variables that are small enough one by one. Not all that are seen exist at once.
  void check_sizes(const clang::FunctionDecl& entry) {
    const LocalVariables largest = most_at_once(entry);
    if (largest.bytes <= max_local_bytes || largest.variables.front().bytes > max_local_bytes) return;
    constexpr std::size_t most_names = 4;
    std::string names;
    for (std::size_t i = 0; i < largest.variables.size() && i < most_names; ++i) {
      const LocalVariable& variable = largest.variables[i];
      names += (i > 0 ? ", " : "") + variable.declaration->getNameAsString() + " (" + std::to_string(variable.bytes) + ")";
    }
    if (largest.variables.size() > most_names) names += " and " + std::to_string(largest.variables.size() - most_names) + " more";
    report_size(*largest.variables.front().declaration, names + " have " + std::to_string(largest.bytes) + " bytes together");
  }

  void report_size(const clang::VarDecl& variable, const std::string& what) {
    report(variable.getLocation(), what + "; all of a thread's local variables may have " + std::to_string(max_local_bytes),
           "pass an Array with a part for every thread, or share it among a block's threads: shared<T, n>()");
  }

  void reach(const clang::FunctionDecl* function) {
    // Functions of the prelude call nothing of the user's, except those that are instantiated for him; and to look closer would read them.
    if (!function || is_prelude(*function)) return;
    const clang::FunctionDecl* definition = nullptr;
    if (!function->hasBody(definition) || definition->isDependentContext() || !reached_.insert(definition).second) return;
    to_visit_.push_back(definition);
  }

  // What a function is that has no body here.
  void check_use(clang::FunctionDecl& function, clang::SourceLocation where) {
    reach(&function);
    if (is_prelude(function) || function.getBuiltinID() != 0) return;
    const std::string name = function.getNameAsString();
    if (function.hasAttr<clang::AliasAttr>() || function.hasAttr<clang::IFuncAttr>()) {
      report(function.getLocation(), "a kernel cannot use an alias of a function", "define the function itself in CUTTLE_DEVICE(...)");
    } else if (!function.isDefined() && !function.isPureVirtual() && !function.isImplicit() && !function.isDefaulted()) {
      report(where, "a kernel cannot call " + name + ", which is declared and not defined in device code",
             "put its definition in CUTTLE_DEVICE(...)");
    }
  }

  void check_use(clang::VarDecl& variable, clang::SourceLocation where) {
    if (is_prelude(variable)) return;
    if (variable.hasAttr<clang::AliasAttr>()) {
      report(variable.getLocation(), "a kernel cannot use an alias of a variable", "name the variable itself");
      return;
    }
    const bool is_global = variable.hasGlobalStorage() && !variable.isStaticLocal();
    const bool has_memory_space =
        variable.hasAttr<clang::CUDASharedAttr>() || variable.hasAttr<clang::CUDADeviceAttr>() || variable.hasAttr<clang::CUDAConstantAttr>();
    if (!is_global || has_memory_space) return;
    if (variable.getTLSKind() != clang::VarDecl::TLS_None) {
      report(where, "a kernel cannot have a thread_local variable", "a local variable is every thread's own already");
    } else if (!is_constant(variable)) {
      report(where, "a kernel cannot use " + variable.getNameAsString() + ", a variable of the host",
             "make it constexpr, pass its value as an argument, or give kernels an Array to write to");
    }
  }

  clang::DiagnosticsEngine& engine_;
  clang::ASTContext& context_;
  DiagnosticCollector& diagnostics_;
  llvm::DenseSet<const clang::FunctionDecl*> reached_;
  std::vector<const clang::FunctionDecl*> to_visit_;
  std::uint64_t local_bytes_ = 0;  // of all local variables in the code that is reached
};

class RestrictionConsumer final : public clang::ASTConsumer {
 public:
  RestrictionConsumer(std::string kernel, const HostTypes& host, DiagnosticCollector& diagnostics)
      : kernel_(std::move(kernel)), host_(host), diagnostics_(diagnostics) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    declarations_.insert(declarations_.end(), group.begin(), group.end());
    return true;
  }

  void HandleInterestingDecl(clang::DeclGroupRef) override {}  // of the prelude

  void HandleTranslationUnit(clang::ASTContext& context) override {
    if (context.getDiagnostics().hasErrorOccurred()) return;
    Checker checker(context, diagnostics_);
    for (clang::Decl* declaration : declarations_) check(*declaration, checker, context);
  }

 private:
  // Looks for the kernel in namespaces and `extern "C"`.
  void check(clang::Decl& declaration, Checker& checker, clang::ASTContext& context) {
    checker.check_file_scope(declaration);
    if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration)) {
      if (function->getDeclName().isIdentifier() && function->getName() == kernel_) {
        check_layouts(*function, host_, diagnostics_);
        check_result(*function, context);
        checker.check_from(*function);
      }
    } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration)) {
      for (clang::Decl* inner : llvm::cast<clang::DeclContext>(&declaration)->decls()) check(*inner, checker, context);
    }
  }

  // The lambda returns nothing: its call is the kernel function's last statement (assemble.cpp).
  void check_result(const clang::FunctionDecl& kernel, clang::ASTContext& context) {
    const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(kernel.getBody());
    if (!body || body->body_empty()) return;
    const auto* last = llvm::dyn_cast<clang::Expr>(body->body_back());
    const auto* call = last ? llvm::dyn_cast<clang::CallExpr>(last->IgnoreImplicit()) : nullptr;
    const clang::FunctionDecl* lambda = call ? call->getDirectCallee() : nullptr;
    if (!lambda || lambda->getReturnType()->isVoidType()) return;
    ReturnFinder finder;
    if (lambda->getBody()) finder.TraverseStmt(lambda->getBody());
    clang::DiagnosticsEngine& engine = context.getDiagnostics();
    const unsigned id =
        engine.getCustomDiagID(clang::DiagnosticsEngine::Error, "a kernel cannot return a value: it runs in many threads, and nobody waits");
    engine.Report(finder.found ? finder.found->getBeginLoc() : lambda->getLocation(), id);
    diagnostics_.add_hint("write the result through a view: y[i] = value");
  }

  std::string kernel_;
  HostTypes host_;
  DiagnosticCollector& diagnostics_;
  std::vector<clang::Decl*> declarations_;
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> check_restrictions(std::string kernel, const HostTypes& host, DiagnosticCollector& diagnostics) {
  return std::make_unique<RestrictionConsumer>(std::move(kernel), host, diagnostics);
}

}  // namespace cuttle::codegen
