#include "compiler_library.h"

#include <dlfcn.h>
#include <string>

#include "build_id.h"
#include "cuttle/error.hpp"
#include "environment.h"

namespace cuttle::detail {
namespace {

std::string library_path() {
  if (std::string path = environment::compiler_library(); !path.empty()) return path;
  return library_folder() + "libcuttle-compiler.so";
}

CompilerLibrary open_library() {
  const std::string path = library_path();
  // Local, so that its hidden LLVM meets no other; never closed, since its code may still run while the process exits.
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle) {
    throw InternalError("cuttle's compiler library cannot be opened: " + std::string(dlerror()) +
                        ". It belongs beside libcuttle.so; CUTTLE_COMPILER names another place.");
  }
  CompilerLibrary library{};
#define CUTTLE_LOAD(function)                                                                   \
  library.function = reinterpret_cast<decltype(&::function)>(dlsym(handle, #function));        \
  if (!library.function) throw InternalError(path + " has no " #function ": it is of another version than libcuttle.so.");
  CUTTLE_COMPILER_FUNCTIONS(CUTTLE_LOAD)
#undef CUTTLE_LOAD
  if (library.cuttle_compiler_abi() != CUTTLE_COMPILER_ABI || std::string(library.cuttle_compiler_build_id()) != build_id) {
    throw InternalError(path + " is of another version than libcuttle.so: install both from the same build.");
  }
  return library;
}

}  // namespace

std::string library_folder() {
  Dl_info self{};
  dladdr(reinterpret_cast<const void*>(&compiler_library), &self);
  const std::string here = self.dli_fname ? self.dli_fname : "";
  return here.substr(0, here.rfind('/') + 1);
}

const CompilerLibrary& compiler_library() {
  static const CompilerLibrary library = open_library();
  return library;
}

}  // namespace cuttle::detail
