"""cupyx.jit, CuPy's kernels in Python."""

import cupy as cp
import cupyx.scipy.special
import numpy as np
from cupyx import jit

import peer
from cuda_kernels import LAUNCH

erf = cupyx.scipy.special.erf


@jit.rawkernel()
def copy(x, size, y):
    tid = jit.blockIdx.x * jit.blockDim.x + jit.threadIdx.x
    ntid = jit.gridDim.x * jit.blockDim.x
    for i in range(tid, size, ntid):
        y[i] = x[i]


@jit.rawkernel()
def saxpy(a, x, y, out, size):
    i = jit.blockIdx.x * jit.blockDim.x + jit.threadIdx.x
    if i < size:
        out[i] = a * x[i] + y[i]


@jit.rawkernel()
def black_scholes(spot, strike, years, call):
    i = jit.blockIdx.x * jit.blockDim.x + jit.threadIdx.x
    spread = cp.float32(0.3) * cp.sqrt(years[i])
    d1 = (cp.log(spot[i] / strike[i]) + cp.float32(0.02 + 0.5 * 0.3 * 0.3) * years[i]) / spread
    n1 = cp.float32(0.5) * (cp.float32(1) + erf(d1 * cp.float32(0.70710678)))
    n2 = cp.float32(0.5) * (cp.float32(1) + erf((d1 - spread) * cp.float32(0.70710678)))
    call[i] = spot[i] * n1 - strike[i] * cp.exp(cp.float32(-0.02) * years[i]) * n2


@jit.rawkernel()
def mandelbrot(count, size, iterations):
    column = cp.int32(jit.blockIdx.x * jit.blockDim.x + jit.threadIdx.x)
    row = cp.int32(jit.blockIdx.y * jit.blockDim.y + jit.threadIdx.y)
    cx = cp.float32(-2.2) + cp.float32(3) * cp.float32(column) / cp.float32(size)
    cy = cp.float32(-1.5) + cp.float32(3) * cp.float32(row) / cp.float32(size)
    x = cp.float32(0)
    y = cp.float32(0)
    n = cp.int32(0)
    while n < iterations and x * x + y * y <= cp.float32(4):
        following = x * x - y * y + cx
        y = cp.float32(2) * x * y + cy
        x = following
        n += cp.int32(1)
    count[row * size + column] = n


@jit.rawkernel()
def nbody(x, y, z, mass, force, bodies):
    sx = jit.shared_memory(cp.float32, 256)
    sy = jit.shared_memory(cp.float32, 256)
    sz = jit.shared_memory(cp.float32, 256)
    sm = jit.shared_memory(cp.float32, 256)
    t = cp.int32(jit.threadIdx.x)
    i = cp.int32(jit.blockIdx.x * 256 + jit.threadIdx.x)
    px = x[i]
    py = y[i]
    pz = z[i]
    total = cp.float32(0)
    for tile in range(0, bodies, 256):
        sx[t] = x[tile + t]
        sy[t] = y[tile + t]
        sz[t] = z[tile + t]
        sm[t] = mass[tile + t]
        jit.syncthreads()
        for j in range(256):
            dx = sx[j] - px
            dy = sy[j] - py
            dz = sz[j] - pz
            inverse = cp.float32(1) / cp.sqrt(dx * dx + dy * dy + dz * dz + cp.float32(1e-3))
            total += dx * sm[j] * inverse * inverse * inverse
        jit.syncthreads()
    force[i] = total


@jit.rawkernel()
def transpose(a, out, size):
    tile = jit.shared_memory(cp.float32, 32 * 33)
    tx = cp.int32(jit.threadIdx.x)
    ty = cp.int32(jit.threadIdx.y)
    bx = cp.int32(jit.blockIdx.x) * 32
    by = cp.int32(jit.blockIdx.y) * 32
    x = bx + tx
    y = by + ty
    for j in range(0, 32, 8):
        tile[(ty + j) * 33 + tx] = a[(y + j) * size + x]
    jit.syncthreads()
    x = by + tx
    y = bx + ty
    for j in range(0, 32, 8):
        out[(y + j) * size + x] = tile[tx * 33 + ty + j]


@jit.rawkernel()
def sum_blocks(x, partial, size):
    shared = jit.shared_memory(cp.float32, 256)
    t = cp.int32(jit.threadIdx.x)
    mine = cp.float32(0)
    for i in range(jit.blockIdx.x * 256 + jit.threadIdx.x, size, jit.gridDim.x * 256):
        mine += x[i]
    shared[t] = mine
    jit.syncthreads()
    half = cp.int32(128)
    while half > 0:
        if t < half:
            shared[t] += shared[t + half]
        jit.syncthreads()
        half //= 2
    if t == 0:
        partial[jit.blockIdx.x] = shared[0]


def first():
    x, y = cp.ones(1000, cp.float32), cp.zeros(1000, cp.float32)
    return lambda: copy((10,), (100,), (x, np.uint32(1000), y))


def launch():
    x, y, out = (cp.ones(1000, cp.float32) for _ in range(3))
    return lambda: saxpy((4,), (256,), (np.float32(2), x, y, out, np.uint32(1000)))


def kernel(name, function, shape, dtype, arguments):
    def make(*given):
        out = cp.full(shape, -1, dtype)
        values = arguments(out, *(cp.asarray(array).ravel() for array in given))
        return (lambda: function(*LAUNCH[name], values)), (lambda: cp.asnumpy(out).reshape(shape))

    return make


KERNELS = {
    "saxpy": kernel("saxpy", saxpy, peer.SAXPY, "f4", lambda out, x, y: (np.float32(2.5), x, y, out, np.uint32(peer.SAXPY))),
    "black_scholes": kernel("black_scholes", black_scholes, peer.OPTIONS, "f4", lambda out, spot, strike, years: (spot, strike, years, out)),
    "mandelbrot": kernel("mandelbrot", mandelbrot, peer.IMAGE**2, "i4", lambda out: (out, np.int32(peer.IMAGE), np.int32(peer.ITERATIONS))),
    "nbody": kernel("nbody", nbody, peer.BODIES, "f4", lambda out, x, y, z, mass: (x, y, z, mass, out, np.int32(peer.BODIES))),
    "transpose": kernel("transpose", transpose, (peer.MATRIX, peer.MATRIX), "f4", lambda out, a: (a, out.ravel(), np.int32(peer.MATRIX))),
    "sum": kernel("sum", sum_blocks, peer.SUM_BLOCKS, "f4", lambda out, x: (x, out, np.uint32(peer.SUM))),
}

peer.main(lambda: cp.zeros(1), first, launch, KERNELS, cp.cuda.Device().synchronize)
