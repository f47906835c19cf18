// Everything that a kernel's body may name, for the host compiler: it parses kernels and never runs them.
#pragma once

#include "index.hpp"
#include "math.hpp"
#include "shared.hpp"
#include "sync.hpp"
#include "view.hpp"
#include "warp.hpp"
