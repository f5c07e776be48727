"""The rule that runs inside ncu: the same bound and limiter as the package, without importing it."""

import ast
import lzma
import math
import sys
import tomllib
import types
from pathlib import Path

import pytest
from ncuanalyze.sections import ncuanalyze_verdict as rule

from ncuanalyze.diagnose import diagnose
from ncuanalyze.load import load

ROOT = Path(__file__).parents[2]
PCT = ".avg.pct_of_peak_sustained_elapsed"
SM, MEMORY = "sm__throughput" + PCT, "gpu__compute_memory_throughput" + PCT


class Metric:
    def __init__(self, value):
        self._value = value

    def as_double(self):
        return self._value if isinstance(self._value, float) else None

    def as_string(self):
        return self._value if isinstance(self._value, str) else None


class Action:
    """What ncu hands to a rule, made of a dict or of a loaded launch."""

    def __init__(self, values):
        self._values = values

    def metric_by_name(self, name):
        value = self._values.get(name)
        return None if value is None else Metric(value)

    def metric_names(self):
        return list(self._values)


def of_launch(launch):
    values = {name: launch.metrics.raw(name) for name in launch.metrics.names()}
    capability, device = launch.device.compute_capability, launch.device.name
    if capability:
        values["device__attribute_compute_capability_major"] = float(capability[0])
    if device:
        values["device__attribute_display_name"] = device
    return Action(values)


def verdict(**values):
    return rule.verdict(rule.Metrics(Action(values)))


REPORTS = sorted(
    [
        *(ROOT / "fixtures/sections").glob("*.raw.csv.xz"),
        *(ROOT / "fixtures/roofline").glob("*.raw.csv.xz"),
        ROOT / "fixtures/demo.ncu-rep.xz",
        ROOT / "fixtures/reports/triton.ncu-rep.xz",
        ROOT / "benchmarks/planted/reports/memory.ncu-rep.xz",
    ]
)


@pytest.mark.parametrize(
    "path", REPORTS, ids=lambda path: f"{path.parent.name}/{path.name.partition('.')[0]}"
)
def test_the_rule_and_the_package_agree(path):
    profile = load(path)
    ours = [(k.kernel.name, str(k.bound), k.limiter) for k in diagnose(profile).kernels]
    theirs = [(each.name, *rule.verdict(rule.Metrics(of_launch(each)))[:2]) for each in profile.launches]
    assert theirs == ours


def test_its_unit_table_is_the_packages():
    table = tomllib.loads((ROOT / "ncuanalyze/analysis/units.toml").read_text())
    default = table["default_sustained_pct"]
    expected = {
        name: (entry["unit"], entry["side"], entry.get("sustained_pct", default))
        for name, entry in table["counter"].items()
    }
    assert expected == rule.UNITS


def test_it_imports_nothing_of_ours():
    tree = ast.parse((ROOT / "sections/ncuanalyze_verdict.py").read_text())
    imported = {
        alias.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert imported == {"__future__", "math", "re", "NvRules"}


@pytest.mark.parametrize(
    ("sm", "memory", "bound"),
    [
        (80.0, 10.0, "compute"),
        (79.99, 10.0, "compute"),
        (10.0, 80.0, "memory"),
        (59.99, 59.99, "latency"),
        (60.0, 50.01, "balanced"),
        (60.0, 50.0, "compute"),
        (50.0, 60.0, "memory"),
        (0.0, 0.0, "latency"),
        (math.nan, 50.0, "inconclusive"),
        (50.0, math.inf, "inconclusive"),
        (None, 50.0, "inconclusive"),
    ],
)
def test_bounds_at_the_limits(sm, memory, bound):
    assert verdict(**{SM: sm, MEMORY: memory})[0] == bound


def test_a_geforce_gemm_at_its_half_rate_is_compute_bound():
    """SM throughput reads 46 % while the FP16 path with FP32 accumulate runs at 92 % of its own peak."""
    counter = "sm__ops_path_tensor_src_fp16_dst_fp32"
    bound, _, sentences = verdict(
        **{
            SM: 46.2,
            MEMORY: 30.0,
            "sm__pipe_tensor_cycles_active" + PCT: 46.2,
            f"{counter}_sparsity_off.sum.peak_sustained": 12288.0,
            f"{counter}_sparsity_off.sum.per_cycle_elapsed": 11296.0,
            f"{counter}.sum.peak_sustained": 24576.0,  # the sparse rate
            f"{counter}.sum.per_cycle_elapsed": 11296.0,
        }
    )
    assert bound == "compute"
    assert sentences[-1] == "Tensor Cores: FP16 91.9 % of its peak."


def test_host_traffic_at_the_links_ceiling_is_memory_bound():
    values = {
        SM: 0.2,
        MEMORY: 8.0,
        "gpu__time_duration.sum": 2_600_000.0,
        "lts__t_sectors_srcunit_tex_aperture_sysmem_lookup_miss.sum": 4_194_304.0,
        "device__attribute_compute_capability_major": 9.0,
    }
    assert verdict(**values)[:2] == ("memory", "host")


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({}, "Tensor Cores: not measured."),
        ({"sm__pipe_tensor_cycles_active" + PCT: 0.0}, "Tensor Cores: not used."),
        ({"sm__pipe_tensor_cycles_active" + PCT: 0.99}, "Tensor Cores: not used."),
        (
            {"sm__pipe_tensor_cycles_active" + PCT: 40.0},
            "Tensor Cores: pipe 40.0 % active, in a precision or path that this set does not count.",
        ),
    ],
)
def test_what_is_said_of_tensor_cores_without_operation_counts(values, text):
    assert verdict(**{SM: 50.0, MEMORY: 20.0} | values)[2][-1] == text


def test_apply_prints_one_message_in_our_section(monkeypatch):
    said = []
    frontend = types.SimpleNamespace(message=lambda *words: said.append(words))
    action = Action({SM: 90.0, MEMORY: 20.0})
    context = types.SimpleNamespace(
        range_by_idx=lambda index: types.SimpleNamespace(action_by_idx=lambda index: action),
        frontend=lambda: frontend,
    )
    module = types.SimpleNamespace(
        get_context=lambda handle: context, IFrontend=types.SimpleNamespace(MsgType_MSG_OK=1)
    )
    monkeypatch.setitem(sys.modules, "NvRules", module)
    rule.apply(object())
    assert said == [
        (
            1,
            "Bound: compute (SM throughput 90.0 %, memory throughput 20.0 %). Tensor Cores: not measured.",
            "ncuanalyze verdict",
        )
    ]
    assert rule.get_identifier() == rule.get_section_identifier() == "NcuAnalyzeVerdict"


def test_what_ncu_printed_on_an_h200():
    def text(name):
        return " ".join(lzma.decompress((ROOT / "fixtures/sections" / name).read_bytes()).decode().split())

    planted, gemm = text("planted_details.txt.xz"), text("gemm_quick_details.txt.xz")
    assert (
        "INF Bound: memory (SM throughput 5.5 %, memory throughput 99.9 %). Limiter: shared memory" in planted
    )
    assert "% busy. Tensor Cores: BF16 hgmma 9" in gemm
    for launch in load(ROOT / "fixtures/sections/planted.raw.csv.xz").launches:
        sentences = rule.verdict(rule.Metrics(of_launch(launch)))[2]
        assert " ".join(sentences) in planted, launch.name
