// Everything that a kernel's body may name, for the host compiler: it parses kernels and never runs them.
#pragma once

#include <cassert>  // assert and printf are the C library's own names: a kernel's are in dsl/device/
#include <cstdio>

#include "atomic.hpp"
#include "by_key.hpp"
#include "cache_hints.hpp"
#include "collectives.hpp"
#include "dpx.hpp"
#include "half_functions.hpp"
#include "index.hpp"
#include "integer.hpp"
#include "loops.hpp"
#include "math.hpp"
#include "pipeline.hpp"
#include "random.hpp"
#include "shared.hpp"
#include "sync.hpp"
#include "trap.hpp"
#include "vector_types.hpp"
#include "view.hpp"
#include "warp.hpp"
#include "wmma.hpp"
