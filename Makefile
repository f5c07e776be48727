VENV ?= .venv
PY := $(VENV)/bin/python

PIP := $(PY) -m pip --disable-pip-version-check install -qq

.PHONY: demo test check lint types contracts golden docs clean lock \
	fuzz package-test test-minimum sbom

$(VENV)/.ready: requirements/dev.txt setup.cfg pyproject.toml
	test -x $(PY) || python3 -m venv $(VENV)
	$(PIP) --require-hashes -r requirements/dev.txt
	$(PIP) --no-deps --no-build-isolation -e .
	touch $@

# Tools of the release, apart from the package: what they need never mixes with what it needs.
TOOLS := build/tools
$(TOOLS)/.ready: requirements/release.txt
	test -x $(TOOLS)/bin/python || python3 -m venv $(TOOLS)
	$(TOOLS)/bin/python -m pip --disable-pip-version-check install -qq --require-hashes -r requirements/release.txt
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

# All locks are made together: `make lock` after a change to setup.cfg or requirements/*.in.
LOCK := $(TOOLS)/bin/uv pip compile -q --python-version 3.11 --generate-hashes --custom-compile-command 'make lock'
FULL := zstd parquet batch remote dask query charts
lock: $(TOOLS)/.ready
	$(LOCK) --universal setup.cfg requirements/build.in --extra dev -o requirements/dev.txt
	$(LOCK) --universal setup.cfg $(FULL:%=--extra %) -c requirements/dev.txt -o requirements/full.txt
	$(LOCK) --universal requirements/release.in -o requirements/release.txt
	$(LOCK) requirements/fuzz.in -o requirements/fuzz.txt
	$(LOCK) requirements/minimum.in -o requirements/minimum.txt

# The sdist, the wheel made from it, and the wheel installed alone with the newest dependencies it allows.
package-test: $(VENV)/.ready $(TOOLS)/.ready
	rm -rf dist
	$(TOOLS)/bin/python -m build -q --no-isolation
	NCUANALYZE_DIST=$(CURDIR)/dist $(PY) -m pytest tests/packaging

# The oldest dependencies that setup.cfg allows.
MINIMUM := build/minimum
test-minimum:
	test -x $(MINIMUM)/bin/python || python3 -m venv $(MINIMUM)
	$(MINIMUM)/bin/python -m pip --disable-pip-version-check install -qq --require-hashes -r requirements/minimum.txt
	$(MINIMUM)/bin/python -m pip --disable-pip-version-check install -qq --no-deps --no-build-isolation -e .
	$(MINIMUM)/bin/python -m pytest -p no:cacheprovider

# What the package and its dependencies are made of, with their licences, in the versions of the lock: dist/sbom.cdx.json.
SBOM := build/sbom
sbom: $(TOOLS)/.ready
	$(TOOLS)/bin/python -m venv --clear --without-pip $(SBOM)
	$(TOOLS)/bin/python -m pip --disable-pip-version-check --python $(SBOM)/bin/python install -qq --no-deps --require-hashes -r requirements/full.txt
	$(TOOLS)/bin/cyclonedx-py environment --output-reproducible --of JSON -o $(SBOM)/found.json $(SBOM)/bin/python
	$(TOOLS)/bin/python tools/bill_of_materials.py $(SBOM)/found.json dist/sbom.cdx.json

# FUZZ_SECONDS a target; `make fuzz FUZZ_SECONDS=600` for longer. Without atheris (no wheel for this Python): hypothesis.
FUZZ_SECONDS ?= 30
FUZZ_TARGETS := report_text packed_report saved_diagnosis saved_comparison thresholds budget section
fuzz: $(VENV)/.ready
	FUZZ_TIMES=10 $(PY) -m pytest tests/fuzz
	mkdir -p build && $(PY) fuzz/mutate_reports.py 1000 --keep build/mutated
	if $(PIP) --require-hashes -r requirements/fuzz.txt; then for target in $(FUZZ_TARGETS); do \
		$(PY) fuzz/coverage_guided.py $$target -max_total_time=$(FUZZ_SECONDS) -max_len=100000 -timeout=10 -artifact_prefix=build/ || exit 1; \
	done; fi
