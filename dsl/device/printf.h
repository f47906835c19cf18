// printf in a kernel. On a GPU Clang packs the arguments for the driver's vprintf, which keeps the text until the host waits; on the CPU device it
// is the host's own.
#pragma once

extern "C" __attribute__((device)) int printf(const char* format, ...);

namespace std {
using ::printf;
}
