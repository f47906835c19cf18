#include "codegen/discover.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Mangle.h>

#include "codegen/module_source.h"
#include "codegen/text_view.h"

namespace cuttle::codegen {
namespace {

using detail::Scalar;

Scalar scalar_of(clang::QualType type, const clang::ASTContext& context) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (type->isBooleanType()) return Scalar::boolean;
  if (type->isSpecificBuiltinType(clang::BuiltinType::Float)) return Scalar::f32;
  if (type->isSpecificBuiltinType(clang::BuiltinType::Double)) return Scalar::f64;
  if (!type->isIntegerType() || type->isEnumeralType() || type->isBitIntType()) return Scalar::none;
  const bool is_signed = type->isSignedIntegerType();
  switch (context.getTypeSize(type)) {
    case 8:
      return is_signed ? Scalar::i8 : Scalar::u8;
    case 16:
      return is_signed ? Scalar::i16 : Scalar::u16;
    case 32:
      return is_signed ? Scalar::i32 : Scalar::u32;
    case 64:
      return is_signed ? Scalar::i64 : Scalar::u64;
    default:
      return Scalar::none;
  }
}

class SymbolFinder final : public clang::ASTConsumer {
 public:
  SymbolFinder(const cuttle_module_request& request, clang::DiagnosticsEngine& engine, Discovered& found)
      : request_(request), engine_(engine), found_(found) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* decl : group) visit(*decl);
    return true;
  }

  void HandleTranslationUnit(clang::ASTContext& context) override {
    if (engine_.hasErrorOccurred()) return;
    for (const clang::FunctionDecl* kernel : kernels_) add_kernel(*kernel, kernel->getQualifiedNameAsString(), context);
    for (const clang::VarDecl* variable : variables_) add_variable(*variable, context);
    for (const auto& [index, variable] : instances_) add_instance(index, *variable, context);
  }

 private:
  void visit(clang::Decl& decl) {
    if (auto* space = llvm::dyn_cast<clang::NamespaceDecl>(&decl)) {
      for (clang::Decl* inner : space->noload_decls()) visit(*inner);
    } else if (auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(&decl)) {
      for (clang::Decl* inner : linkage->noload_decls()) visit(*inner);
    } else if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(&decl)) {
      const bool is_concrete = function->getTemplatedKind() == clang::FunctionDecl::TK_NonTemplate;
      if (is_concrete && function->isThisDeclarationADefinition() && is_kernel(*function)) kernels_.push_back(function);
    } else if (auto* variable = llvm::dyn_cast<clang::VarDecl>(&decl)) {
      visit_variable(*variable);
    }
  }

  void visit_variable(clang::VarDecl& variable) {
    const llvm::StringRef name = variable.getName();
    unsigned index = 0;
    if (name.starts_with(instance_prefix) && !name.substr(instance_prefix.size()).getAsInteger(10, index)) {
      instances_.emplace_back(index, &variable);
    } else if (!variable.isConstexpr() && (variable.hasAttr<clang::CUDADeviceAttr>() || variable.hasAttr<clang::CUDAConstantAttr>()) &&
               variable.isThisDeclarationADefinition() != clang::VarDecl::DeclarationOnly &&
               !variable.getASTContext().getBaseElementType(variable.getType()).isConstQualified()) {
      variables_.push_back(&variable);
    }
  }

  // The CPU's prelude makes __global__ a mark, since its device code may call a kernel (dsl/device/prelude.h).
  static bool is_kernel(const clang::FunctionDecl& function) {
    const auto* mark = function.getAttr<clang::AnnotateAttr>();
    return function.hasAttr<clang::CUDAGlobalAttr>() || (mark && mark->getAnnotation() == "cuttle_kernel");
  }

  // Types as a user writes them, and as text in the user's scope can name them.
  static clang::PrintingPolicy policy_of(const clang::ASTContext& context) {
    clang::PrintingPolicy policy = context.getPrintingPolicy();
    policy.SuppressInlineNamespace = llvm::to_underlying(clang::PrintingPolicy::SuppressInlineNamespaceMode::All);
    policy.SuppressUnwrittenScope = true;
    policy.FullyQualifiedName = true;
    return policy;
  }

  static text::SymbolType type_of(clang::QualType type, const clang::ASTContext& context) {
    text::SymbolType result;
    result.spelling = type.getAsString(policy_of(context));
    result.size = static_cast<std::size_t>(context.getTypeSizeInChars(type).getQuantity());
    result.align = static_cast<std::size_t>(context.getTypeAlignInChars(type).getQuantity());
    result.scalar = scalar_of(type, context);
    result.is_pointer = type->isPointerType();
    clang::QualType element = result.is_pointer ? type->getPointeeType() : context.getBaseElementType(type);
    result.is_read_only = element.isConstQualified();
    if (!element->isVoidType() && !element->isFunctionType() && !element->isIncompleteType()) {
      result.element_size = static_cast<std::size_t>(context.getTypeSizeInChars(element).getQuantity());
      result.element = scalar_of(element, context);
    }
    return result;
  }

  // "sim::step" of "cuttle_module::(anonymous namespace)::sim::step".
  static std::string user_name(std::string qualified) {
    for (const std::string_view prefix : {"cuttle_module::", "(anonymous namespace)::"}) {
      for (std::size_t at = qualified.find(prefix); at != std::string::npos; at = qualified.find(prefix)) qualified.erase(at, prefix.size());
    }
    return qualified;
  }

  void add_kernel(const clang::FunctionDecl& function, std::string name, clang::ASTContext& context) {
    text::KernelSymbol kernel;
    kernel.name = user_name(std::move(name));
    kernel.symbol = clang::ASTNameGenerator(context).getName(&function);
    for (const clang::ParmVarDecl* parameter : function.parameters()) {
      kernel.parameters.push_back({parameter->getNameAsString(), type_of(parameter->getType(), context)});
    }
    const clang::QualType pointer = context.getPointerType(function.getType().getCanonicalType());
    found_.expressions.push_back("static_cast<" + pointer.getAsString(policy_of(context)) + ">(&" + kernel.name + ")");
    found_.symbols.kernels.push_back(std::move(kernel));
  }

  void add_variable(const clang::VarDecl& variable, clang::ASTContext& context) {
    found_.symbols.variables.push_back(
        {user_name(variable.getQualifiedNameAsString()), clang::ASTNameGenerator(context).getName(&variable), type_of(variable.getType(), context)});
  }

  void add_instance(unsigned index, const clang::VarDecl& variable, clang::ASTContext& context) {
    const std::string name(view_of(request_.kernels[index]));
    const clang::FunctionDecl* function = nullptr;
    if (const clang::Expr* value = variable.getInit()) {
      value = value->IgnoreParenImpCasts();
      if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(value)) value = address->getSubExpr()->IgnoreParenImpCasts();
      if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(value)) function = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl());
    }
    if (!function || !is_kernel(*function)) {
      const unsigned id = engine_.getCustomDiagID(clang::DiagnosticsEngine::Error, "'%0' is no __global__ function");
      engine_.Report(variable.getLocation(), id) << name;
      return;
    }
    const bool is_known =
        llvm::any_of(kernels_, [&](const clang::FunctionDecl* kernel) { return kernel->getCanonicalDecl() == function->getCanonicalDecl(); });
    if (!is_known) add_kernel(*function, name, context);
  }

  const cuttle_module_request& request_;
  clang::DiagnosticsEngine& engine_;
  Discovered& found_;
  std::vector<const clang::FunctionDecl*> kernels_;
  std::vector<const clang::VarDecl*> variables_;
  std::vector<std::pair<unsigned, const clang::VarDecl*>> instances_;
};

}  // namespace

std::unique_ptr<clang::ASTConsumer> discover_symbols(const cuttle_module_request& request, clang::DiagnosticsEngine& engine, Discovered& found) {
  return std::make_unique<SymbolFinder>(request, engine, found);
}

}  // namespace cuttle::codegen
