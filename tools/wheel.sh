#!/bin/bash
# The Python module as a wheel in build/packages, from the release build; the program is in it as a command, with its
# playground.
set -euo pipefail
cd "$(dirname "$0")/.."
python="$(command -pv python3)"
cmake --preset release >/dev/null
cmake --build --preset release --parallel "${JOBS:-$(nproc)}" --target ricochet_python ricochet_portable ricochet_playground
mkdir -p build/packages
rm -f build/packages/*.whl
RICOCHET_BUILD_DIR="$PWD/build" "$python" -m pip wheel --quiet --no-build-isolation --no-deps --wheel-dir build/packages .
ls -1sh --block-size=k build/packages/*.whl
