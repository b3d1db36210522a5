#!/bin/bash
# Formats the C++ sources with clang-format; --check only names those that are not formatted.
set -euo pipefail
cd "$(dirname "$0")/.."

folders=()
for folder in include src apps tests bench examples python; do [[ -d $folder ]] && folders+=("$folder"); done
mapfile -t files < <(find "${folders[@]}" -name '*.hpp' -o -name '*.cpp' | sort)

if [[ "${1:-}" != --check ]]; then
  clang-format -i "${files[@]}"
  exit
fi
bad="$(clang-format --dry-run "${files[@]}" 2>&1 | sed -nE 's/^([^:]+):[0-9]+:[0-9]+: .*/\1/p' | sort -u)"
[[ -z "$bad" ]] && exit
echo "not formatted (make format):"
echo "$bad"
exit 1
