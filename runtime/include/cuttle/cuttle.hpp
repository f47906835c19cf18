// cuttle: GPU kernels as inline C++ lambdas. This header is all that a program includes.
#pragma once

#include "array.hpp"
#include "benchmark.hpp"
#include "creation.hpp"
#include "device.hpp"
#include "error.hpp"
#include "graph.hpp"
#include "host_arguments.hpp"
#include "kernel.hpp"
#include "launch.hpp"
#include "memory.hpp"
#include "pinned.hpp"
#include "precompile.hpp"
#include "print.hpp"
#include "stats.hpp"
#include "stream.hpp"
#include "views.hpp"
