// The compiler library's C boundary, opened as libcuttle opens it, so that a program that does not compile has none of it in memory.
#pragma once

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>

#include "codegen/compiler.h"

namespace cuttle::test {

struct CompilerFunctions {
  decltype(&cuttle_compile) compile;
  decltype(&cuttle_compile_get) get;
  decltype(&cuttle_compile_result_free) free;

  static const CompilerFunctions& instance() {
    static const CompilerFunctions functions = open();
    return functions;
  }

 private:
  static CompilerFunctions open() {
    const auto program = std::filesystem::read_symlink("/proc/self/exe");
    const std::string path = program.parent_path() / "../lib/libcuttle-compiler.so";
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) throw std::runtime_error(dlerror());
    return {reinterpret_cast<decltype(compile)>(dlsym(library, "cuttle_compile")),
            reinterpret_cast<decltype(get)>(dlsym(library, "cuttle_compile_get")),
            reinterpret_cast<decltype(free)>(dlsym(library, "cuttle_compile_result_free"))};
  }
};

}  // namespace cuttle::test
