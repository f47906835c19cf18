#!/usr/bin/env python3
"""cuttle next to what Python has for writing kernels, on one GPU: `compare.py [--rounds N] [--seconds S] [PEER...]`.

Every number comes from a process of its own; peers take turns, and each number is the median of the rounds. Cold: the first call with empty
caches. Warm: the first call of a process that finds its kernel on disk. A peer whose package is absent, or that fails, is named with the reason. One
that has used up its seconds is left out of the rounds that follow. Rows are printed as they come, on stderr.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

here = pathlib.Path(__file__).resolve().parent
PEERS = {
    "cuttle": [str(here.parent / "peer_cuttle")],
    **{name: [sys.executable, str(here / f"peer_{name}.py")] for name in ("raw_kernel", "cupyx_jit", "pycuda", "numba", "warp", "triton", "taichi", "jax")},
}
CACHES = ("CUTTLE_CACHE_DIR", "CUPY_CACHE_DIR", "NUMBA_CACHE_DIR", "TRITON_CACHE_DIR", "JAX_COMPILATION_CACHE_DIR", "TI_OFFLINE_CACHE_FILE_PATH",
          "WARP_CACHE_PATH", "XDG_CACHE_HOME", "CUDA_CACHE_PATH")


def measure(peer, mode, cache, left):
    """The numbers of one process, whose time is taken from the peer's seconds in `left`."""
    environment = {**os.environ, **{name: f"{cache}/{name}" for name in CACHES}, "XLA_PYTHON_CLIENT_PREALLOCATE": "false"}
    start = time.monotonic()
    try:
        ended = subprocess.run([*PEERS[peer], mode], env=environment, capture_output=True, text=True, timeout=max(left[peer], 1))
    finally:
        left[peer] -= time.monotonic() - start
    if ended.returncode != 0:
        raise RuntimeError((ended.stderr.strip().splitlines() or [f"status {ended.returncode}"])[-1])
    lines = (line.split() for line in ended.stdout.splitlines())
    return {words[0]: float(words[1]) for words in lines if len(words) == 2}  # a package may print lines of its own


def one_round(peer, left):
    with tempfile.TemporaryDirectory() as cache:
        cold = measure(peer, "first", cache, left)["first"]
        warm = measure(peer, "all", cache, left)
    return {"cold ms": cold, "warm ms": warm.pop("first"), "launch us": warm.pop("launch"), **warm}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=240, help="for each peer, in all rounds together")
    parser.add_argument("peers", nargs="*", help="of " + ", ".join(PEERS) + "; all where none is named")
    arguments = parser.parse_args()
    peers = arguments.peers or list(PEERS)
    if unknown := set(peers) - set(PEERS):
        parser.error("there is no peer " + ", ".join(unknown))

    rows, absent, late = {}, {}, set()
    left = dict.fromkeys(peers, arguments.seconds)
    for _ in range(arguments.rounds):
        for peer in peers:
            if peer in absent or peer in late:
                continue
            try:
                row = one_round(peer, left)
                print(f"{peer}: " + ", ".join(f"{what} {value:.4g}" for what, value in row.items()), file=sys.stderr, flush=True)
                for what, value in row.items():
                    rows.setdefault(peer, {}).setdefault(what, []).append(value)
            except subprocess.TimeoutExpired:
                late.add(peer)
            except (RuntimeError, OSError) as error:
                absent[peer] = str(error)
                rows.pop(peer, None)
                print(f"{peer} fails: {error}", file=sys.stderr, flush=True)
    columns = list(next(iter(rows.values()), {}))
    print("median of", arguments.rounds, "rounds; kernels in ms")
    print(f"{'':12}" + "".join(f"{column:>14}" for column in columns))
    for peer, row in rows.items():
        print(f"{peer:12}" + "".join(f"{statistics.median(row[column]):14.4g}" for column in columns))
    absent |= {peer: f"its {arguments.seconds:g} seconds were not enough for a round" for peer in late - rows.keys()}
    for peer, reason in absent.items():
        print(f"{peer:12} not measured: {reason}")


if __name__ == "__main__":
    main()
