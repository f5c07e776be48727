VENV ?= .venv
PY := $(VENV)/bin/python

PIP := $(PY) -m pip --disable-pip-version-check install -q

.PHONY: demo test check lint types contracts golden docs clean lock

$(VENV)/.ready: requirements/dev.txt setup.cfg pyproject.toml
	test -x $(PY) || python3 -m venv $(VENV)
	$(PIP) --require-hashes -r requirements/dev.txt
	$(PIP) --no-deps --no-build-isolation -e .
	touch $@

# Tools of the release, apart from the package: what they need never mixes with what it needs.
TOOLS := build/tools
$(TOOLS)/.ready: requirements/release.txt
	test -x $(TOOLS)/bin/python || python3 -m venv $(TOOLS)
	$(TOOLS)/bin/python -m pip --disable-pip-version-check install -q --require-hashes -r requirements/release.txt
	touch $@

demo: $(VENV)/.ready
	$(VENV)/bin/ncuanalyze fixtures/demo.ncu-rep.xz
	$(VENV)/bin/ncuanalyze fixtures/demo.ncu-rep.xz --format html -o demo.html --force

test: $(VENV)/.ready
	$(PY) -m pytest

check: lint types contracts test

lint: $(VENV)/.ready
	$(VENV)/bin/ruff check .

types: $(VENV)/.ready
	$(VENV)/bin/mypy

contracts: $(VENV)/.ready
	$(VENV)/bin/lint-imports

golden: $(VENV)/.ready
	$(PY) -m pytest tests/golden --update-golden

docs: $(VENV)/.ready
	$(VENV)/bin/ncuanalyze rules --format markdown -o rules/README.md --force
	$(PY) tools/diagnosis_schema.py
	$(PY) benchmarks/gain_table.py --write docs/diagnosis.md

clean:
	rm -rf $(VENV) build dist *.egg-info

LOCK := $(TOOLS)/bin/uv pip compile -q --universal --python-version 3.11 --generate-hashes --custom-compile-command 'make lock'
lock: $(TOOLS)/.ready
	$(LOCK) setup.cfg requirements/build.in --extra dev -o requirements/dev.txt
	$(LOCK) requirements/release.in -o requirements/release.txt
	$(LOCK) requirements/fuzz.in -o requirements/fuzz.txt
