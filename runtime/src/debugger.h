// Kernels on the CPU device for a debugger: gdb and lldb learn of code made at run time by a list that they find by its name.
#pragma once

#include <string>

namespace cuttle::detail {

/// Tells a debugger, attached now or later, of a loaded object with debug information whose section headers say where each section lies.
void show_debugger(std::string object);

}  // namespace cuttle::detail
