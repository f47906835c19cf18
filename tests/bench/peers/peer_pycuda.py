"""PyCUDA's SourceModule, which runs nvcc."""

import numpy as np
import pycuda.autoinit  # makes the context
import pycuda.driver as cuda
import pycuda.gpuarray as gpuarray
from pycuda.compiler import SourceModule

import peer
from cuda_kernels import COPY, LAUNCH, SOURCE


def function(source, name):
    return SourceModule(source, no_extern_c=True).get_function(name)


def dimensions(shape):
    return tuple(int(extent) for extent in shape) + (1,) * (3 - len(shape))


def first():
    x, y = (gpuarray.to_gpu(np.full(1000, value, np.float32)) for value in (1, 0))
    return lambda: function(COPY, "copy")(x, np.uint32(1000), y, grid=(10, 1), block=(100, 1, 1))


def launch():
    x, y, out = (gpuarray.to_gpu(np.ones(1000, np.float32)) for _ in range(3))
    saxpy = function(SOURCE, "saxpy")
    return lambda: saxpy(np.float32(2), x, y, out, np.uint32(1000), grid=(4, 1), block=(256, 1, 1))


def kernel(name, shape, dtype, arguments):
    def make(*given):
        out = gpuarray.to_gpu(np.full(shape, -1, dtype))
        values = arguments(out, *map(gpuarray.to_gpu, given))
        called = function(SOURCE, name)
        grid, block = map(dimensions, LAUNCH[name])
        return (lambda: called(*values, grid=grid, block=block)), out.get

    return make


KERNELS = {
    "saxpy": kernel("saxpy", peer.SAXPY, "f4", lambda out, x, y: (np.float32(2.5), x, y, out, np.uint32(peer.SAXPY))),
    "black_scholes": kernel("black_scholes", peer.OPTIONS, "f4", lambda out, spot, strike, years: (spot, strike, years, out)),
    "mandelbrot": kernel("mandelbrot", peer.IMAGE**2, "i4", lambda out: (out, np.int32(peer.IMAGE), np.int32(peer.ITERATIONS))),
    "nbody": kernel("nbody", peer.BODIES, "f4", lambda out, x, y, z, mass: (x, y, z, mass, out, np.int32(peer.BODIES))),
    "transpose": kernel("transpose", (peer.MATRIX, peer.MATRIX), "f4", lambda out, a: (a, out, np.int32(peer.MATRIX))),
    "sum": kernel("sum", peer.SUM_BLOCKS, "f4", lambda out, x: (x, out, np.uint32(peer.SUM))),
}

peer.main(lambda: None, first, launch, KERNELS, cuda.Context.synchronize)
