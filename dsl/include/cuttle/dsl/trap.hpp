// CUDA's ways out of a kernel, as the host compiler sees them: declared and never defined. assert says more: condition, file, line and thread.
#pragma once

namespace cuttle::dsl {

/// Ends the launch: the host's next wait throws a DriverError that names the kernel. A GPU can do nothing more for the process then.
[[noreturn]] void __trap();
/// Stops in a debugger. Where there is none, the CPU device ends the launch as by a trap.
void __brkpt();

}  // namespace cuttle::dsl
