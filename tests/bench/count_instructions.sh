#!/bin/bash
# Counts the instructions of one launch or one compilation, which no load of the machine changes, and fails where they are more than allowed.
#
#   count_instructions.sh BENCH WHAT MINUS COUNT LIMIT
#
# WHAT and MINUS are things that `bench repeat` does: the cost of MINUS (`nothing` for none) is taken off, as the driver's own call is off a
# launch. The difference between COUNT + 1 times and once leaves the start of the process out. Exits with 77 (skipped) without valgrind.
set -euo pipefail

bench=$1 what=$2 minus=$3 count=$4 limit=$5

command -v valgrind >/dev/null || {
  echo "skipped: instructions are counted by valgrind, which is not installed"
  exit 77
}

# A process that finds its kernels on disk does not compile them under valgrind.
CUTTLE_CACHE_DIR=$(mktemp -d)
export CUTTLE_CACHE_DIR
trap 'rm -rf "$CUTTLE_CACHE_DIR"' EXIT
"$bench" repeat "$what" 1

instructions() {  # WHAT TIMES
  local log
  log=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" repeat "$1" "$2" 2>&1) || {
    echo "$log" >&2
    exit 1
  }
  awk '/Collected :/ { print $4 }' <<<"$log"
}

each() {  # WHAT
  echo $((($(instructions "$1" $((count + 1))) - $(instructions "$1" 1)) / count))
}

measured=$(each "$what")
[[ $minus == nothing ]] || measured=$((measured - $(each "$minus")))
echo "$what takes $measured instructions; $limit are allowed"
((measured <= limit)) || {
  echo "If the new cost is worth it, raise the limit in tests/bench/CMakeLists.txt and say why in docs/performance.md."
  exit 1
}
