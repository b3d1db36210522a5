#!/bin/bash
# Installs the Debian packages of tools/packages.txt that are missing.
#
#   tools/setup.sh            all of them
#   tools/setup.sh build …    only the groups named
set -euo pipefail

list="$(dirname "$0")/packages.txt"
groups="$*"

# Names of the wanted groups; all without arguments.
wanted=()
while read -r name hash group _; do
  [[ -z "$name" || "$name" == \#* ]] && continue
  [[ "$hash" == "#" && "$group" == *: ]] || { echo "setup: $list: \"$name\" needs \"# group: what for\"" >&2; exit 1; }
  [[ -z "$groups" || " $groups " == *" ${group%:} "* ]] && wanted+=("$name")
done <"$list"
[[ ${#wanted[@]} -gt 0 ]] || { echo "setup: no package of $list is in the groups: $groups" >&2; exit 1; }

# Those that are not installed.
command -v dpkg-query >/dev/null || {
  echo "setup: this is not a Debian system; install by hand what corresponds to: ${wanted[*]}" >&2
  exit 1
}
# (dpkg-query fails when it does not know a name, and still lists the others.)
installed=" $(dpkg-query -W -f '${db:Status-Status}:${Package}\n' "${wanted[@]}" 2>/dev/null | sed -n 's/^installed://p' | tr '\n' ' ' || true)"
missing=()
for name in "${wanted[@]}"; do
  [[ "$installed" == *" $name "* ]] && continue
  # Other packages of Node.js bring npm with them, and do not go with Debian's.
  [[ "$name" == npm ]] && command -v npm >/dev/null && continue
  missing+=("$name")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

# Install them: as root, or through sudo (which may ask only on a terminal).
by_hand="apt-get update && apt-get install ${missing[*]}"
as_root=()
if [[ $(id -u) -ne 0 ]]; then
  as_root=(sudo)
  [[ -t 0 ]] || as_root+=(-n)
  command -v sudo >/dev/null && "${as_root[@]}" true || {
    echo "setup: packages are missing, and this user cannot install them. As root: $by_hand" >&2
    exit 1
  }
fi
echo "setup: installing ${missing[*]}"
log="$(mktemp)"
trap 'rm -f "$log"' EXIT
as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=120)
if ! { "${as_root[@]}" update && "${as_root[@]}" install --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 </dev/null; then
  grep -E '^[EW]:' "$log" | tail -n 5 >&2 || true
  echo "setup: apt-get could not install them. By hand, as root: $by_hand" >&2
  exit 1
fi
