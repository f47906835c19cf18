#include "class_layout.h"

#include <array>

namespace cuttle::detail {

ClassLayout class_layout(const TypeInfo& parameter) {
  const TypeInfo& type = parameter.element ? *parameter.element : parameter;
  if (!type.members) return {};
  std::array<MemberBits, most_members> bits;
  ClassLayout layout{type.size, type.align, {}};
  for (std::size_t i = 0, count = type.members(bits.data()); i < count; ++i) layout.members.push_back({bits[i].first, bits[i].end});
  return layout;
}

std::string layout_text(const TypeInfo& parameter) {
  const ClassLayout layout = class_layout(parameter);
  if (layout.size == 0) return {};
  std::string text = std::to_string(layout.size) + "@" + std::to_string(layout.align);
  for (const cuttle_member& member : layout.members) text += " " + std::to_string(member.first_bit) + "-" + std::to_string(member.end_bit);
  return text;
}

}  // namespace cuttle::detail
