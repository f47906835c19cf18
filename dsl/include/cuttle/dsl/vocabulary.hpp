// Everything that a kernel's body may name, for the host compiler: it parses kernels and never runs them.
#pragma once

#include "index.hpp"
#include "math.hpp"
#include "view.hpp"
