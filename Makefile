VENV ?= .venv
PY := $(VENV)/bin/python

.PHONY: demo test check lint types contracts golden docs clean

$(VENV)/.ready: setup.cfg pyproject.toml
	python3 -m venv $(VENV)
	$(PY) -m pip install -q --disable-pip-version-check -e '.[dev]'
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

clean:
	rm -rf $(VENV) build dist *.egg-info
