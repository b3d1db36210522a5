#!/bin/bash
# Runs one fuzz target on its seeds:  tools/fuzz.sh PROGRAM [SEED_FOLDER | FILE.dict]…
#
# FUZZ_SECONDS unset: 10 seconds from the seeds alone, the same start every time.
# FUZZ_SECONDS=N: N seconds, and what was found is kept in corpus/ beside the program for the next run.
set -euo pipefail

program="$1"
name="$(basename "$program")"
shift
here="$(cd "$(dirname "$program")" && pwd)"
options=(-timeout=10 -rss_limit_mb=2048 -print_final_stats=1 "-artifact_prefix=$here/$name-")
seeds=()
for argument in "$@"; do
  case "$argument" in
    *.dict) options+=("-dict=$argument") ;;
    *) seeds+=("$argument") ;;
  esac
done

corpus="$here/corpus/$name"
if [[ -n "${FUZZ_SECONDS:-}" ]]; then
  options+=("-max_total_time=$FUZZ_SECONDS")
else
  corpus="$(mktemp -d)"
  trap 'rm -rf "$corpus"' EXIT
  options+=(-max_total_time=10 -seed=1)
fi
mkdir -p "$corpus"

log="$here/$name.log"
if "$program" "${options[@]}" "$corpus" "${seeds[@]}" >"$log" 2>&1; then
  grep -E '^stat::(number_of_executed_units|average_exec_per_sec)' "$log"
  exit 0
fi
grep -n -m1 -A20 -E 'ERROR:|runtime error:|terminate called' "$log" || tail -n 20 "$log"
grep 'Test unit written to' "$log" || true
echo "$name failed; all its output: $log"
exit 1
