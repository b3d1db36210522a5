#!/bin/bash
# Builds presets and runs their tests:  tools/test.sh release asan fuzz
# Environment: JOBS (all processors), FUZZ_SECONDS (a fuzz target's time).
set -uo pipefail
cd "$(dirname "$0")/.."

jobs="${JOBS:-$(nproc)}"
quiet=(-- --quiet)
[[ -t 1 ]] && quiet=() # on a terminal ninja shows one moving line
passed=0 failed=0

for preset in "$@"; do
  echo "== $preset: build"
  configure=(cmake --preset "$preset")
  [[ "$preset" == release ]] && configure+=(-DRICOCHET_BUILD_TESTS=ON -DRICOCHET_BUILD_BENCH=ON)
  if ! "${configure[@]}" >/dev/null || ! cmake --build --preset "$preset" --parallel "$jobs" "${quiet[@]}"; then
    echo "test: the $preset build failed; nothing further was tested" >&2
    exit 1
  fi

  # Only failures and the summary are worth a line.
  echo "== $preset: test"
  log="$(mktemp)"
  ctest --preset "$preset" --parallel "$jobs" --no-tests=error --timeout $((${FUZZ_SECONDS:-20} + 280)) |
    tee "$log" | grep --line-buffered -vE '^ +Start +[0-9]+: |Test +#[0-9]+: .* Passed +[0-9.]+ sec$|^Test project '
  result=${PIPESTATUS[0]}
  read -r bad all < <(sed -nE 's/^[0-9]+% tests passed, ([0-9]+) tests? failed out of ([0-9]+).*/\1 \2/p' "$log")
  rm -f "$log"
  [[ $result -ne 0 && "${bad:-0}" -eq 0 ]] && bad=1 all=1
  failed=$((failed + bad)) passed=$((passed + all - bad))
done

echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
