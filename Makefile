# Every target does its own set-up: it makes .venv and installs what it needs, again only when
# pyproject.toml or the constraints changed. Another interpreter: make test PYTHON=python3.12
# More options for pip:                  make test PIP_ARGS="--extra-index-url https://..."

PYTHON ?= python3
PIP_ARGS ?=
JOBS ?= 2

VENV := .venv
BIN := $(VENV)/bin
# An absent or half-made .venv leaves no stamp, so the next run starts over.
DEMO := $(VENV)/.installed-demo
DEV := $(VENV)/.installed-dev
DOCS := $(VENV)/.installed-docs
COMPILED := $(VENV)/.compiled
# The tests misspell names on purpose, so they are not spell checked.
SPELLED := pearljoin pearljoin_train benchmarks examples docs Makefile pyproject.toml *.md
# Only what is imported is compiled: compiling all of it takes longer than installing it.
PIP_INSTALL := $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check \
	--constraint constraints-dev.txt $(PIP_ARGS)

.PHONY: help demo test test-thorough coverage lint browser java docs linkcheck dist test-lowest test-highest clean distclean
.DELETE_ON_ERROR:

# Where bytecode is not written, every process of the tests compiles all modules that it imports.
export PYTHONDONTWRITEBYTECODE :=

help:
	@echo "make demo   join the two tables in examples/, show what matched, and write a report"
	@echo "make test   lint, type check and test (coverage: the tests alone, and which lines they run)"
	@echo "make test-thorough   more cases of the laws that make test checks"
	@echo "make lint   ruff, mypy --strict, codespell and numpydoc alone"
	@echo "make docs   build the documentation into site/, and check its links"
	@echo "make dist   build the wheel and the source distribution, and try the wheel"
	@echo "make test-lowest   the joins with the oldest supported libraries (test-highest: the newest)"
	@echo "make clean  remove caches and built files (distclean: .venv too)"

demo: $(DEMO)
	$(BIN)/python examples/demo.py

# The tests marked timing measure time, so they run alone, after the parallel ones. These have one
# thread for each process: with more, processes and threads compete, and take a third more time.
ONE_THREAD := OMP_NUM_THREADS=1
# In the order of their names the last files are short; by their number of tests, those of one long test.
TESTS := -m pytest -m "not timing and not thorough"
PARALLEL_TESTS := $(TESTS) -n $(JOBS) --dist loadfile --no-loadscope-reorder
# Files without such a test are not imported, which would take as long as the tests.
TIMING_TESTS := -m pytest -m timing $$(grep -rl --include='test_*.py' 'mark\.timing' tests)

# Programs that wait or have one process run beside mypy, which has pauses and ends on one processor.
test: $(DEV)
	$(MAKE) --no-print-directory --jobs 2 ruff types words docstrings ready
	$(ONE_THREAD) $(BIN)/python $(PARALLEL_TESTS)
	$(BIN)/python $(TIMING_TESTS)

# More cases of the same laws, for half an hour of one processor; what did not pass is told in a file that is committed.
test-thorough: $(DEV) java
	$(ONE_THREAD) $(BIN)/python -m tests.thorough --jobs $(JOBS)

# Tracing lines takes a third of the time on top, and no figure of it fails a build.
coverage: $(DEV) browser java
	$(ONE_THREAD) $(BIN)/python $(PARALLEL_TESTS) --cov --cov-report=term:skip-covered

lint: ruff types words docstrings

.PHONY: ruff types words docstrings ready
ruff: $(DEV)
	$(BIN)/ruff check .

types: $(DEV)
	$(BIN)/mypy --strict --num-workers $(JOBS)

words: $(DEV)
	$(BIN)/codespell $(SPELLED)

docstrings: $(DEV)
	$(BIN)/python -m numpydoc lint $$(find pearljoin -name '*.py')

# One after the other, as both may call apt-get.
ready: $(COMPILED)
	@$(MAKE) --no-print-directory browser
	@$(MAKE) --no-print-directory java

# Compiling what tests import takes longer than all else of collecting them, and all processes of the
# tests would do it at the same time. Of what is installed once is enough.
$(COMPILED): $(DEV)
	@$(BIN)/python $(TESTS) --collect-only >/dev/null
	@touch $@

# The report is tested in Chromium; without a browser these tests fail, they are not skipped.
browser: $(DEV)
	@$(BIN)/python tests/report/browser.py || { \
		test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
		echo "Installing Chromium, which the report is tested in ..." && \
		apt-get update -qq && \
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium \
			>/dev/null && $(BIN)/python tests/report/browser.py; }

# Tests and a recipe run Spark in its Java; without one they fail, too.
define find_java
	@$(BIN)/python tests/spark/java.py || { \
		test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
		echo "Installing Java 17, which Spark is tested on ..." && \
		apt-get update -qq && \
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
			openjdk-17-jre-headless >/dev/null && $(BIN)/python tests/spark/java.py; }
endef

java: $(DEV)
	$(find_java)

# Every example runs; a warning, a broken link or a missing anchor fails. Nothing of the site is fetched
# when it is read, so it opens from disk.
docs: $(DOCS)
	$(find_java)
	$(BIN)/python -m sphinx -b html -W --keep-going -q docs site
	$(BIN)/python docs/_ext/check_site.py site
	@echo "The documentation is in site/index.html"

# Links to other sites, which need a network.
linkcheck: $(DOCS)
	$(BIN)/python -m sphinx -b linkcheck -q docs build/linkcheck

# The wheel is tried in an empty environment, from another folder.
dist: | $(BIN)/python
	rm -rf dist build/dist
	$(PIP_INSTALL) build
	$(BIN)/python -m build --outdir dist
	$(PYTHON) -m venv build/dist
	build/dist/bin/pip install --quiet --disable-pip-version-check $(PIP_ARGS) dist/*.whl pandas
	cd build/dist && bin/python -c "import pearljoin as pj; \
		print(pj.match(['York Uni'], ['University of York', 'Kyoto University']).pairs())"
	@ls -sh dist

# PYTHON=python3.11 and PYTHON=python3.13 are the lowest and the highest that are supported.
VERSIONS := tests/test_supported_versions.py tests/test_docs.py -k "supported or README"
test-lowest: VERSION_ARGS := --constraint constraints-lowest.txt
test-lowest test-highest:
	rm -rf .venv-$@
	$(PYTHON) -m venv .venv-$@
	.venv-$@/bin/pip install --quiet --disable-pip-version-check $(PIP_ARGS) $(VERSION_ARGS) \
		'.[cli,spark]' pandas pyarrow pytest
	.venv-$@/bin/python tests/spark/java.py
	.venv-$@/bin/python -m pytest --noconftest $(VERSIONS)

clean:
	rm -rf site build dist docs/generated docs/auto_gallery .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage .coverage.*
	find pearljoin pearljoin_train benchmarks tests examples -name __pycache__ -type d \
		-not -path '*/.venv/*' -prune -exec rm -rf {} +

distclean: clean
	rm -rf $(VENV)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "pearljoin needs Python 3.11 or later. Got $$($(PYTHON) --version 2>/dev/null || echo nothing)." \
			"Hint: make $(or $(MAKECMDGOALS),demo) PYTHON=python3.12" >&2; exit 1; }
	@echo "Making $(VENV) ..."
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(DEMO): pyproject.toml constraints-dev.txt | $(BIN)/python
	@echo "Installing pearljoin into $(VENV) ..."
	$(PIP_INSTALL) --editable '.[cli]'
	@touch $@

$(DEV): pyproject.toml constraints-dev.txt | $(BIN)/python
	@echo "Installing pearljoin and the tools to develop it into $(VENV) ..."
	$(PIP_INSTALL) --editable '.[dev]'
	@touch $@ $(DEMO)

$(DOCS): pyproject.toml constraints-dev.txt | $(BIN)/python
	@echo "Installing pearljoin and the documentation tools into $(VENV) ..."
	$(PIP_INSTALL) --editable '.[docs,cli]'
	@touch $@ $(DEMO)
