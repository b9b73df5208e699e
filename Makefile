# Each goal sets up by itself what it needs: a virtual environment in .venv and a release build of the Rust core.
# Wanted on the machine: Python 3.11 or later, a Rust toolchain, make.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
SOURCES := $(shell find crates -name '*.rs' -o -name '*.txt' -o -name 'Cargo.toml') Cargo.toml Cargo.lock pyproject.toml

.PHONY: demo test check bench bench-quality build golden floors clean

demo: build
	@$(BIN)/python demo/run.py

test: build
	cargo test --quiet --workspace --exclude samestory-py
	$(BIN)/python -m pytest -n auto

check: build
	cargo fmt --all --check
	cargo clippy --quiet --workspace --all-targets -- -D warnings
	$(BIN)/ruff format --check src tests benchmarks demo
	$(BIN)/ruff check src tests benchmarks demo
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: build
	$(BIN)/python benchmarks/run.py --samestory $(BIN)/samestory

floors: build
	$(BIN)/python -m tests.quality.floors

bench-quality: build
	$(BIN)/python benchmarks/quality.py --samestory $(BIN)/samestory
	$(BIN)/python benchmarks/quality.py --write docs/results.md

golden: build
	$(BIN)/python -m tests.golden

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
	rm -rf .venv target .bench
