"""The counter names of each chip, and how they add up."""

import json

import pytest
from roofline_launches import FIXTURES, launch_of

from ncuanalyze.analysis.tensor_metrics import (
    PREFIX,
    TensorCounter,
    chip_of,
    chips,
    counters_of_chip,
    tensor_counters,
)
from ncuanalyze.profile import Device

RECORDED = json.loads((FIXTURES / "tensor_counters_by_chip.json").read_text("utf-8"))


def names(counter: TensorCounter) -> list[str]:
    return [counter.metric.removeprefix(PREFIX), *(name for part in counter.parts for name in names(part))]


def test_every_chip_with_a_recorded_list_is_known() -> None:
    assert set(chips()) == set(RECORDED)


@pytest.mark.parametrize("chip", RECORDED)
def test_the_trees_hold_each_recorded_name_once(chip: str) -> None:
    assert sorted(name for root in counters_of_chip(chip) for name in names(root)) == RECORDED[chip]


@pytest.mark.parametrize("chip", RECORDED)
def test_what_lies_below_a_counter_is_part_of_it_and_beside_it_is_not(chip: str) -> None:
    def check(counter: TensorCounter) -> None:
        for part in counter.parts:
            assert part.refines(counter)
            assert not any(part.refines(other) for other in counter.parts)
            check(part)

    roots = counters_of_chip(chip)
    assert not any(one.refines(other) for one in roots for other in roots)
    for root in roots:
        check(root)


@pytest.mark.parametrize(
    ("chip", "name", "sparse_peak"),
    [
        ("gh100", "src_bf16_dst_fp32", True),
        ("gh100", "op_hgmma_src_bf16_dst_fp32", True),
        ("gh100", "op_hgmma_src_bf16_dst_fp32_sparsity_off", False),
        ("gh100", "src_fp64", False),
        ("gh100", "src_int1", False),
        ("ga100", "src_int8", True),
        ("tu102", "src_int8", False),
        ("gb100", "src_fp4_fp6_fp8_dst_fp32", True),
        ("gb110", "src_fp8_dst_fp32", True),
        ("gb110", "op_utcqmma_src_fp4_fp6_dst_fp32_sparsity_off", False),
    ],
)
def test_an_aggregate_over_sparse_work_has_the_sparse_peak(chip: str, name: str, sparse_peak: bool) -> None:
    def walk(counter: TensorCounter) -> dict[str, TensorCounter]:
        below = {key: value for part in counter.parts for key, value in walk(part).items()}
        return {counter.metric.removeprefix(PREFIX): counter, **below}

    found = {key: value for root in counters_of_chip(chip) for key, value in walk(root).items()}
    assert found[name].peak_is_sparse is sparse_peak


@pytest.mark.parametrize(
    ("device", "chip"),
    [
        (Device(compute_capability=(7, 0)), "tu102"),
        (Device(compute_capability=(8, 7)), "ga102"),
        (Device(compute_capability=(10, 0)), "gb100"),
        (Device(compute_capability=(10, 3)), "gb110"),
        (Device(compute_capability=(11, 0)), "gb100"),
        (Device(compute_capability=(12, 1)), "gb202"),
        (Device(chip="GH100"), "gh100"),
        (Device(chip="gx999", compute_capability=(9, 0)), "gh100"),
        (Device(compute_capability=(6, 1)), None),
        (Device(), None),
    ],
)
def test_a_device_takes_its_chips_names(device: Device, chip: str | None) -> None:
    assert chip_of(device) == chip


def test_pascal_has_no_tensor_counters() -> None:
    assert tensor_counters(launch_of({}, cc=(6, 1))) == ()


@pytest.mark.parametrize("cc", [None, (13, 0)])
@pytest.mark.parametrize(
    ("name", "chip"),
    [
        ("op_utcomma_src_fp4_dst_fp32_sparsity_off", "gb100"),
        ("op_utcqmma_src_fp8_dst_fp32_sparsity_off", "gb110"),
    ],
)
def test_an_unknown_chip_takes_the_names_that_the_report_holds(
    name: str, chip: str, cc: tuple[int, int] | None
) -> None:
    assert tensor_counters(launch_of({f"{PREFIX}{name}.sum": 1.0}, cc=cc)) == counters_of_chip(chip)
