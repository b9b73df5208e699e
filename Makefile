# Each goal sets up by itself what it needs: a virtual environment in .venv and a release build of the Rust core.
# Wanted on the machine: Python 3.11 or later, a Rust toolchain, make; for tests/browser also Chromium, for archives on a server PostgreSQL.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
SOURCES := $(shell find crates -name '*.rs' -o -name '*.txt' -o -name 'Cargo.toml') Cargo.toml Cargo.lock pyproject.toml

.PHONY: demo test test-spark check lint bench bench-quality browser server java build fuzz golden floors clean

demo: build
	@$(BIN)/python demo/run.py

test: build browser server
	cargo test --quiet --workspace --exclude samestory-py
	$(BIN)/python -m pytest -n auto -rs

# The laws on Spark. Apart, since to fetch and start it takes minutes: 460 MB, and Java; without it `test` skips them.
test-spark: build java
	@$(BIN)/python -c 'import pyspark' 2>/dev/null || $(BIN)/pip install --quiet 'pandas>=2.2' 'pyspark>=4.0'
	$(BIN)/python -m pytest tests/spark -rs

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

# The tests that look at pages want a browser. It is installed where that is allowed; elsewhere they are skipped.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || { \
	  test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq && \
	  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null; \
	} || echo "no chromium, and it cannot be installed here: the tests in tests/browser are skipped"

# The tests of archives on a server start one of their own, and want its programs in the same way.
server:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || { \
	  test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq && \
	  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql >/dev/null; \
	} || echo "no PostgreSQL, and it cannot be installed here: the tests that want a server are skipped"

# The tests on Spark want Java.
java:
	@command -v java >/dev/null || { \
	  test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq && \
	  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends openjdk-17-jre-headless >/dev/null; \
	} || echo "no Java, and it cannot be installed here: the tests on Spark are skipped"

build: .venv/built

.venv/made: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --group dev
	touch $@

.venv/built: .venv/made $(SOURCES)
	. .venv/bin/activate && maturin develop --release --quiet
	touch $@

clean:
	rm -rf .venv target .bench .fuzz
