// What both back ends take and give.
#pragma once

#include <string>
#include <vector>

#include "codegen/compiler.h"
#include "codegen/llvm.h"

namespace cuttle::codegen {

/// A kernel of the module. On the CPU `name` is the block function, which calls the thread function; on a GPU there is only the kernel itself.
struct EntryPoint {
  std::string name;
  std::string thread;
};

struct LoweringRequest {
  const cuttle_target& target;
  std::vector<EntryPoint> entries;
  std::vector<std::string> variables;  // that the host reads and writes
  std::vector<unsigned> views = {};    // which parameters of a kernel are; target.facts are about them
  bool want_llvm_ir = false;
  std::string libdevice = {};           // its path, empty where there is none
  std::string libdevice_searched = {};  // for the message
};

struct Lowered {
  std::string llvm_ir;
  std::string code;                              // PTX, or assembly where the IR was asked for
  std::string object;                            // CPU only
  std::vector<std::size_t> static_shared_bytes;  // of each entry
  std::vector<std::size_t> least_shared_bytes;   // that a launch has to give to each entry, as far as the code shows
  bool uses_libdevice = false;
  std::string user_error;      // the kernel asks for what the target cannot do
  std::string internal_error;  // our bug
};

}  // namespace cuttle::codegen
