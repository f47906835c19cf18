"""What every Python peer measures, in one process: `peer_NAME.py first | all`. Prints lines of `what value`.

first: milliseconds from the first call of a copy kernel to its end, with the device's context up and the compiler's package imported.
all: that, and then
launch: microseconds of the host for a warm launch of saxpy, median over batches.
kernels: milliseconds of each kernel, median over batches of launches, after its result was compared with NumPy's.
"""

import statistics
import sys
import time

import numpy as np

SAXPY = 1 << 25
OPTIONS = 1 << 24
IMAGE, ITERATIONS = 2048, 256
BODIES = 1 << 14
MATRIX = 8192
SUM, SUM_BLOCKS = 1 << 25, 1024
RATE, VOLATILITY, SOFTENING = 0.02, 0.3, 1e-3


def inputs(kernel):
    rng = np.random.default_rng(7)
    draw = lambda low, high, shape: rng.uniform(low, high, shape).astype(np.float32)
    if kernel == "saxpy":
        return draw(-1, 1, SAXPY), draw(-1, 1, SAXPY)
    if kernel == "black_scholes":
        return draw(10, 100, OPTIONS), draw(10, 100, OPTIONS), draw(0.2, 2, OPTIONS)
    if kernel == "nbody":
        return tuple(draw(-1, 1, BODIES) for _ in range(3)) + (draw(0.1, 1, BODIES),)
    if kernel == "transpose":
        return (draw(-1, 1, (MATRIX, MATRIX)),)
    if kernel == "sum":
        return (draw(0, 1, SUM),)
    return ()


def check(kernel, given, result):
    """Compares with double precision: everything where that is cheap, else a sample."""
    some = np.random.default_rng(8).integers(0, 1 << 62, 500)
    wide = [np.asarray(array, np.float64) for array in given] if kernel in ("black_scholes", "nbody") else given
    if kernel == "saxpy":
        good = np.allclose(result, 2.5 * given[0] + given[1], rtol=1e-5, atol=1e-6)
    elif kernel == "black_scholes":
        from math import erf

        spot, strike, years = (array[some % OPTIONS] for array in wide)
        spread = VOLATILITY * np.sqrt(years)
        d1 = (np.log(spot / strike) + (RATE + 0.5 * VOLATILITY**2) * years) / spread
        cdf = lambda d: 0.5 * (1 + np.array([erf(v / 2**0.5) for v in d]))
        expected = spot * cdf(d1) - strike * np.exp(-RATE * years) * cdf(d1 - spread)
        good = np.allclose(result[some % OPTIONS], expected, rtol=1e-3, atol=1e-3)
    elif kernel == "mandelbrot":
        rows = some % IMAGE
        c = (-2.2 + 3.0 * np.arange(IMAGE) / IMAGE)[None, :] + 1j * (-1.5 + 3.0 * rows / IMAGE)[:, None]
        z, count = np.zeros_like(c), np.zeros(c.shape, np.int32)
        for _ in range(ITERATIONS):
            inside = np.abs(z) <= 2
            count += inside
            z = np.where(inside, z * z + c, z)
        good = np.mean(np.asarray(result).reshape(IMAGE, IMAGE)[rows] == count) > 0.99  # rounding moves single points of the border
    elif kernel == "nbody":
        x, y, z, mass = wide
        i = some[:50] % BODIES
        dx = x[None, :] - x[i, None]
        weight = mass / (dx**2 + (y[None, :] - y[i, None]) ** 2 + (z[None, :] - z[i, None]) ** 2 + SOFTENING) ** 1.5
        good = np.allclose(result[i], (dx * weight).sum(1), rtol=1e-2, atol=1.0)
    elif kernel == "transpose":
        good = np.array_equal(result, given[0].T)
    elif kernel == "sum":
        good = abs(np.sum(result, dtype=np.float64) / np.sum(given[0], dtype=np.float64) - 1) < 1e-4
    if not good:
        sys.exit(f"{kernel}: the result is not NumPy's")


def batches(call, finish, count, calls):
    times = []
    for _ in range(count):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        issued = time.perf_counter() - start
        finish()
        times.append((issued / calls, (time.perf_counter() - start) / calls))
    return statistics.median(t[0] for t in times), statistics.median(t[1] for t in times)


def main(start, first, launch, kernels, finish):
    """`start()` brings the context up; `first()` and `launch()` return calls; `kernels[name](*arrays)` returns a call and a function that
    fetches its result as a NumPy array."""
    start()
    call = first()
    finish()
    begin = time.perf_counter()
    call()
    finish()
    print("first", 1e3 * (time.perf_counter() - begin))
    if sys.argv[1] == "first":
        return
    call = launch()
    call()
    finish()
    print("launch", 1e6 * batches(call, finish, 30, 300)[0])
    for name, make in kernels.items():
        given = inputs(name)
        call, result = make(*given)
        call()
        finish()
        check(name, given, result())
        print(name, 1e3 * batches(call, finish, 20, 10)[1], flush=True)
