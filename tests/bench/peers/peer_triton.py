"""Triton, over PyTorch's tensors."""

import numpy as np
import torch
import triton
import triton.language as tl

import peer


@triton.jit
def copy(x, size, y, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, i < size), i < size)


@triton.jit
def saxpy(a, x, y, out, size, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, a * tl.load(x + i, i < size) + tl.load(y + i, i < size), i < size)


@triton.jit
def black_scholes(spot, strike, years, call, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    s, k, t = tl.load(spot + i), tl.load(strike + i), tl.load(years + i)
    spread = 0.3 * tl.sqrt(t)
    d1 = (tl.log(s / k) + (0.02 + 0.5 * 0.3 * 0.3) * t) / spread
    n1 = 0.5 * (1 + tl.erf(d1 * 0.70710678))
    n2 = 0.5 * (1 + tl.erf((d1 - spread) * 0.70710678))
    tl.store(call + i, s * n1 - k * tl.exp(-0.02 * t) * n2)


@triton.jit
def mandelbrot(count, size, iterations, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    cx = -2.2 + 3.0 * (i % size).to(tl.float32) / size
    cy = -1.5 + 3.0 * (i // size).to(tl.float32) / size
    x = tl.zeros((BLOCK,), tl.float32)
    y = tl.zeros((BLOCK,), tl.float32)
    n = tl.zeros((BLOCK,), tl.int32)
    step = 0
    inside = x == x
    while (step < iterations) & (tl.max(inside.to(tl.int32), 0) > 0):
        n += inside.to(tl.int32)
        following = x * x - y * y + cx
        y = tl.where(inside, 2 * x * y + cy, y)
        x = tl.where(inside, following, x)
        inside = x * x + y * y <= 4.0
        step += 1
    tl.store(count + i, n)


@triton.jit
def nbody(x, y, z, mass, force, bodies, BLOCK: tl.constexpr, TILE: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    px, py, pz = tl.load(x + i), tl.load(y + i), tl.load(z + i)
    total = tl.zeros((BLOCK,), tl.float32)
    for tile in range(0, bodies, TILE):
        j = tile + tl.arange(0, TILE)
        dx = tl.load(x + j)[None, :] - px[:, None]
        dy = tl.load(y + j)[None, :] - py[:, None]
        dz = tl.load(z + j)[None, :] - pz[:, None]
        inverse = tl.rsqrt(dx * dx + dy * dy + dz * dz + 1e-3)
        total += tl.sum(dx * tl.load(mass + j)[None, :] * inverse * inverse * inverse, 1)
    tl.store(force + i, total)


@triton.jit
def transpose(a, out, size, BLOCK: tl.constexpr):
    rows = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tile = tl.load(a + rows[:, None] * size + columns[None, :])
    tl.store(out + columns[:, None] * size + rows[None, :], tl.trans(tile))


@triton.jit
def sum_blocks(x, partial, size, stride, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), tl.float32)
    for begin in range(tl.program_id(0) * BLOCK, size, stride):
        total += tl.load(x + begin + tl.arange(0, BLOCK))
    tl.store(partial + tl.program_id(0), tl.sum(total, 0))


def first():
    x, y = torch.ones(1000, device="cuda"), torch.zeros(1000, device="cuda")
    return lambda: copy[(10,)](x, 1000, y, BLOCK=128)


def launch():
    x, y, out = (torch.ones(1000, device="cuda") for _ in range(3))
    return lambda: saxpy[(4,)](2.0, x, y, out, 1000, BLOCK=256)


def kernel(function, shape, dtype, call):
    def make(*given):
        out = torch.full(shape, -1, dtype=dtype, device="cuda")
        arrays = [torch.from_numpy(array).cuda() for array in given]
        return (lambda: call(function, out, *arrays)), (lambda: out.cpu().numpy())

    return make


f4 = torch.float32
KERNELS = {
    "saxpy": kernel(saxpy, (peer.SAXPY,), f4, lambda k, out, x, y: k[(peer.SAXPY // 1024,)](2.5, x, y, out, peer.SAXPY, BLOCK=1024)),
    "black_scholes": kernel(black_scholes, (peer.OPTIONS,), f4, lambda k, out, s, p, t: k[(peer.OPTIONS // 512,)](s, p, t, out, BLOCK=512)),
    "mandelbrot": kernel(
        mandelbrot, (peer.IMAGE**2,), torch.int32, lambda k, out: k[(peer.IMAGE**2 // 128,)](out, peer.IMAGE, peer.ITERATIONS, BLOCK=128)
    ),
    "nbody": kernel(
        nbody, (peer.BODIES,), f4, lambda k, out, x, y, z, m: k[(peer.BODIES // 64,)](x, y, z, m, out, peer.BODIES, BLOCK=64, TILE=64)
    ),
    "transpose": kernel(
        transpose, (peer.MATRIX, peer.MATRIX), f4, lambda k, out, a: k[(peer.MATRIX // 64, peer.MATRIX // 64)](a, out, peer.MATRIX, BLOCK=64)
    ),
    "sum": kernel(
        sum_blocks, (peer.SUM_BLOCKS,), f4, lambda k, out, x: k[(peer.SUM_BLOCKS,)](x, out, peer.SUM, peer.SUM_BLOCKS * 1024, BLOCK=1024)
    ),
}

peer.main(lambda: torch.zeros(1, device="cuda"), first, launch, KERNELS, torch.cuda.synchronize)
