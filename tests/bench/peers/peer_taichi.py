"""Taichi, which parallelises a kernel's outermost loop; arrays are its ndarrays."""

import numpy as np
import taichi as ti

import peer

vector = ti.types.ndarray(dtype=ti.f32, ndim=1)
image = ti.types.ndarray(dtype=ti.i32, ndim=1)
matrix = ti.types.ndarray(dtype=ti.f32, ndim=2)


@ti.kernel
def copy(x: vector, y: vector):
    for i in x:
        y[i] = x[i]


@ti.kernel
def saxpy(a: ti.f32, x: vector, y: vector, out: vector):
    for i in x:
        out[i] = a * x[i] + y[i]


@ti.func
def erf(x):
    # Taichi has no erf: Abramowitz and Stegun 7.1.26, to 1.5e-7.
    t = 1 / (1 + 0.3275911 * abs(x))
    y = 1 - ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t * ti.exp(-x * x)
    return ti.select(x < 0, -y, y)


@ti.kernel
def black_scholes(spot: vector, strike: vector, years: vector, call: vector):
    for i in spot:
        spread = 0.3 * ti.sqrt(years[i])
        d1 = (ti.log(spot[i] / strike[i]) + (0.02 + 0.5 * 0.3 * 0.3) * years[i]) / spread
        n1 = 0.5 * (1 + erf(d1 * 0.70710678))
        n2 = 0.5 * (1 + erf((d1 - spread) * 0.70710678))
        call[i] = spot[i] * n1 - strike[i] * ti.exp(-0.02 * years[i]) * n2


@ti.kernel
def mandelbrot(count: image, size: ti.i32, iterations: ti.i32):
    ti.loop_config(block_dim=256)
    for index in count:
        cx = -2.2 + 3.0 * (index % size) / size
        cy = -1.5 + 3.0 * (index // size) / size
        x, y, n = 0.0, 0.0, 0
        while n < iterations and x * x + y * y <= 4.0:
            x, y = x * x - y * y + cx, 2 * x * y + cy
            n += 1
        count[index] = n


@ti.kernel
def nbody(x: vector, y: vector, z: vector, mass: vector, force: vector, bodies: ti.i32):
    ti.loop_config(block_dim=256)
    for i in range(bodies):
        sx = ti.simt.block.SharedArray((256,), ti.f32)
        sy = ti.simt.block.SharedArray((256,), ti.f32)
        sz = ti.simt.block.SharedArray((256,), ti.f32)
        sm = ti.simt.block.SharedArray((256,), ti.f32)
        t = i % 256
        px, py, pz, total = x[i], y[i], z[i], 0.0
        for tile in range(bodies // 256):
            j = tile * 256 + t
            sx[t], sy[t], sz[t], sm[t] = x[j], y[j], z[j], mass[j]
            ti.simt.block.sync()
            for k in range(256):
                dx, dy, dz = sx[k] - px, sy[k] - py, sz[k] - pz
                inverse = ti.rsqrt(dx * dx + dy * dy + dz * dz + 1e-3)
                total += dx * sm[k] * inverse * inverse * inverse
            ti.simt.block.sync()
        force[i] = total


@ti.kernel
def transpose(a: matrix, out: matrix):
    for row, column in a:
        out[column, row] = a[row, column]


@ti.kernel
def total(x: vector, partial: vector, size: ti.i32, parts: ti.i32):
    ti.loop_config(block_dim=256)
    for part in range(parts * 256):
        mine = 0.0
        i = part
        while i < size:
            mine += x[i]
            i += parts * 256
        ti.atomic_add(partial[part // 256], mine)


def array(values):
    result = ti.ndarray(ti.i32 if values.dtype == np.int32 else ti.f32, values.shape)
    result.from_numpy(values)
    return result


def floats(value, count=1000):
    return array(np.full(count, value, np.float32))


def start():
    ti.init(arch=ti.cuda, log_level=ti.ERROR, default_fp=ti.f32)


def first():
    x, y = floats(1), floats(0)
    return lambda: copy(x, y)


def launch():
    x, y, out = floats(1), floats(1), floats(0)
    return lambda: saxpy(2.0, x, y, out)


def kernel(shape, dtype, call):
    def make(*given):
        out = array(np.full(shape, -1, dtype))
        arrays = [array(values) for values in given]
        return (lambda: call(out, *arrays)), out.to_numpy

    return make


def sum_into(out, x):
    out.fill(0)
    total(x, out, peer.SUM, peer.SUM_BLOCKS)


KERNELS = {
    "saxpy": kernel((peer.SAXPY,), np.float32, lambda out, x, y: saxpy(2.5, x, y, out)),
    "black_scholes": kernel((peer.OPTIONS,), np.float32, lambda out, spot, strike, years: black_scholes(spot, strike, years, out)),
    "mandelbrot": kernel((peer.IMAGE**2,), np.int32, lambda out: mandelbrot(out, peer.IMAGE, peer.ITERATIONS)),
    "nbody": kernel((peer.BODIES,), np.float32, lambda out, x, y, z, mass: nbody(x, y, z, mass, out, peer.BODIES)),
    "transpose": kernel((peer.MATRIX, peer.MATRIX), np.float32, lambda out, a: transpose(a, out)),
    "sum": kernel((peer.SUM_BLOCKS,), np.float32, sum_into),
}

peer.main(start, first, launch, KERNELS, ti.sync)
