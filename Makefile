# Every target first creates the virtual environment in .venv and builds the Rust core, quickly; benchmarks build it as
# it is released, with all optimisations.
# Required: Python 3.11 or later, a Rust toolchain, make; optional: Chromium for tests/browser, PostgreSQL for archives on a server, Java for Spark.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
SOURCES := $(shell find crates -name '*.rs' -o -name '*.txt' -o -name 'Cargo.toml') Cargo.toml Cargo.lock pyproject.toml

# Hundreds of tests start the command: keep the bytecode that Python compiles.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-spark check lint bench bench-quality bench-event docs screenshots packages rust build release fuzz golden floors campaign new-detector detector-table lock notice audit wheel clean

# Installs the three packages that the command needs, not those of the tests.
demo: .venv/built
	@$(BIN)/python demo/run.py

# Packages need the network, pip the disk, cargo the processors: they are installed and built in parallel.
# The Spark tests share one session, so they run in one process.
test:
	@$(MAKE) --no-print-directory --jobs=3 .venv/tests rust packages
	@$(MAKE) --no-print-directory build
	$(BIN)/python -m pytest -n auto --dist loadgroup -rs

test-spark: build packages .venv/tests
	$(BIN)/python -m pytest tests/spark -rs

# Build the Python module, not only the core: it enables more features of common dependencies, which would be rebuilt.
rust:
	@cargo build --quiet --profile quick -p samestory-py
	@cargo test --quiet --workspace --exclude samestory-py

check: lint
	cargo clippy --quiet --workspace --all-targets -- -D warnings

# fast checks; clippy, in `check`, builds everything again
lint: build
	cargo fmt --all --check
	$(BIN)/ruff format --check src tests benchmarks demo scripts docs/conf.py docs/_extensions
	$(BIN)/ruff check src tests benchmarks demo scripts docs
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: release
	$(BIN)/python benchmarks/run.py --samestory $(BIN)/samestory
	$(BIN)/python benchmarks/detectors.py --samestory $(BIN)/samestory
	$(BIN)/python benchmarks/loss.py --samestory $(BIN)/samestory
	$(BIN)/python benchmarks/table.py --write docs/results.md
	$(BIN)/python benchmarks/picture.py
	$(BIN)/python benchmarks/detectors.py --write docs/results.md
	$(BIN)/python benchmarks/loss.py --write docs/results.md

floors: build
	$(BIN)/python -m tests.quality.floors

bench-quality: release
	$(BIN)/python benchmarks/quality.py --samestory $(BIN)/samestory
	$(BIN)/python benchmarks/quality.py --write docs/results.md
	$(BIN)/python benchmarks/audit.py --samestory $(BIN)/samestory
	$(BIN)/python benchmarks/audit.py --write docs/results.md
	$(BIN)/python benchmarks/detectors.py --write docs/results.md
	$(BIN)/python benchmarks/entities.py --samestory $(BIN)/samestory
	$(BIN)/python benchmarks/entities.py --write docs/results.md
	$(BIN)/python benchmarks/extraction.py
	$(BIN)/python benchmarks/extraction.py --write docs/results.md
	$(BIN)/python benchmarks/hard_news.py
	$(BIN)/python benchmarks/hard_news.py --write docs/results.md
	$(BIN)/python benchmarks/scripts_news.py
	$(BIN)/python benchmarks/scripts_news.py --write docs/results.md
	$(MAKE) --no-print-directory bench-event

# the figures of event and fusion on judged and dated news; DATA is the folder of the collections
EVENT := crowded short_news event_terms event_lengths across_languages
bench-event: release
	@test -d $(DATA) || { echo "bench-event: no collections in $(DATA): make bench-event DATA=DIR"; exit 1; }
	$(BIN)/python benchmarks/event_trees.py --data $(DATA) --judge
	$(BIN)/python benchmarks/vectors.py --data $(DATA) --judge
	$(BIN)/python benchmarks/vectors.py --data $(DATA) --judge --model letters
	$(foreach name,$(EVENT),$(BIN)/python benchmarks/$(name).py --data $(DATA) &&) true
	$(BIN)/python benchmarks/loss.py --news $(DATA) --articles 20k --samestory $(BIN)/samestory
	$(foreach name,$(EVENT) event_trees vectors loss,$(BIN)/python benchmarks/$(name).py --write docs/results.md &&) true
DATA ?= ../shared/data

# write the skeleton of a detector: make new-detector NAME=same-words [RUST=1]
new-detector:
	$(PYTHON) scripts/new_detector.py $(NAME) $(if $(RUST),--rust)

detector-table:
	$(PYTHON) scripts/detector_table.py

# lock the versions for development and release, with checksums
lock:
	@command -v uv >/dev/null || { echo "lock: uv is not installed: pip install uv"; exit 1; }
	@mkdir -p requirements
	uv pip compile $(LOCK) --group build --output-file requirements/build.txt pyproject.toml
	uv pip compile $(LOCK) --group docs --output-file requirements/docs.txt pyproject.toml
	uv pip compile $(LOCK) --group dev --output-file requirements/dev.txt pyproject.toml
	uv pip compile $(LOCK) --extra portal --extra postgres --output-file requirements/release.txt pyproject.toml

LOCK := --quiet --universal --strip-extras --python-version 3.11 --generate-hashes --no-annotate --no-header --no-emit-index-url

# update the section of NOTICE about the crates in the native module
notice:
	$(PYTHON) scripts/licences.py

# check the locked versions for known vulnerabilities and their licences; unavailable checks are skipped with a reason
audit:
	$(PYTHON) scripts/audit.py

# build a wheel and its bill of materials
wheel: build
	$(BIN)/maturin build --release --quiet --out dist
	$(BIN)/python scripts/sbom.py dist

golden: build
	$(BIN)/python -m tests.golden

# Gives changed inputs for SECONDS to everything that reads bytes from outside; .fuzz has those that fail.
SECONDS ?= 60
SEED ?= $(shell date +%s)
fuzz: build
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) --seed $(SEED)

# Attack archives, files and servers for half an hour; the findings are written to docs/concepts/promises.md.
campaign: build
	@$(BIN)/python -m tests.hostile.campaign --scale $(SCALE); found=$$?; \
	$(BIN)/python -m tests.hostile.campaign --write docs/concepts/promises.md; exit $$found
SCALE ?= 1

# System packages for tests: Chromium for pages, PostgreSQL for archives, Java for Spark. Missing packages are installed
# if the user is root; otherwise these tests are skipped.
packages:
	@missing=; \
	command -v chromium >/dev/null || command -v chromium-browser >/dev/null || missing="chromium fonts-dejavu-core"; \
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || missing="$$missing postgresql"; \
	command -v java >/dev/null || missing="$$missing default-jre-headless"; \
	test -z "$$missing" || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq && \
	  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
	} || echo "missing packages that cannot be installed: $$missing; the tests that require them are skipped"

build: .venv/made .venv/built

# The documentation as a site that needs no network: .site/index.html.
docs: .venv/docs .venv/built
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going --doctree-dir .site/.doctrees docs .site
	@echo "open .site/index.html"

# Pictures of every page of the portal, in two widths and two themes: .artefacts/screenshots.
screenshots: build packages
	$(BIN)/python scripts/screenshots.py

release: .venv/made .venv/released

.venv/bin/python:
	@$(PYTHON) -m venv .venv
	@$@ -m pip install --quiet --upgrade 'pip>=25.3'

# Install the locked versions; if a mirror lacks one of them, the newest versions that pyproject.toml allows.
INSTALL = $(BIN)/python -m pip install --quiet --requirement requirements/$(1).txt || $(BIN)/python -m pip install --quiet --group $(1)

# What maturin prints, its messages about every package of an extra included, is shown if it fails.
MATURIN = . .venv/bin/activate && { maturin develop $(1) --quiet >.venv/build.log 2>&1 || { cat .venv/build.log; exit 1; }; }

.venv/runtime: .venv/bin/python pyproject.toml requirements/build.txt
	@test -e .venv/made || echo "installing three packages and building the native core: a minute or two" >&2
	@$(call INSTALL,build)
	@touch $@

.venv/made: .venv/bin/python pyproject.toml requirements/dev.txt
	@echo "installing what the tests need" >&2
	@$(call INSTALL,dev)
	@touch $@

.venv/docs: .venv/made requirements/docs.txt
	@$(call INSTALL,docs)
	@touch $@

# Only for tests: Spark, 460 MB, and what builds the site.
.venv/tests: .venv/docs
	@$(BIN)/python -m pip install --quiet 'pandas>=2.2' 'pyspark>=4.0'
	@touch $@

.venv/built: .venv/runtime $(SOURCES)
	@$(call MATURIN,--profile quick)
	@rm -f .venv/released
	@touch $@

.venv/released: .venv/runtime $(SOURCES)
	@$(call MATURIN,--release)
	@touch .venv/built $@

clean:
	rm -rf .venv target .bench .fuzz .site
