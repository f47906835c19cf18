"""JAX under jit, which writes its kernels itself: results are new arrays."""

import os

import jax
import jax.numpy as jnp
import numpy as np

import peer

jax.config.update("jax_compilation_cache_dir", os.environ["JAX_COMPILATION_CACHE_DIR"])
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)


@jax.jit
def copy(x):
    return jnp.array(x, copy=True)


@jax.jit
def saxpy(a, x, y):
    return a * x + y


@jax.jit
def black_scholes(spot, strike, years):
    spread = peer.VOLATILITY * jnp.sqrt(years)
    d1 = (jnp.log(spot / strike) + (peer.RATE + 0.5 * peer.VOLATILITY**2) * years) / spread
    cdf = lambda d: 0.5 * (1 + jax.lax.erf(d * np.float32(0.70710678)))
    return spot * cdf(d1) - strike * jnp.exp(-peer.RATE * years) * cdf(d1 - spread)


@jax.jit
def mandelbrot():
    cx = (-2.2 + 3.0 * jnp.arange(peer.IMAGE, dtype=jnp.float32) / peer.IMAGE)[None, :]
    cy = (-1.5 + 3.0 * jnp.arange(peer.IMAGE, dtype=jnp.float32) / peer.IMAGE)[:, None]

    def step(_, state):
        x, y, n = state
        inside = x * x + y * y <= 4
        return jnp.where(inside, x * x - y * y + cx, x), jnp.where(inside, 2 * x * y + cy, y), n + inside

    zero = jnp.zeros((peer.IMAGE, peer.IMAGE), jnp.float32)
    return jax.lax.fori_loop(0, peer.ITERATIONS, step, (zero, zero, jnp.zeros_like(zero, jnp.int32)))[2]


@jax.jit
def nbody(x, y, z, mass):
    dx, dy, dz = (v[None, :] - v[:, None] for v in (x, y, z))
    inverse = jax.lax.rsqrt(dx * dx + dy * dy + dz * dz + peer.SOFTENING)
    return (dx * mass[None, :] * inverse**3).sum(1)


@jax.jit
def transpose(a):
    return a.T.copy()


@jax.jit
def sum_blocks(x):
    return x.sum()


class Last:
    """The result of the last call: to wait for it is to wait for all."""

    value = None

    @classmethod
    def of(cls, function, *arrays):
        def call():
            cls.value = function(*arrays)

        return call

    @classmethod
    def finish(cls):
        jax.block_until_ready(cls.value)


def kernel(function, *before):
    def make(*given):
        return Last.of(function, *before, *map(jax.device_put, given)), (lambda: np.asarray(Last.value))

    return make


def first():
    return Last.of(copy, jax.device_put(np.ones(1000, np.float32)))


def launch():
    x, y = (jax.device_put(np.ones(1000, np.float32)) for _ in range(2))
    return Last.of(saxpy, np.float32(2), x, y)


KERNELS = {
    "saxpy": kernel(saxpy, np.float32(2.5)),
    "black_scholes": kernel(black_scholes),
    "mandelbrot": kernel(mandelbrot),
    "nbody": kernel(nbody),
    "transpose": kernel(transpose),
    "sum": kernel(sum_blocks),
}

peer.main(lambda: jax.device_put(np.ones(1)), first, launch, KERNELS, Last.finish)
