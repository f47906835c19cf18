// cuttle: GPU kernels as inline C++ lambdas. This header is all that a program includes.
#pragma once

#if __cplusplus < 202002L  // nothing of ours then: this line is not to drown in thousands
#error "cuttle is C++20: compile with -std=c++20 or newer"
#else

#include "cuttle/dsl/device_code.hpp"  // before the push: what it silences stays so in the user's file

// A program's own `int x;` above our #include is no reason to warn of our parameters.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"

#include "array.hpp"
#include "benchmark.hpp"
#include "copy.hpp"
#include "creation.hpp"
#include "device.hpp"
#include "error.hpp"
#include "graph.hpp"
#include "host_arguments.hpp"
#include "kernel.hpp"
#include "launch.hpp"
#include "memory.hpp"
#include "module.hpp"
#include "options.hpp"
#include "precompile.hpp"
#include "print.hpp"
#include "shared_memory.hpp"
#include "stats.hpp"
#include "stream.hpp"
#include "views.hpp"

#pragma GCC diagnostic pop

#endif
