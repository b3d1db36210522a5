#!/bin/bash
# Makes what people install, from the release build:  tools/package.sh   (after it: build/packages)
#   ricochet_VERSION_ARCHITECTURE.deb, python3-ricochet_VERSION_ARCHITECTURE.deb
#   ricochet-VERSION-linux-ARCHITECTURE.tar.gz: needs libc alone, runs from any folder
set -euo pipefail
cd "$(dirname "$0")/../build"
mkdir -p packages
rm -f packages/*.deb packages/*.tar.gz

cpack -G DEB -B packages >packages/log 2>&1 || { tail -n 20 packages/log >&2; exit 1; }
rm -rf packages/log packages/_CPack_Packages packages/*.json

name="ricochet-$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' CMakeCache.txt)-linux-$(uname -m)"
cmake --install . --component portable --strip --prefix "$PWD/packages/$name" >/dev/null
tar -C packages --owner=0 --group=0 --sort=name -czf "packages/$name.tar.gz" "$name"
rm -r "packages/${name:?}"
ls -1sh --block-size=k packages
