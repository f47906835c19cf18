// The twins: the suite's kernels as people write them in CUDA C++, one translation unit for nvcc.
#define TWIN extern "C" __global__ void
#define GLOBAL_X int(blockIdx.x * blockDim.x + threadIdx.x)
#define GLOBAL_Y int(blockIdx.y * blockDim.y + threadIdx.y)

#include "algebra.cu"
#include "facts.cu"
#include "integer.cu"
#include "science.cu"
#include "specialised.cu"
#include "stencil.cu"
#include "streaming.cu"
#include "tensor.cu"
#include "warp.cu"
#include "atomic.cu"
