#include "codegen/layouts.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecordLayout.h>

#include <string>
#include <vector>

#include "codegen/text_view.h"

namespace cuttle::codegen {
namespace {

/// What one initialiser of an aggregate fills, as the host looks at it (dsl/include/cuttle/dsl/layout.hpp).
struct Member {
  std::string name;
  clang::SourceLocation place;
  std::uint64_t first, end;  // bits; end is 0 where padding, or all of it, need not be set: only the beginning is compared
  bool is_empty;
};

class MemberList {
 public:
  explicit MemberList(const clang::CXXRecordDecl& record) : context_(record.getASTContext()) {
    const clang::ASTRecordLayout& layout = context_.getASTRecordLayout(&record);
    for (const clang::CXXBaseSpecifier& base : record.bases()) {
      const clang::CXXRecordDecl* of = base.getType()->getAsCXXRecordDecl();
      if (base.isVirtual()) continue;  // never of an aggregate
      add("base " + of->getNameAsString(), base.getBeginLoc(), bits(layout.getBaseClassOffset(of)), base.getType());
    }
    for (const clang::FieldDecl* field : record.fields()) {
      if (field->isUnnamedBitField()) continue;
      const std::uint64_t offset = layout.getFieldOffset(field->getFieldIndex());
      if (field->isBitField()) {
        members_.push_back(
            {field->getNameAsString(), field->getLocation(), offset, offset + field->getBitWidthValue(), field->getBitWidthValue() == 0});
      } else {
        add(field->getNameAsString(), field->getLocation(), offset, field->getType());
      }
    }
  }

  [[nodiscard]] const std::vector<Member>& members() const { return members_; }

 private:
  static constexpr std::size_t most = 1000;  // elements of arrays that are listed: more than the host looks at

  [[nodiscard]] std::uint64_t bits(clang::CharUnits size) const { return static_cast<std::uint64_t>(context_.toBits(size)); }

  void add(const std::string& name, clang::SourceLocation place, std::uint64_t offset, clang::QualType type) {
    if (members_.size() >= most) return;
    if (const clang::ConstantArrayType* array = context_.getAsConstantArrayType(type)) {
      const std::uint64_t size = context_.getTypeSize(array->getElementType());
      for (std::uint64_t i = 0; i < array->getZExtSize() && members_.size() < most; ++i) {
        add(name + "[" + std::to_string(i) + "]", place, offset + i * size, array->getElementType());
      }
      return;
    }
    const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
    const bool is_whole = !record && !type->isBooleanType();
    members_.push_back({name, place, offset, is_whole ? offset + context_.getTypeSize(type) : 0, record && record->isEmpty()});
  }

  clang::ASTContext& context_;
  std::vector<Member> members_;
};

// The class that the parameter is, or of the elements that it shows.
const clang::CXXRecordDecl* class_of(clang::QualType type) {
  const clang::CXXRecordDecl* record = (type->isPointerType() ? type->getPointeeType() : type)->getAsCXXRecordDecl();
  const auto* special = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record);
  if (!special || special->getName() != "view" || !special->getSpecializedTemplate()->isFromASTFile()) return record;
  return special->getTemplateArgs()[0].getAsType()->getAsCXXRecordDecl();
}

std::string at(std::uint64_t bit) { return bit % 8 == 0 ? "byte " + std::to_string(bit / 8) : "bit " + std::to_string(bit); }

class LayoutCheck {
 public:
  LayoutCheck(clang::ASTContext& context, DiagnosticCollector& diagnostics) : context_(context), diagnostics_(diagnostics) {}

  void check(clang::QualType type, const cuttle_parameter& host) {
    const clang::CXXRecordDecl* record = host.class_size > 0 ? class_of(type) : nullptr;
    if (record && record->hasDefinition() && !record->isFromASTFile()) check(*record->getDefinition(), host);
  }

 private:
  void check(const clang::CXXRecordDecl& record, const cuttle_parameter& host) {
    const std::string name = record.getQualifiedNameAsString();
    const MemberList list(record);
    const std::vector<Member>& members = list.members();
    for (std::size_t i = 0; i < members.size() && i < host.member_count; ++i) {
      const cuttle_member& there = host.members[i];
      const Member& here = members[i];
      if (there.first_bit == there.end_bit || here.is_empty) continue;
      if (there.first_bit != here.first) {
        return report(here.place, name + " otherwise: its member " + here.name + " is at " + at(there.first_bit) + " there, and at " +
                                      at(here.first) + " in the kernel");
      }
      if (here.end != 0 && there.end_bit != here.end) {
        return report(here.place, name + " otherwise: its member " + here.name + " has " + std::to_string(there.end_bit - there.first_bit) +
                                      " bits there, and " + std::to_string(here.end - here.first) + " in the kernel");
      }
    }
    const clang::TypeInfoChars here = context_.getTypeInfoInChars(context_.getCanonicalTagType(&record));
    const auto size = static_cast<std::uint64_t>(here.Width.getQuantity()), align = static_cast<std::uint64_t>(here.Align.getQuantity());
    if (size == host.class_size && align == host.class_align) return;
    report(record.getLocation(), name + " otherwise: it has " + std::to_string(host.class_size) + " bytes there, aligned to " +
                                     std::to_string(host.class_align) + ", and " + std::to_string(size) + " in the kernel, aligned to " +
                                     std::to_string(align));
  }

  void report(clang::SourceLocation place, const std::string& message) {
    clang::DiagnosticsEngine& engine = context_.getDiagnostics();
    engine.Report(place, engine.getCustomDiagID(clang::DiagnosticsEngine::Error, "the host compiler lays out %0")) << message;
    diagnostics_.add_hint(
        "let both see one declaration: no #pragma pack around it, no #if inside that asks who compiles, no switch like -fpack-struct or "
        "-fshort-enums");
  }

  clang::ASTContext& context_;
  DiagnosticCollector& diagnostics_;
};

}  // namespace

void check_layouts(const clang::FunctionDecl& kernel, const HostTypes& host, DiagnosticCollector& diagnostics) {
  LayoutCheck layouts(kernel.getASTContext(), diagnostics);
  for (std::size_t i = 0; i < host.parameters.size() && i < kernel.getNumParams(); ++i) {
    layouts.check(kernel.getParamDecl(static_cast<unsigned>(i))->getType(), host.parameters[i]);
  }
  if (host.captures.empty()) return;
  auto captured = host.captures.begin();
  for (const clang::Decl* declaration : kernel.getDeclContext()->getRedeclContext()->decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    if (variable && captured != host.captures.end()) layouts.check(variable->getType(), *captured++);
  }
}

}  // namespace cuttle::codegen
