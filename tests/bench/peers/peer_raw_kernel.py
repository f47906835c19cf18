"""CuPy's RawKernel."""

import cupy as cp
import numpy as np

import peer
from cuda_kernels import COPY, LAUNCH, SOURCE


def first():
    x, y = cp.ones(1000, cp.float32), cp.zeros(1000, cp.float32)
    copy = cp.RawKernel(COPY, "copy")
    return lambda: copy((10,), (100,), (x, np.uint32(1000), y))


def launch():
    x, y, out = (cp.ones(1000, cp.float32) for _ in range(3))
    saxpy = cp.RawKernel(SOURCE, "saxpy")
    return lambda: saxpy((4,), (256,), (np.float32(2), x, y, out, np.uint32(1000)))


def kernel(name, shape, dtype, arguments):
    def make(*given):
        out = cp.full(shape, -1, dtype)
        values = arguments(out, *map(cp.asarray, given))
        function = cp.RawKernel(SOURCE, name)
        return (lambda: function(*LAUNCH[name], values)), (lambda: cp.asnumpy(out))

    return make


KERNELS = {
    "saxpy": kernel("saxpy", peer.SAXPY, "f4", lambda out, x, y: (np.float32(2.5), x, y, out, np.uint32(peer.SAXPY))),
    "black_scholes": kernel("black_scholes", peer.OPTIONS, "f4", lambda out, spot, strike, years: (spot, strike, years, out)),
    "mandelbrot": kernel("mandelbrot", peer.IMAGE**2, "i4", lambda out: (out, np.int32(peer.IMAGE), np.int32(peer.ITERATIONS))),
    "nbody": kernel("nbody", peer.BODIES, "f4", lambda out, x, y, z, mass: (x, y, z, mass, out, np.int32(peer.BODIES))),
    "transpose": kernel("transpose", (peer.MATRIX, peer.MATRIX), "f4", lambda out, a: (a, out, np.int32(peer.MATRIX))),
    "sum": kernel("sum", peer.SUM_BLOCKS, "f4", lambda out, x: (x, out, np.uint32(peer.SUM))),
}

peer.main(lambda: cp.zeros(1), first, launch, KERNELS, cp.cuda.Device().synchronize)
