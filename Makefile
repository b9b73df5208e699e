# Each goal sets up by itself what it needs: a virtual environment in .venv and a release build of the Rust core.
# Wanted on the machine: Python 3.11 or later, a Rust toolchain, make; for tests/browser also Chromium, for archives on a server PostgreSQL, for Spark Java.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
SOURCES := $(shell find crates -name '*.rs' -o -name '*.txt' -o -name 'Cargo.toml') Cargo.toml Cargo.lock pyproject.toml

# Hundreds of tests start the command: what Python has compiled for one of them is kept for the next.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-spark check lint bench bench-quality packages rust build fuzz golden floors clean

demo: build
	@$(BIN)/python demo/run.py

# Packages wait for the network, pip for the disk, cargo for the processors: so they go side by side.
# The tests on Spark share one session, so one process does them all.
test:
	@$(MAKE) --no-print-directory --jobs=3 .venv/spark rust packages
	@$(MAKE) --no-print-directory build
	$(BIN)/python -m pytest -n auto --dist loadgroup -rs

test-spark: build packages .venv/spark
	$(BIN)/python -m pytest tests/spark -rs

# The module, and not its core alone: of other libraries it wants more, so that they and the core would be built again.
rust:
	cargo build --quiet --release -p samestory-py
	cargo test --quiet --workspace --exclude samestory-py

check: lint
	cargo clippy --quiet --workspace --all-targets -- -D warnings

# what is checked in seconds: clippy builds everything once more
lint: build
	cargo fmt --all --check
	$(BIN)/ruff format --check src tests benchmarks demo
	$(BIN)/ruff check src tests benchmarks demo
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: build
	$(BIN)/python benchmarks/run.py --samestory $(BIN)/samestory
	$(BIN)/python benchmarks/detectors.py --samestory $(BIN)/samestory
	$(BIN)/python benchmarks/loss.py --samestory $(BIN)/samestory
	$(BIN)/python benchmarks/detectors.py --write docs/results.md
	$(BIN)/python benchmarks/loss.py --write docs/results.md

floors: build
	$(BIN)/python -m tests.quality.floors

bench-quality: build
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

golden: build
	$(BIN)/python -m tests.golden

# Changes pages at random for SECONDS, and keeps in .fuzz what the parser or an extractor cannot bear.
SECONDS ?= 60
SEED ?= $(shell date +%s)
fuzz: build
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS) --seed $(SEED)

# The tests of pages want a browser, those of archives a server to start, those on Spark Java. What is missing is
# installed where that is allowed; elsewhere these tests are skipped.
packages:
	@missing=; \
	command -v chromium >/dev/null || command -v chromium-browser >/dev/null || missing="chromium fonts-dejavu-core"; \
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || missing="$$missing postgresql"; \
	command -v java >/dev/null || missing="$$missing default-jre-headless"; \
	test -z "$$missing" || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq && \
	  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
	} || echo "not here, and they cannot be installed: $$missing. The tests that want them are skipped"

build: .venv/built

.venv/made: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --group dev
	touch $@

# Only for tests: 460 MB.
.venv/spark: .venv/made
	$(BIN)/python -m pip install --quiet 'pandas>=2.2' 'pyspark>=4.0'
	touch $@

.venv/built: .venv/made $(SOURCES)
	. .venv/bin/activate && maturin develop --release --quiet
	touch $@

clean:
	rm -rf .venv target .bench .fuzz
