# ricochet: every target installs the Debian packages it needs, then does its work.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 300
DEMO ?= bouncing-ball
BENCH_OPTIONS ?=

# Without the test packages only the program can be built; once the tests are in the build folder they stay there.
first_time := $(if $(wildcard build/CMakeCache.txt),,-DRICOCHET_BUILD_TESTS=OFF -DRICOCHET_BUILD_BENCH=OFF)

.PHONY: help setup demo build test test-long bench fuzz asan tsan format check-format install package wheel playground site clean

help:
	@echo "make demo      build, run a scenario from the gallery, show its result"
	@echo "make test      build and run every test; a quarter of the cases again under sanitizers, fuzz targets briefly"
	@echo "make test-long the same with many more random cases, sanitizers on all, FUZZ_SECONDS=$(FUZZ_SECONDS) a fuzz target: an hour"
	@echo "make build     the program, build/ricochet"
	@echo "make bench     benchmarks                  (BENCH_OPTIONS=--benchmark_filter=ball)"
	@echo "make install   headers, library, program   (PREFIX=$(PREFIX))"
	@echo "make package   Debian packages and an archive that needs nothing, in build/packages"
	@echo "make wheel     the Python module for pip, in build/packages"
	@echo "make playground  the program as a page, build/playground.html"
	@echo "make site      the documentation with the playground in it, build/site"
	@echo "make format    formats the sources         (make check-format only looks)"
	@echo "make asan      tests under the address and undefined-behaviour sanitizers, fuzz targets"
	@echo "make tsan      tests under the thread sanitizer"
	@echo "make fuzz      each fuzz target for FUZZ_SECONDS=$(FUZZ_SECONDS)"
	@echo "make setup     installs the packages of tools/packages.txt that are missing"
	@echo "make clean     removes the build folders"

setup:
	@tools/setup.sh

build:
	@tools/setup.sh build
	@cmake --preset release $(first_time) >/dev/null
	@cmake --build --preset release --parallel $(JOBS) --target ricochet ricochet_cli

demo: build
	@mkdir -p build/demo && cd build/demo && ../ricochet run gallery:$(DEMO) --report $(DEMO).html
	@echo "The files are in build/demo; open build/demo/$(DEMO).html in a browser."

test: setup
	@JOBS=$(JOBS) SAMPLE=4 tools/test.sh release asan

test-long: setup
	@JOBS=$(JOBS) RANDOM_CASES=2000 FUZZ_SECONDS=$(FUZZ_SECONDS) tools/test.sh release asan

asan tsan: setup
	@JOBS=$(JOBS) tools/test.sh $@

fuzz: setup
	@JOBS=$(JOBS) FUZZ_SECONDS=$(FUZZ_SECONDS) tools/test.sh fuzz

bench: setup
	@cmake --preset release -DRICOCHET_BUILD_BENCH=ON >/dev/null
	@cmake --build --preset release --parallel $(JOBS) --target ricochet_bench
	@echo 'Debian builds Google Benchmark with its assertions on and so says "DEBUG"; they lie outside of what is timed.'
	@build/bench/ricochet_bench $(BENCH_OPTIONS)

format: setup
	@tools/format.sh

check-format: setup
	@tools/format.sh --check

install: build
	@cmake --install build --prefix "$(PREFIX)" >build/install.log || { tail -n 5 build/install.log; exit 1; }
	@echo "Installed into $(PREFIX)."

package: build
	@tools/setup.sh test package playground
	@cmake --preset release >/dev/null
	@cmake --build --preset release --parallel $(JOBS) --target ricochet_cli ricochet_python ricochet_portable ricochet_manual ricochet_playground
	@tools/package.sh

wheel: build
	@tools/setup.sh test playground
	@tools/wheel.sh

playground: build
	@tools/setup.sh playground
	@cmake --preset release >/dev/null
	@cmake --build --preset release --parallel $(JOBS) --target ricochet_cli ricochet_playground
	@cd build && ./ricochet playground -o playground.html >/dev/null
	@echo "Open build/playground.html in a browser."

site: playground
	@tools/setup.sh test
	@tools/site.sh

clean:
	rm -rf build build-debug build-asan build-tsan
