# The commands of the project; `make help` lists them. Cargo builds the library, CMake installs it.

PREFIX ?= /usr/local
# Profile of cargo for the installed library: release, or quick for a build that takes a fraction of the time.
PROFILE ?= release
# ON compiles the Fortran modules and installs them for this compiler, in addition to their sources.
FORTRAN_MODULES ?= OFF
DESTDIR ?=
# What `make bench` does: compare with other libraries, or what the names in benches/bench.sh stand for.
WHAT ?= libraries
CC ?= cc
CFLAGS ?= -O2
PYTHON ?= build/python/bin/python

.DEFAULT_GOAL := help
.PHONY: help demo library install install-schemas install-formats install-remote uninstall test torture soak bench r-package wheel source-tarball package docs lint clean

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

# Wheels are zip archives, which the library reads as they are.
install-schemas: ## install the schemas that `asdfkit validate` checks under PREFIX (and DESTDIR), from PyPI
	@python3 -m pip download --quiet --disable-pip-version-check --require-hashes --no-deps --only-binary :all: \
	    --dest '$(DESTDIR)$(abspath $(PREFIX))/share/asdfkit/schemas' --requirement scripts/requirements-schemas.txt

# A library of its own, for FITS. It needs cfitsio: Debian package libcfitsio-dev.
install-formats: ## build and install libasdfkit_formats and its header under PREFIX (and DESTDIR)
	@scripts/setup.sh formats
	@DESTDIR='$(DESTDIR)' scripts/install-formats.sh '$(abspath $(PREFIX))'

# A library of its own, for files on servers.
install-remote: ## build and install libasdfkit_remote and its header under PREFIX (and DESTDIR)
	@scripts/setup.sh remote
	@DESTDIR='$(DESTDIR)' scripts/install-remote.sh '$(abspath $(PREFIX))'

uninstall: ## remove the files that the last install wrote
	@cmake -DDESTDIR='$(DESTDIR)' -P cmake/uninstall.cmake

# The first suite sets up what the others need, beside the build of the library. It needs Python itself.
test: ## set up what the tests need and run all that are fast
	@scripts/setup.sh build
	@command -v python3 >/dev/null || scripts/setup.sh test
	@python3 scripts/run_tests.py

torture: ## run the slow tests
	@scripts/setup.sh torture
	@$(PYTHON) scripts/run_tests.py --torture

soak: ## run the tests that take hours, before a release
	@scripts/setup.sh soak
	@$(PYTHON) scripts/run_tests.py --soak

bench: ## measure what WHAT names: libraries, bindings, command, fits, instructions, python, scaling; or write the page
	@benches/bench.sh $(WHAT)

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

lint: ## check formatting and lints
	@scripts/setup.sh test
	@scripts/lint.sh

clean: ## remove all that was built
	rm -rf build target
