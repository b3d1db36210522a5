#!/bin/bash
# Builds presets and runs their tests:  tools/test.sh release asan
# Environment: JOBS (all processors), RANDOM_CASES (of a property test), FUZZ_SECONDS (a fuzz target's time), SAMPLE (of
# each suite, sanitizers see one case in so many; all by default).
set -uo pipefail
cd "$(dirname "$0")/.."

jobs="${JOBS:-$(nproc)}"
passed=0 failed=0

minutes() { printf '%d:%02d min' $(($1 / 60)) $(($1 % 60)); }

# Reads what ninja or ctest print. Of their lines of progress, "[12/187] …" and "12/1700 Test #12: … Passed …", one is
# said every 30 s, as "release: 12 of 187 objects, 0:30 min"; what else they say passes.
progress() {
  local preset="$1" things="$2" line count="" began=$SECONDS told=$SECONDS
  while IFS= read -r line; do
    if [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\  || $line =~ ^\ *([0-9]+)/([0-9]+)\ Test\ .*\ Passed\ +[0-9.]+\ sec$ ]]; then
      count="${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
      if ((SECONDS - told >= 30)); then
        told=$SECONDS
        echo "$preset: $count $things, $(minutes $((SECONDS - began)))"
      fi
    elif [[ ! $line =~ ^(\ +Start\ +[0-9]+:\ |Test\ project\ |ninja:\ no\ work) ]]; then
      echo "$line"
    fi
  done
}

# How many cases passed and failed, by ctest's log: an entry that says "12 passed, 1 failed" ran so many, another is one.
cases() {
  awk '/ Testing: / { says = good = bad = 0 }
       /^[0-9]+ (passed|failed|skipped|error)/ {
         says = 1
         for (i = 2; i <= NF; ++i) {
           if ($i ~ /^passed/) good = $(i - 1)
           if ($i ~ /^(failed|error)/) bad += $(i - 1)
         }
       }
       /^Test Passed\.$/ { passed += says ? good : 1 }
       /^Test Failed\.$/ { passed += good; failed += bad ? bad : 1 }
       END { print passed + 0, failed + 0 }' "$1"
}

build() {
  if [[ -t 1 ]]; then # ninja shows one moving line
    cmake --build --preset "$1" --parallel "$jobs"
  else
    NINJA_STATUS='[%f/%t] ' cmake --build --preset "$1" --parallel "$jobs" 2>&1 | progress "$1" objects
  fi
}

for preset in "$@"; do
  echo "== $preset: build"
  began=$SECONDS
  # The fuzz targets are a part of the build with sanitizers.
  configure=(cmake --preset "${preset/fuzz/asan}")
  # A sanitizer is slow, and looks for other things than wrong numbers: a quarter of the cases.
  cases=${RANDOM_CASES:-100}
  [[ "$preset" == asan ]] && cases=$((cases / 4))
  [[ "$preset" != fuzz ]] && configure+=("-DRICOCHET_RANDOM_CASES=$cases")
  [[ "$preset" == release ]] && configure+=(-DRICOCHET_BUILD_TESTS=ON -DRICOCHET_BUILD_BENCH=ON)
  if ! "${configure[@]}" >/dev/null || ! build "$preset"; then
    echo "test: the $preset build failed; nothing further was tested" >&2
    exit 1
  fi

  # GoogleTest has a name for a part of the cases; tests/cli/conftest.py goes by it too.
  part=()
  [[ "$preset" == asan ]] && part=("GTEST_TOTAL_SHARDS=${SAMPLE:-1}" GTEST_SHARD_INDEX=0)
  # Only failures and the summary are worth a line.
  echo "== $preset: test, built in $(minutes $((SECONDS - began)))"
  env "${part[@]}" ctest --preset "$preset" --parallel "$jobs" --no-tests=error --timeout $((${FUZZ_SECONDS:-10} + 280)) |
    progress "$preset" tests
  result=${PIPESTATUS[0]}
  folder=build
  [[ "$preset" != release ]] && folder="build-${preset/fuzz/asan}"
  read -r good bad < <(cases "$folder/Testing/Temporary/LastTest.log")
  [[ $result -ne 0 && $bad -eq 0 ]] && bad=1
  failed=$((failed + bad)) passed=$((passed + good))
done

echo "$passed passed, $failed failed"
[[ $failed -eq 0 ]]
