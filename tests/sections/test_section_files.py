"""Our section files: well formed on every chip, complete for the diagnosis, and what they gave on an H200."""

import csv
import io
import lzma
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ncuanalyze.diagnose import diagnose
from ncuanalyze.load import load
from ncuanalyze.ruleset import load_rules
from ncuanalyze.section_lint import Level, check_file, read_section

ROOT = Path(__file__).parents[2]
RUNS = ROOT / "fixtures" / "sections"
FILES = sorted((ROOT / "sections").glob("*.section"))
SECTIONS = {path.stem: read_section(path) for path in FILES}
ARCHS = {"tu102": 75, "ga100": 80, "ga102": 86, "ad102": 89, "gh100": 90, "gb100": 100, "gb202": 120}
PASSES = {"ncuanalyze": 18, "ncuanalyze-quick": 10}
"""The most that a set may need on an H200; ncu's own full set needs 38."""


def asked(section_set, arch):
    return {name for s in SECTIONS.values() if section_set in s.sets for name in s.collected(arch)}


def text_of(name):
    return lzma.decompress((RUNS / name).read_bytes()).decode()


def columns(name):
    return next(csv.reader(io.StringIO(text_of(name))))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_is_clean_named_after_its_section_and_states_its_floor(path):
    assert [str(p) for p in check_file(path) if p.level is not Level.NOTE] == []
    assert SECTIONS[path.stem].identifier == path.stem
    assert path.stem.startswith("NcuAnalyze")
    head = path.read_text().split("Identifier:")[0]
    assert re.search(r"^# Floor: ", head, re.M)
    assert all(len(line) <= 122 for line in head.splitlines())


def test_the_readme_names_every_section_and_set():
    readme = (ROOT / "sections" / "README.md").read_text()
    named = [*SECTIONS, *{name for section in SECTIONS.values() for name in section.sets}]
    assert [name for name in named if f"`{name}`" not in readme] == []


def test_quick_is_part_of_the_whole_set():
    quick = {name for name, section in SECTIONS.items() if "ncuanalyze-quick" in section.sets}
    assert quick <= {name for name, section in SECTIONS.items() if "ncuanalyze" in section.sets}


@pytest.mark.parametrize("rule", load_rules().rules, ids=lambda rule: rule.id)
def test_the_set_collects_what_each_rule_requires(rule):
    have = asked("ncuanalyze", 90) | set(columns("planted.raw.csv.xz"))
    assert [ref.names for ref in (*rule.requires, *rule.optional) if not have & set(ref.names)] == []


FAMILIES = {
    "NcuAnalyzeTensor16": ARCHS.keys(),
    "NcuAnalyzeTensor8": {"ad102", "gh100", "gb100", "gb202"},
    "NcuAnalyzeTensor4": ARCHS.keys() - {"gh100"},
    "NcuAnalyzeTensorTf32": ARCHS.keys() - {"tu102"},
    "NcuAnalyzeTensorFp64": ARCHS.keys() - {"tu102"},
    "NcuAnalyzeTensorInt8": ARCHS.keys(),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_draws_three_memory_levels_where_the_chip_has_it(family):
    for chip, arch in ARCHS.items():
        names = SECTIONS[family].collected(arch)
        operations = [name for name in names if name.startswith("sm__ops_path_tensor_")]
        assert bool(operations) == (chip in FAMILIES[family]), chip
        if operations:
            assert {"dram__bytes.sum.peak_sustained", "dram__bytes.sum.per_second"} <= set(names)
            assert {f"derived__ncuanalyze_{level}_bytes.sum.per_second" for level in ("l1", "l2")} <= set(
                names
            )


def test_no_counter_is_collected_beside_one_that_it_holds():
    """An aggregate holds its ``_sparsity_*`` and ``op_*`` parts: adding both would count twice."""
    for arch in ARCHS.values():
        names = {name[: -len(".sum")] for name in asked("ncuanalyze", arch) if name.endswith(".sum")}
        tensor = {name for name in names if name.startswith("sm__ops_path_tensor_")}
        assert not [name for name in tensor if f"{name}_sparsity_off" in tensor]


def test_the_tensor_sections_are_what_the_table_says(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import tensor_sections

    written = {
        name: (ROOT / "sections" / f"{name}.section").read_text() for name in tensor_sections.sections()
    }
    assert written == tensor_sections.sections()
    sys.modules.pop("tensor_sections")


class Restricted:
    """The metrics of a report as if only some had been asked for."""

    def __init__(self, metrics, names):
        lists = (metrics.raw(n) for n in names if n.startswith(("breakdown:", "group:")))
        inside = {each for text in lists if isinstance(text, str) for each in text.split(",")}
        self._metrics, self._names = metrics, set(names) | inside

    def _has(self, name):
        return name in self._names or name.startswith("device__")

    def names(self):
        return [name for name in self._metrics.names() if self._has(name)]

    def raw(self, name):
        return self._metrics.raw(name) if self._has(name) else None

    def unit(self, name):
        return self._metrics.unit(name) if self._has(name) else ""

    def instances(self, name):
        return self._metrics.instances(name) if self._has(name) else ()


# Samples are of another replay than counters: here they say that 64 % of the waiting is for fences, and counters 18 %.
SAMPLED_OTHERWISE = {"fence_fix"}


def verdicts(profile, names=None):
    if names is not None:
        launches = (
            replace(each, metrics=Restricted(each.metrics, names), sections=()) for each in profile.launches
        )
        profile = replace(profile, launches=tuple(launches))
    return [
        (k.kernel.name, k.bound, k.limiter, [f.id for f in k.findings if k.kernel.name not in SAMPLED_OTHERWISE][:1])
        for k in diagnose(profile).kernels
    ]


FULL_REPORTS = [
    ROOT / "fixtures/demo.ncu-rep.xz",
    ROOT / "fixtures/reports/triton.ncu-rep.xz",
    *(
        ROOT / f"benchmarks/planted/reports/{name}.ncu-rep.xz"
        for name in ("memory", "latency", "compute", "atomics")
    ),
]


@pytest.mark.parametrize("path", FULL_REPORTS, ids=lambda path: path.name.partition(".")[0])
def test_our_sets_give_the_verdict_of_a_full_report(path):
    full = load(path)
    assert verdicts(full, asked("ncuanalyze", 90)) == verdicts(full)
    assert [v[:3] for v in verdicts(full, asked("ncuanalyze-quick", 90))] == [v[:3] for v in verdicts(full)]


@pytest.mark.parametrize(
    ("run", "section_set"),
    [
        ("planted", "ncuanalyze"),
        ("gemm", "ncuanalyze"),
        ("triton", "ncuanalyze"),
        ("gemm_quick", "ncuanalyze-quick"),
    ],
)
def test_a_run_needs_few_passes_and_has_every_metric_of_its_set(run, section_set):
    profile = load(RUNS / f"{run}.raw.csv.xz")
    assert {launch.number("profiler__replayer_passes") for launch in profile.launches} <= set(
        map(float, range(1, PASSES[section_set] + 1))
    )
    found = set(columns(f"{run}.raw.csv.xz"))
    lists = ("breakdown:", "group:", "sass__inst_executed_per_opcode")
    assert {name for name in asked(section_set, 90) - SINCE_THE_RUNS if not name.startswith(lists)} <= found


# Added after the recorded runs; instrumented (smsp__sass_*) like others of the set, so in a pass that it has anyway.
SINCE_THE_RUNS = {"smsp__sass_inst_executed_op_ldgsts.sum", "smsp__sass_inst_executed_op_tma_ld.sum"}

GEMMS = {  # NVTX range -> (counter after sm__ops_path_tensor_, 2MNK)
    "gemm_bf16_4096": ("op_hgmma_src_bf16_dst_fp32_sparsity_off", 2 * 4096**3),
    "gemm_fp16_4096": ("op_hgmma_src_fp16_sparsity_off", 2 * 4096**3),
    "gemm_tf32_4096": ("op_hgmma_src_tf32_dst_fp32_sparsity_off", 2 * 4096**3),
    "gemm_fp8_4096": ("src_fp8_sparsity_off", 2 * 4096**3),
    "gemm_int8_4096": ("op_imma_src_int8_sparsity_off", 2 * 4096**3),
    "gemm_fp64_2048": ("src_fp64", 2 * 2048**3),
    "gemm_sparse24_fp16_4096": ("op_hgmma_src_fp16_sparsity_on", 2 * 4096**3),
}


def test_the_gemm_suite_counts_exactly_2mnk():
    counted = {}
    for launch in load(RUNS / "gemm.raw.csv.xz").launches:
        for name in launch.metrics.names():
            if name.startswith("sm__ops_path_tensor_") and name.endswith(".sum") and launch.number(name):
                counted.setdefault(name[len("sm__ops_path_tensor_") : -len(".sum")], set()).add(
                    launch.number(name)
                )
    assert {
        name: flop in counted.get(counter, ()) for name, (counter, flop) in GEMMS.items()
    } == dict.fromkeys(GEMMS, True)


def test_ncu_listed_every_section_without_an_error():
    listing = text_of("list.txt.xz")
    assert "Error" not in listing
    assert [name for name in SECTIONS if not re.search(rf"^{name} ", listing, re.M)] == []
    assert re.search(r"^NcuAnalyzeVerdict +ncuanalyze verdict", listing, re.M)


def test_the_charts_are_in_the_report():
    details = text_of("gemm_quick_details.txt.xz")
    for title in (
        "BF16 operands, FP32 accumulate",
        "FP16 operands, FP32 accumulate (CC 9.0: either)",
        "FP8 operands, FP32 accumulate (CC 8.9, 9.0: either)",
        "TF32 operands, FP32 accumulate",
        "FP64 operands",
        "INT8 operands, INT32 accumulate",
    ):
        assert f"Table Name : {title}\n" in details
    assert "n/a" not in details
    assert "no data" not in details
