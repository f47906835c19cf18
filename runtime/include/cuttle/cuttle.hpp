// cuttle: GPU kernels as inline C++ lambdas. This header is all that a program includes.
#pragma once

#include "array.hpp"
#include "device.hpp"
#include "error.hpp"
#include "kernel.hpp"
#include "launch.hpp"
#include "precompile.hpp"
#include "stats.hpp"
