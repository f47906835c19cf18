// The parts of a kernel's source beside its lambda: captured constants, the device blocks that it needs, and the namespaces around them.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "cuttle/dsl/device_code.hpp"
#include "cuttle/dsl/signature.hpp"
#include "cuttle/kernel.hpp"
#include "device_header.h"

namespace cuttle::detail {

struct NeededBlock {
  std::string_view text, file;
  unsigned line;
  bool is_header;
  std::string scope;  // as cuttle_block::scope
};

struct CapturedValue {
  const TypeInfo* type;
  TypeName type_name;
};

struct KernelSource {
  std::string constants;              // "constexpr int TILE = 16;\nusing T = float;\n"
  std::vector<CapturedValue> values;  // of the constants, in their order
  std::string captured;               // for messages: "TILE = 16, T = f32"
  std::deque<DeviceHeader> headers;   // the texts of those among the blocks
  std::vector<NeededBlock> blocks;
  std::string scope;
};

/// `type_names` are those of the signature: blocks that declare these types, and operators on them, are needed too.
[[nodiscard]] KernelSource kernel_source(const KernelCall& call, const std::vector<TypeName>& type_names);

/// The name of a constant's type, with its value: "cuttle::constant_value<...>", and "const<i32,16>" for people.
[[nodiscard]] TypeName constant_name(const TypeInfo& value_type, const void* value);

/// The namespaces in the name of a lambda's call operator, as g++ or clang writes it, each with a slash behind it: "sim/detail/". An unnamed one
/// is "/". Ends at the first part that is no plain name, so that it can hold functions and classes at its end.
[[nodiscard]] std::string enclosing_scope(std::string_view pretty_function);

}  // namespace cuttle::detail
