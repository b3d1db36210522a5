#!/bin/bash
# Makes the packages of a build folder and tries each one where nothing else of ricochet is:
#   tests/install/packages.sh SOURCE BUILD WORK
set -euo pipefail
source="$1" build="$2" work="$3"
rm -rf "$work"
mkdir -p "$work"
cmake --build "$build" --target ricochet_portable ricochet_manual ricochet_python >/dev/null
"$source/tools/package.sh" >/dev/null
fail() { echo "packages: $1" >&2; exit 1; }

# The archive: alone, in an empty environment, from another folder; it asks for nothing but libc.
tar -C "$work" -xzf "$build"/packages/ricochet-*.tar.gz
mv "$work"/ricochet-* "$work/moved"
program="$work/moved/bin/ricochet"
needed="$(ldd "$program" | sed -E 's/^\s*//; s/ .*//; s#.*/##' | grep -vE '^(linux-vdso|ld-linux|lib(c|m)\.so)' || true)"
[[ -z "$needed" ]] || fail "the archive's program needs $needed"
(cd "$work" && env -i "$program" run gallery:bouncing-ball -o alone.h5 --report alone.html >/dev/null)
(cd "$work" && "$build/ricochet" run gallery:bouncing-ball -o here.csv >/dev/null && env -i "$program" run gallery:bouncing-ball -o alone.csv >/dev/null)
cmp "$work/here.csv" "$work/alone.csv" || fail "the archive's program gives other numbers"
[[ "$(env -i "$program" --version)" == *"without MPI"* ]] || fail "the archive's program does not say that it has no MPI"

# Debian's packages: installed into a root of their own, tried, removed; nothing is left.
root="$work/root"
mkdir -p "$root/var/lib/dpkg"/{info,updates,triggers}
touch "$root/var/lib/dpkg"/{status,available}
package() { dpkg --root="$root" --log=/dev/null --force-not-root --force-depends --force-script-chrootless "$@" >/dev/null 2>&1; }
package -i "$build"/packages/*.deb || fail "dpkg does not install the packages"
"$root/usr/bin/ricochet" gallery bouncing-ball | cmp - "$root/usr/share/ricochet/gallery/bouncing-ball.toml"
for verb in $("$root/usr/bin/ricochet" complete "" | grep -v '^-'); do
  zcat "$root/usr/share/man/man1/ricochet-$verb.1.gz" | grep -q '^.SH NAME' || fail "no man page for $verb"
done
PYTHONPATH="$root/usr/lib/python3/dist-packages" PATH="$root/usr/bin:$PATH" "$(command -pv python3)" -c \
  'import ricochet as rc, subprocess, sys
assert rc.__file__.startswith(sys.argv[1]), rc.__file__
assert rc.run("gallery:bouncing-ball", until=0.1).status == "completed"
subprocess.run([sys.executable, "-m", "ricochet", "--version"], check=True, stdout=subprocess.DEVNULL)' "$root"
package -r python3-ricochet ricochet || fail "dpkg does not remove the packages"
left="$(find "$root" -path "$root/var" -prune -o -type f -print)"
[[ -z "$left" ]] || fail "removal leaves $left"
