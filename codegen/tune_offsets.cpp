#include "codegen/tune_offsets.h"

#include <algorithm>
#include <map>
#include <vector>

namespace cuttle::codegen {
namespace {

constexpr std::size_t max_terms = 12;
constexpr unsigned max_depth = 12;
constexpr std::uint64_t minus_one = ~std::uint64_t{0};
// A difference of more than this costs what it saves.
constexpr std::size_t max_difference_terms = 2;

// Factors of a term, by their numbers in Expansion, in order.
using Factors = std::vector<unsigned>;

// An offset in bytes, modulo 2^64: terms by their factors, the constant among them by none.
class Polynomial {
 public:
  static Polynomial constant(std::int64_t value) {
    Polynomial result;
    result.add(Factors{}, static_cast<std::uint64_t>(value));
    return result;
  }
  static Polynomial of(unsigned factor) {
    Polynomial result;
    result.add(Factors{factor}, 1);
    return result;
  }

  [[nodiscard]] const std::map<Factors, std::uint64_t>& terms() const { return terms_; }
  [[nodiscard]] bool has_product() const {
    return std::any_of(terms_.begin(), terms_.end(), [](const auto& term) { return term.first.size() > 1; });
  }

  void add(const Factors& factors, std::uint64_t coefficient) {
    if ((terms_[factors] += coefficient) == 0) terms_.erase(factors);
  }
  void add(const Polynomial& other, std::uint64_t times = 1) {
    for (const auto& [factors, coefficient] : other.terms_) add(factors, coefficient * times);
  }
  [[nodiscard]] Polynomial times(const Polynomial& other) const {
    Polynomial result;
    for (const auto& [left, a] : terms_) {
      for (const auto& [right, b] : other.terms_) {
        Factors factors = left;
        factors.insert(factors.end(), right.begin(), right.end());
        std::sort(factors.begin(), factors.end());
        result.add(factors, a * b);
      }
    }
    return result;
  }

 private:
  std::map<Factors, std::uint64_t> terms_;
};

struct Address {
  llvm::Value* base;
  Polynomial offset;
  bool has_split_extension;  // what LLVM does not look through; the rest straight-line strength reduction shares, step by step
};

// Addresses as polynomials of the values that they are computed from: 64-bit ones, and 32-bit ones that stand for their sign extensions.
class Expansion {
 public:
  explicit Expansion(const llvm::DataLayout& layout) : layout_(layout) {}

  std::optional<Address> address_of(llvm::Value* pointer) {
    Polynomial offset;
    has_split_extension_ = false;
    while (auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer)) {
      if (gep->getNumIndices() != 1 || !gep->getOperand(1)->getType()->isIntegerTy(64)) return std::nullopt;
      offset.add(expand(gep->getOperand(1)), layout_.getTypeAllocSize(gep->getSourceElementType()).getFixedValue());
      pointer = gep->getPointerOperand();
    }
    return Address{pointer, std::move(offset), has_split_extension_};
  }

  [[nodiscard]] llvm::Value* factor(unsigned number) const { return values_[number]; }

 private:
  // Numbered as they are met, so that the code is the same in every process.
  Polynomial leaf(llvm::Value* value) {
    const auto [number, is_new] = numbers_.try_emplace(value, static_cast<unsigned>(values_.size()));
    if (is_new) values_.push_back(value);
    return Polynomial::of(number->second);
  }

  Polynomial expand_extension(llvm::Value* narrow) {
    const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(narrow);
    const auto* constant =
        sum && sum->getOpcode() == llvm::Instruction::Add && sum->hasNoSignedWrap() ? llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1)) : nullptr;
    if (!constant) return leaf(narrow);
    has_split_extension_ = true;
    Polynomial result = leaf(sum->getOperand(0));
    result.add(Polynomial::constant(constant->getSExtValue()));
    return result;
  }

  Polynomial expand(llvm::Value* value, unsigned depth = 0) {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value)) return Polynomial::constant(constant->getSExtValue());
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || depth == max_depth) return leaf(value);
    Polynomial result;
    switch (instruction->getOpcode()) {
      case llvm::Instruction::SExt:
      case llvm::Instruction::ZExt: {
        const auto* zero = llvm::dyn_cast<llvm::ZExtInst>(instruction);
        const bool is_signed = !zero || zero->hasNonNeg();
        return is_signed && instruction->getOperand(0)->getType()->isIntegerTy(32) ? expand_extension(instruction->getOperand(0)) : leaf(value);
      }
      case llvm::Instruction::Add:
      case llvm::Instruction::Sub:
        result = expand(instruction->getOperand(0), depth + 1);
        result.add(expand(instruction->getOperand(1), depth + 1), instruction->getOpcode() == llvm::Instruction::Add ? 1 : minus_one);
        break;
      case llvm::Instruction::Mul:
        result = expand(instruction->getOperand(0), depth + 1).times(expand(instruction->getOperand(1), depth + 1));
        break;
      default:
        return leaf(value);
    }
    return result.terms().size() > max_terms ? leaf(value) : result;
  }

  const llvm::DataLayout& layout_;
  llvm::DenseMap<llvm::Value*, unsigned> numbers_;
  std::vector<llvm::Value*> values_;
  bool has_split_extension_ = false;  // in the address at hand
};

// The first address of an array in a block, which later ones may start from.
struct Reference {
  llvm::Value* pointer;
  Address address;
};

llvm::Value* value_of(const Factors& factors, std::uint64_t coefficient, const Expansion& expansion, llvm::IRBuilder<>& builder) {
  llvm::Value* product = builder.getInt64(1);
  for (const unsigned factor : factors) product = builder.CreateMul(product, builder.CreateSExt(expansion.factor(factor), builder.getInt64Ty()));
  return builder.CreateMul(product, builder.getInt64(coefficient));
}

bool share_products(llvm::BasicBlock& block, Expansion& expansion) {
  std::map<llvm::Value*, Reference> references;
  bool changed = false;
  for (llvm::Instruction& access : block) {
    auto* const pointer = const_cast<llvm::Value*>(llvm::getLoadStorePointerOperand(&access));
    if (!pointer || !llvm::isa<llvm::GetElementPtrInst>(pointer)) continue;
    const auto address = expansion.address_of(pointer);
    if (!address || !address->offset.has_product()) continue;
    const auto [known, is_first] = references.try_emplace(address->base, Reference{pointer, *address});
    if (is_first || !(address->has_split_extension || known->second.address.has_split_extension)) continue;
    Polynomial difference = address->offset;
    difference.add(known->second.address.offset, minus_one);
    if (difference.terms().size() > max_difference_terms) continue;
    llvm::IRBuilder<> builder(&access);
    llvm::Value* shared = known->second.pointer;
    // The constant, which is first, comes last: it is folded into the access.
    for (auto term = difference.terms().rbegin(); term != difference.terms().rend(); ++term) {
      shared = builder.CreatePtrAdd(shared, value_of(term->first, term->second, expansion, builder));
    }
    access.replaceUsesOfWith(pointer, shared);
    changed = true;
  }
  return changed;
}

}  // namespace

llvm::PreservedAnalyses ShareProducts::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  Expansion expansion(function.getDataLayout());
  bool changed = false;
  for (llvm::BasicBlock& block : function) {
    if (!loops.getLoopFor(&block)) changed |= share_products(block, expansion);  // in loops, strength reduction does better
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

}  // namespace cuttle::codegen
