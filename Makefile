# The commands of the project; `make help` lists them. Cargo builds the library, CMake installs it.

PREFIX ?= /usr/local
# Profile of cargo for the installed library: release, or quick for a build that takes a fraction of the time.
PROFILE ?= release
# ON compiles the Fortran modules and installs them for this compiler, in addition to their sources.
FORTRAN_MODULES ?= OFF
DESTDIR ?=
CC ?= cc
CFLAGS ?= -O2
PYTHON ?= build/python/bin/python

.DEFAULT_GOAL := help
.PHONY: help demo library install uninstall test torture bench bench-bindings bench-command bench-python bench-instructions bench-page bench-scaling r-package wheel source-tarball package docs lint clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1	/p' $(MAKEFILE_LIST)

demo: ## build the library, compile the example in C, run it on a real file
	@scripts/setup.sh demo
	@scripts/build-library.sh
	@mkdir -p build/demo
	$(CC) $(CFLAGS) -Iinclude examples-c/quickstart.c -Lbuild/lib -lasdfkit -Wl,-rpath,'$(CURDIR)/build/lib' -o build/demo/quickstart
	build/demo/quickstart examples-c/quickstart.asdf build/demo/written.asdf

library: ## build the library and its CMake package
	@scripts/setup.sh build
	@cmake --preset package -DASDFKIT_CARGO_PROFILE=$(PROFILE) -DASDFKIT_INSTALL_FORTRAN_MODULES=$(FORTRAN_MODULES)
	@cmake --build --preset package

# Without cargo (as under sudo) this installs what `make library` has built.
install: ## install library, headers, Fortran sources, CMake package and .pc files under PREFIX (and DESTDIR)
	@if command -v cargo >/dev/null || [ ! -e build/cmake/lib ]; then $(MAKE) --no-print-directory library; fi
	@DESTDIR='$(DESTDIR)' cmake --install build/cmake --prefix '$(abspath $(PREFIX))'

uninstall: ## remove the files that the last install wrote
	@cmake -DDESTDIR='$(DESTDIR)' -P cmake/uninstall.cmake

test: ## set up what the tests need and run all that are fast
	@scripts/setup.sh test
	@$(PYTHON) scripts/run_tests.py

torture: ## run the slow tests
	@scripts/setup.sh torture
	@$(PYTHON) scripts/run_tests.py --torture

bench: ## compare with other libraries in one run (ROUNDS=n for fewer or more rounds)
	@scripts/setup.sh test
	@$(PYTHON) -m pip --quiet --disable-pip-version-check install --require-hashes -r scripts/requirements-bench.txt
	@$(PYTHON) benches/run.py

bench-bindings: ## compare calls by the C++ and Fortran bindings with the same calls of the C interface
	@scripts/setup.sh test
	@$(MAKE) --no-print-directory install PREFIX=build/prefix
	@$(PYTHON) benches/bindings.py

bench-command: ## compare the command with asdftool and h5diff (needs the Debian package hdf5-tools)
	@scripts/setup.sh test
	@$(PYTHON) -m pip --quiet --disable-pip-version-check install --require-hashes -r scripts/requirements-bench.txt
	@$(MAKE) --no-print-directory install PREFIX=build/prefix
	@$(PYTHON) benches/command.py build/prefix/bin/asdfkit

bench-instructions: ## count the instructions of small operations and compare them (benches/instructions.json)
	@scripts/setup.sh test
	@$(PYTHON) benches/instructions.py

bench-page: ## write the figures of the last `make bench` into docs/guide/performance.md
	@scripts/setup.sh test
	@$(PYTHON) -m pip --quiet --disable-pip-version-check install matplotlib
	@$(PYTHON) benches/page.py

bench-python: ## compare the Python package with astropy and Python asdf
	@scripts/setup.sh test
	@$(MAKE) --no-print-directory install PREFIX=build/prefix
	@PYTHONPATH=bindings/python/src ASDFKIT_LIBRARY='$(CURDIR)/build/prefix/lib/libasdfkit.so' $(PYTHON) benches/python_package.py

wheel: ## make a wheel of the Python package that holds the library, in build/wheel
	@scripts/setup.sh test
	@$(PYTHON) scripts/build-wheel.py

source-tarball: ## make the source tarball, which holds the crates and builds without network, in build/source
	@scripts/setup.sh package
	@python3 scripts/build-source-tarball.py

package: ## make Debian packages and the source tarball in build/packages (PROFILE=quick for a faster build)
	@scripts/setup.sh package
	@scripts/build-debian-packages.sh $(PROFILE)

docs: ## build the manual in build/manual/html
	@python3 scripts/build-manual.py

r-package: ## make the source package of R that holds the library, in build/r
	@scripts/setup.sh test
	@$(PYTHON) scripts/build-r-package.py

bench-scaling: ## plot how time grows with size and number of blocks (docs/reference/scaling.png)
	@scripts/setup.sh test
	@$(PYTHON) -m pip --quiet --disable-pip-version-check install matplotlib
	@$(PYTHON) benches/scaling.py

lint: ## check formatting and lints
	@scripts/setup.sh test
	@scripts/lint.sh

clean: ## remove all that was built
	rm -rf build target
