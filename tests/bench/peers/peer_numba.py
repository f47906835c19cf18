"""numba-cuda, with its disk cache on."""

import math

import numpy as np
from numba import cuda, float32, int32

import peer
from cuda_kernels import LAUNCH


@cuda.jit(cache=True)
def copy(x, size, y):
    for i in range(cuda.grid(1), size, cuda.gridsize(1)):
        y[i] = x[i]


@cuda.jit(cache=True)
def saxpy(a, x, y, out, size):
    i = cuda.grid(1)
    if i < size:
        out[i] = a * x[i] + y[i]


@cuda.jit(cache=True)
def black_scholes(spot, strike, years, call):
    i = cuda.grid(1)
    spread = float32(0.3) * math.sqrt(years[i])
    d1 = (math.log(spot[i] / strike[i]) + float32(0.02 + 0.5 * 0.3 * 0.3) * years[i]) / spread
    n1 = float32(0.5) * (float32(1) + math.erf(d1 * float32(0.70710678)))
    n2 = float32(0.5) * (float32(1) + math.erf((d1 - spread) * float32(0.70710678)))
    call[i] = spot[i] * n1 - strike[i] * math.exp(float32(-0.02) * years[i]) * n2


@cuda.jit(cache=True)
def mandelbrot(count, size, iterations):
    column, row = cuda.grid(2)
    cx = float32(-2.2) + float32(3) * float32(column) / float32(size)
    cy = float32(-1.5) + float32(3) * float32(row) / float32(size)
    x = float32(0)
    y = float32(0)
    n = int32(0)
    while n < iterations and x * x + y * y <= float32(4):
        following = x * x - y * y + cx
        y = float32(2) * x * y + cy
        x = following
        n += int32(1)
    count[row * size + column] = n


@cuda.jit(cache=True)
def nbody(x, y, z, mass, force, bodies):
    sx = cuda.shared.array(256, float32)
    sy = cuda.shared.array(256, float32)
    sz = cuda.shared.array(256, float32)
    sm = cuda.shared.array(256, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    px, py, pz = x[i], y[i], z[i]
    total = float32(0)
    for tile in range(0, bodies, 256):
        sx[t] = x[tile + t]
        sy[t] = y[tile + t]
        sz[t] = z[tile + t]
        sm[t] = mass[tile + t]
        cuda.syncthreads()
        for j in range(256):
            dx, dy, dz = sx[j] - px, sy[j] - py, sz[j] - pz
            inverse = float32(1) / math.sqrt(dx * dx + dy * dy + dz * dz + float32(1e-3))
            total += dx * sm[j] * inverse * inverse * inverse
        cuda.syncthreads()
    force[i] = total


@cuda.jit(cache=True)
def transpose(a, out, size):
    tile = cuda.shared.array((32, 33), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    x, y = cuda.blockIdx.x * 32 + tx, cuda.blockIdx.y * 32 + ty
    for j in range(0, 32, 8):
        tile[ty + j, tx] = a[(y + j) * size + x]
    cuda.syncthreads()
    x, y = cuda.blockIdx.y * 32 + tx, cuda.blockIdx.x * 32 + ty
    for j in range(0, 32, 8):
        out[(y + j) * size + x] = tile[tx, ty + j]


@cuda.jit(cache=True)
def sum_blocks(x, partial, size):
    shared = cuda.shared.array(256, float32)
    t = cuda.threadIdx.x
    mine = float32(0)
    for i in range(cuda.grid(1), size, cuda.gridsize(1)):
        mine += x[i]
    shared[t] = mine
    cuda.syncthreads()
    half = 128
    while half > 0:
        if t < half:
            shared[t] += shared[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = shared[0]


def first():
    x, y = cuda.to_device(np.ones(1000, np.float32)), cuda.to_device(np.zeros(1000, np.float32))
    return lambda: copy[10, 100](x, np.uint32(1000), y)


def launch():
    x, y, out = (cuda.to_device(np.ones(1000, np.float32)) for _ in range(3))
    return lambda: saxpy[4, 256](np.float32(2), x, y, out, np.uint32(1000))


def kernel(name, function, shape, dtype, arguments):
    def make(*given):
        out = cuda.to_device(np.full(np.prod(shape), -1, dtype))
        values = arguments(out, *(cuda.to_device(array.ravel()) for array in given))
        configured = function[LAUNCH[name]]
        return (lambda: configured(*values)), (lambda: out.copy_to_host().reshape(shape))

    return make


KERNELS = {
    "saxpy": kernel("saxpy", saxpy, peer.SAXPY, "f4", lambda out, x, y: (np.float32(2.5), x, y, out, np.uint32(peer.SAXPY))),
    "black_scholes": kernel("black_scholes", black_scholes, peer.OPTIONS, "f4", lambda out, spot, strike, years: (spot, strike, years, out)),
    "mandelbrot": kernel("mandelbrot", mandelbrot, peer.IMAGE**2, "i4", lambda out: (out, np.int32(peer.IMAGE), np.int32(peer.ITERATIONS))),
    "nbody": kernel("nbody", nbody, peer.BODIES, "f4", lambda out, x, y, z, mass: (x, y, z, mass, out, np.int32(peer.BODIES))),
    "transpose": kernel("transpose", transpose, (peer.MATRIX, peer.MATRIX), "f4", lambda out, a: (a, out, np.int32(peer.MATRIX))),
    "sum": kernel("sum", sum_blocks, peer.SUM_BLOCKS, "f4", lambda out, x: (x, out, np.uint32(peer.SUM))),
}

peer.main(lambda: cuda.current_context(), first, launch, KERNELS, cuda.synchronize)
