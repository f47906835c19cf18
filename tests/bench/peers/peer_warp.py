"""NVIDIA Warp: Python functions of one thread, compiled with NVRTC; its cache on disk is always on."""

import numpy as np
import warp as wp

import peer

floats = wp.array(dtype=wp.float32)
table = wp.array2d(dtype=wp.float32)


@wp.kernel(module="unique")  # else its first call compiles all kernels of this file
def copy(x: floats, size: wp.uint32, y: floats):
    i = wp.uint32(wp.tid())
    if i < size:
        y[i] = x[i]


@wp.kernel
def saxpy(a: wp.float32, x: floats, y: floats, out: floats):
    i = wp.tid()
    out[i] = a * x[i] + y[i]


@wp.kernel
def black_scholes(spot: floats, strike: floats, years: floats, call: floats):
    i = wp.tid()
    spread = 0.3 * wp.sqrt(years[i])
    d1 = (wp.log(spot[i] / strike[i]) + (0.02 + 0.5 * 0.3 * 0.3) * years[i]) / spread
    n1 = 0.5 * (1.0 + wp.erf(d1 * 0.70710678))
    n2 = 0.5 * (1.0 + wp.erf((d1 - spread) * 0.70710678))
    call[i] = spot[i] * n1 - strike[i] * wp.exp(-0.02 * years[i]) * n2


@wp.kernel
def mandelbrot(count: wp.array(dtype=wp.int32), size: wp.int32, iterations: wp.int32):
    row, column = wp.tid()
    cx = -2.2 + 3.0 * float(column) / float(size)
    cy = -1.5 + 3.0 * float(row) / float(size)
    x = float(0.0)
    y = float(0.0)
    n = int(0)
    while n < iterations and x * x + y * y <= 4.0:
        following = x * x - y * y + cx
        y = 2.0 * x * y + cy
        x = following
        n += 1
    count[row * size + column] = n


@wp.kernel
def nbody(x: floats, y: floats, z: floats, mass: floats, force: floats, bodies: wp.int32):
    i = wp.tid()
    px = x[i]
    py = y[i]
    pz = z[i]
    total = float(0.0)
    for j in range(bodies):
        dx = x[j] - px
        dy = y[j] - py
        dz = z[j] - pz
        inverse = 1.0 / wp.sqrt(dx * dx + dy * dy + dz * dz + 1.0e-3)
        total += dx * mass[j] * inverse * inverse * inverse
    force[i] = total


@wp.kernel
def transpose(a: table, out: table):
    row, column = wp.tid()
    tile = wp.tile_load(a, shape=(32, 32), offset=(row * 32, column * 32), storage="shared")
    wp.tile_store(out, wp.tile_transpose(tile), offset=(column * 32, row * 32))


SPAN = wp.constant(peer.SUM // peer.SUM_BLOCKS)


@wp.kernel
def total(x: floats, partial: floats):
    i = wp.tid()
    partial_sum = wp.tile_zeros(shape=1024, dtype=wp.float32)
    for begin in range(0, SPAN, 1024):
        partial_sum += wp.tile_load(x, shape=1024, offset=i * SPAN + begin)
    wp.tile_store(partial, wp.tile_sum(partial_sum), offset=i)


def first():
    x, y = wp.full(1000, 1.0, wp.float32), wp.zeros(1000, wp.float32)
    return lambda: wp.launch(copy, dim=1000, inputs=[x, wp.uint32(1000), y], block_dim=128)


def launch():
    x, y, out = (wp.full(1000, 1.0, wp.float32) for _ in range(3))
    return lambda: wp.launch(saxpy, dim=1000, inputs=[2.0, x, y, out])


def kernel(shape, dtype, start, function, dim, arguments, **options):
    def make(*given):
        out = wp.full(shape, start, dtype)
        values = arguments(out, *(wp.array(array, dtype=wp.float32) for array in given))
        return (lambda: start_kernel(function, dim=dim, inputs=values, **options)), out.numpy

    start_kernel = wp.launch_tiled if options else wp.launch
    return make


f4 = wp.float32
TILES = peer.MATRIX // 32
KERNELS = {
    "saxpy": kernel(peer.SAXPY, f4, -1, saxpy, peer.SAXPY, lambda out, x, y: [2.5, x, y, out]),
    "black_scholes": kernel(peer.OPTIONS, f4, -1, black_scholes, peer.OPTIONS, lambda out, spot, strike, years: [spot, strike, years, out]),
    "mandelbrot": kernel(
        peer.IMAGE**2, wp.int32, -1, mandelbrot, (peer.IMAGE, peer.IMAGE), lambda out: [out, peer.IMAGE, peer.ITERATIONS]
    ),
    "nbody": kernel(peer.BODIES, f4, -1, nbody, peer.BODIES, lambda out, x, y, z, mass: [x, y, z, mass, out, peer.BODIES]),
    "transpose": kernel((peer.MATRIX, peer.MATRIX), f4, -1, transpose, (TILES, TILES), lambda out, a: [a, out], block_dim=256),
    "sum": kernel(peer.SUM_BLOCKS, f4, -1, total, peer.SUM_BLOCKS, lambda out, x: [x, out], block_dim=256),
}

wp.config.log_level = wp.LOG_ERROR
peer.main(wp.init, first, launch, KERNELS, wp.synchronize)
