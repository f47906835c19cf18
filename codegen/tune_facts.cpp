#include "codegen/tune_facts.h"

#include <llvm/IR/MDBuilder.h>

#include <optional>

#include "dsl/include/cuttle/dsl/facts.hpp"

namespace cuttle::codegen {
namespace {

constexpr unsigned view_alignment = 16;

bool is_kernel(const llvm::Function& function) { return function.getCallingConv() == llvm::CallingConv::PTX_Kernel; }

// The view whose data pointer `value` is: a load of the first member of a parameter.
std::optional<unsigned> view_of_data(const llvm::Value& value, llvm::ArrayRef<unsigned> views) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value);
  if (!load || !load->getType()->isPointerTy()) return std::nullopt;
  llvm::APInt offset(64, 0);
  const auto* from = llvm::dyn_cast<llvm::Argument>(
      load->getPointerOperand()->stripAndAccumulateConstantOffsets(load->getDataLayout(), offset, /*AllowNonInbounds=*/true));
  if (!from || !from->hasByValAttr() || !offset.isZero() || !llvm::is_contained(views, from->getArgNo())) return std::nullopt;
  return from->getArgNo();
}

// The one view that all of what `pointer` may point into belongs to.
std::optional<unsigned> view_behind(const llvm::Value& pointer, llvm::ArrayRef<unsigned> views) {
  llvm::SmallVector<const llvm::Value*> objects;
  llvm::getUnderlyingObjects(&pointer, objects, nullptr, /*MaxLookup=*/0);
  std::optional<unsigned> common;
  for (const llvm::Value* object : objects) {
    const auto view = view_of_data(*object, views);
    if (!view || (common && common != view)) return std::nullopt;
    common = view;
  }
  return common;
}

llvm::Value* accessed_pointer(llvm::Instruction& instruction) {
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) return exchange->getPointerOperand();
  if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return update->getPointerOperand();
  return const_cast<llvm::Value*>(llvm::getLoadStorePointerOperand(&instruction));
}

// One scope for each view. Equal names make the same scopes in every run of the pass.
std::vector<llvm::MDNode*> scopes_of(llvm::LLVMContext& context, std::size_t count) {
  llvm::MDBuilder builder(context);
  llvm::MDNode* domain = builder.createAliasScopeDomain("views");
  std::vector<llvm::MDNode*> scopes;
  for (std::size_t i = 0; i < count; ++i) scopes.push_back(builder.createAliasScope("view" + std::to_string(i), domain));
  return scopes;
}

void add_scopes(llvm::Instruction& access, unsigned kind, llvm::ArrayRef<llvm::Metadata*> scopes) {
  access.setMetadata(kind, llvm::MDNode::concatenate(access.getMetadata(kind), llvm::MDNode::get(access.getContext(), scopes)));
}

void state_disjointness(llvm::Function& function, llvm::ArrayRef<unsigned> views) {
  const std::vector<llvm::MDNode*> scopes = scopes_of(function.getContext(), views.size());
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    const llvm::Value* pointer = accessed_pointer(instruction);
    const auto view = pointer ? view_behind(*pointer, views) : std::nullopt;
    if (!view) continue;
    llvm::SmallVector<llvm::Metadata*> others;
    for (std::size_t i = 0; i < views.size(); ++i) {
      if (views[i] == *view) {
        add_scopes(instruction, llvm::LLVMContext::MD_alias_scope, {scopes[i]});
      } else {
        others.push_back(scopes[i]);
      }
    }
    add_scopes(instruction, llvm::LLVMContext::MD_noalias, others);
  }
}

// Whether the kernel may write to memory that none of its views shows: by a pointer that came as a number, from memory or as a parameter of its own,
// in assembly, or in a function that is still called. A view that overlaps no other view may overlap that.
bool may_write_elsewhere(const llvm::Function& function, llvm::ArrayRef<unsigned> views) {
  if (llvm::any_of(function.args(), [](const llvm::Argument& own) { return own.getType()->isPointerTy() && !own.hasByValAttr(); })) return true;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (llvm::isa<llvm::LoadInst>(instruction) && instruction.getType()->isPointerTy() && !view_of_data(instruction, views)) return true;
    if (llvm::isa<llvm::IntToPtrInst>(instruction)) return true;
    for (const llvm::Value* operand : instruction.operand_values()) {
      const auto* constant = llvm::dyn_cast<llvm::ConstantExpr>(operand);
      if (constant && constant->getOpcode() == llvm::Instruction::IntToPtr) return true;
    }
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call || llvm::isa<llvm::IntrinsicInst>(call)) continue;
    if (call->isInlineAsm() ? call->mayWriteToMemory() : !call->getCalledFunction() || !call->getCalledFunction()->isDeclaration()) return true;
  }
  return false;
}

// Whether nothing but simple loads, and address arithmetic for them, uses a pointer.
bool is_only_loaded_from(llvm::Instruction& data) {
  llvm::SmallVector<llvm::Instruction*> pointers{&data};
  llvm::SmallPtrSet<llvm::Instruction*, 16> seen{&data};
  while (!pointers.empty()) {
    for (llvm::User* user : pointers.pop_back_val()->users()) {
      auto* instruction = llvm::cast<llvm::Instruction>(user);
      if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
        if (!load->isSimple()) return false;
      } else if (llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst, llvm::PHINode, llvm::SelectInst>(instruction)) {
        if (seen.insert(instruction).second) pointers.push_back(instruction);
      } else if (!llvm::isa<llvm::ICmpInst>(instruction)) {
        return false;
      }
    }
  }
  return true;
}

llvm::SmallVector<unsigned> read_only_views(llvm::Function& function, llvm::ArrayRef<unsigned> views) {
  llvm::SmallVector<unsigned> read_only(views);
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto view = view_of_data(instruction, views);
    if (view && !is_only_loaded_from(instruction)) llvm::erase(read_only, *view);
  }
  return read_only;
}

}  // namespace

llvm::PreservedAnalyses StateFacts::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  if (!is_kernel(function)) return llvm::PreservedAnalyses::all();
  if (facts_ & detail::aligned_views) {
    llvm::MDBuilder builder(function.getContext());
    auto* alignment = llvm::MDNode::get(
        function.getContext(), builder.createConstant(llvm::ConstantInt::get(llvm::Type::getInt64Ty(function.getContext()), view_alignment)));
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (view_of_data(instruction, views_)) instruction.setMetadata(llvm::LLVMContext::MD_align, alignment);
    }
  }
  if (facts_ & detail::disjoint_views) state_disjointness(function, views_);
  return llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses ReadOnlyViews::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  if (!is_kernel(function) || may_write_elsewhere(function, views_)) return llvm::PreservedAnalyses::all();
  const llvm::SmallVector<unsigned> read_only = read_only_views(function, views_);
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    const auto view = load ? view_behind(*load->getPointerOperand(), views_) : std::nullopt;
    if (view && llvm::is_contained(read_only, *view))
      load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load->getContext(), {}));
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace cuttle::codegen
