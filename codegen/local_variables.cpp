#include "codegen/local_variables.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace cuttle::codegen {
namespace {

constexpr std::uint64_t register_bytes = 16;  // scalars, pointers and views of one dimension stand in registers

class ScopeWalk : public clang::RecursiveASTVisitor<ScopeWalk> {
 public:
  explicit ScopeWalk(const clang::ASTContext& context) : context_(context) {}

  const LocalVariables& of_function(const clang::FunctionDecl& function) {
    const auto [known, is_new] = known_.try_emplace(&function);
    if (!is_new) return *known->second;
    LocalVariables& result = *(known->second = std::make_unique<LocalVariables>());
    const LocalVariables outer_live = std::exchange(live_, {}), outer_most = std::exchange(most_, {});
    TraverseStmt(function.getBody());
    result = std::exchange(most_, outer_most);
    live_ = outer_live;
    return result;
  }

  bool dataTraverseStmtPre(clang::Stmt* statement) {
    if (opens_scope(*statement)) outside_.push_back(live_.variables.size());
    return true;
  }
  bool dataTraverseStmtPost(clang::Stmt* statement) {
    if (!opens_scope(*statement)) return true;
    for (; live_.variables.size() > outside_.back(); live_.variables.pop_back()) live_.bytes -= live_.variables.back().bytes;
    outside_.pop_back();
    return true;
  }

  bool VisitVarDecl(clang::VarDecl* variable) {
    const clang::QualType type = variable->getType();
    if (!variable->hasLocalStorage() || variable->isConstexpr() || type->isReferenceType() || type->isIncompleteType()) return true;
    const auto bytes = static_cast<std::uint64_t>(context_.getTypeSizeInChars(type).getQuantity());
    if (bytes <= register_bytes) return true;
    live_.variables.push_back({variable, bytes});
    live_.bytes += bytes;
    consider({});
    return true;
  }

  bool VisitCallExpr(clang::CallExpr* call) { return enter(call->getDirectCallee()); }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* construct) { return enter(construct->getConstructor()); }
  // Bodies of lambdas and of local classes are entered by their calls.
  bool TraverseLambdaExpr(clang::LambdaExpr*) { return true; }
  bool TraverseCXXRecordDecl(clang::CXXRecordDecl*) { return true; }

 private:
  static bool opens_scope(const clang::Stmt& statement) {
    return llvm::isa<clang::CompoundStmt, clang::ForStmt, clang::CXXForRangeStmt, clang::IfStmt, clang::SwitchStmt, clang::WhileStmt>(statement);
  }

  bool enter(const clang::FunctionDecl* function) {
    const clang::FunctionDecl* definition = nullptr;
    if (function && !function->isFromASTFile() && function->hasBody(definition)) consider(of_function(*definition));
    return true;
  }

  void consider(const LocalVariables& called) {
    if (live_.bytes + called.bytes <= most_.bytes) return;
    most_ = live_;
    most_.bytes += called.bytes;
    most_.variables.insert(most_.variables.end(), called.variables.begin(), called.variables.end());
  }

  const clang::ASTContext& context_;
  LocalVariables live_, most_;
  std::vector<std::size_t> outside_;  // how many variables there were before each open scope
  llvm::DenseMap<const clang::FunctionDecl*, std::unique_ptr<LocalVariables>> known_;
};

}  // namespace

LocalVariables most_at_once(const clang::FunctionDecl& function) {
  LocalVariables most = ScopeWalk(function.getASTContext()).of_function(function);
  std::stable_sort(most.variables.begin(), most.variables.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  return most;
}

}  // namespace cuttle::codegen
