// What both back ends take and give.
#pragma once

#include <string>

#include "codegen/compiler.h"
#include "codegen/llvm.h"

namespace cuttle::codegen {

struct LoweringRequest {
  const cuttle_target& target;
  std::string entry;
  bool want_llvm_ir;
  std::string libdevice;           // its path, empty where there is none
  std::string libdevice_searched;  // for the message
};

struct Lowered {
  std::string llvm_ir;
  std::string code;    // PTX, or assembly where the IR was asked for
  std::string object;  // CPU only
  std::size_t static_shared_bytes = 0;
  bool uses_libdevice = false;
  std::string user_error;      // the kernel asks for what the target cannot do
  std::string internal_error;  // our bug
};

}  // namespace cuttle::codegen
