"""Where the tests of this folder find their input."""

from pathlib import Path

FIXTURES = Path(__file__).parents[2] / "fixtures"
ODD = FIXTURES / "odd"
TRIPLES = FIXTURES / "triples"
VARIANTS = FIXTURES / "variants"
DEMO = FIXTURES / "demo.ncu-rep.xz"
LABELLED = Path(__file__).parents[3] / "shared" / "planted"
MANY_GPUS = Path(__file__).parents[3] / "shared" / "arch"
