"""Hot lines and the lines behind a finding, from counters by address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ncuanalyze.analysis.source import LineCounter, hotspots_of, lines_for
from ncuanalyze.analysis.source_text import SourceText
from ncuanalyze.profile import Device, KernelLaunch, MetricTable

START = 0x7F00
FILE = "/build/app/norm.cu"
TEXT = "\n".join(f"line {number}" for number in range(1, 41))
STALL = "smsp__pcsamp_warps_issue_stalled_"


@dataclass
class View:
    """Source correlation held in memory: one address a line, from line 1 of ``file``."""

    text: str = TEXT
    file: str = FILE
    lines: Mapping[int, int] = field(default_factory=lambda: {START + 16 * n: n + 1 for n in range(40)})
    disassembled: list[int] = field(default_factory=list)

    def files(self) -> Mapping[str, str]:
        return {self.file: self.text}

    def line(self, address: int) -> tuple[str, int] | None:
        return (self.file, self.lines[address]) if address in self.lines else None

    def sass(self, address: int) -> str:
        self.disassembled.append(address)
        return f"      LDG.E R{(address - START) // 16}, [R2]"


def by_line(amounts: Mapping[int, float]) -> Sequence[tuple[int, float]]:
    """Amounts by line as instances by address."""
    return [(START + 16 * (line - 1), float(amount)) for line, amount in amounts.items()]


def launch(view: View | None = None, **instances: Mapping[int, float]) -> KernelLaunch:
    """A launch whose instanced metrics are given by line; the aggregates are their sums."""
    return KernelLaunch(
        id="0",
        name="norm",
        demangled="norm",
        device=Device(),
        source=view or View(),
        metrics=MetricTable(
            values={name: float(sum(amounts.values())) for name, amounts in instances.items()},
            instance_values={name: by_line(amounts) for name, amounts in instances.items()},
        ),
    )


def sampled(view: View | None = None, **more: Mapping[int, float]) -> KernelLaunch:
    """A launch of 400 samples: line 10 waits for memory, line 20 at a barrier."""
    instances: dict[str, Mapping[int, float]] = {
        "smsp__pcsamp_sample_count": {10: 300, 20: 80, 30: 20},
        f"{STALL}long_scoreboard_not_issued": {10: 270, 20: 10, 30: 3},
        f"{STALL}barrier_not_issued": {20: 60},
        f"{STALL}selected_not_issued": {10: 50},
        "inst_executed": {10: 64, 20: 64, 30: 64},
        "thread_inst_executed_true": {10: 64 * 32, 20: 64 * 16},
    }
    return launch(view, **{**instances, **more})


def test_lines_by_their_share_of_not_issued_samples() -> None:
    hot = hotspots_of(sampled())
    assert hot is not None and hot.samples == 400 and hot.enough_samples
    first, second = hot.lines
    assert (first.file, first.line, first.text) == (FILE, 10, "line 10")
    assert first.not_issued_pct == pytest.approx(100 * 270 / 343)
    assert first.reasons == (("long_scoreboard", 100.0),)
    assert (second.line, second.reasons[0][0]) == (20, "barrier")
    assert second.reasons[0][1] == pytest.approx(100 * 60 / 70)


def test_a_line_of_few_samples_is_not_blamed() -> None:
    few = sampled(**{"smsp__pcsamp_sample_count": {10: 300, 20: 9, 30: 91}})
    hot = hotspots_of(few)
    assert hot is not None
    assert 20 not in [line.line for line in hot.lines]


@pytest.mark.parametrize(("samples", "blamed"), [(99, False), (100, True)])
def test_a_kernel_of_few_samples_blames_no_line(samples: int, blamed: bool) -> None:
    hot = hotspots_of(sampled(**{"smsp__pcsamp_sample_count": {10: samples}}))
    assert hot is not None
    assert hot.enough_samples is blamed
    assert bool(hot.lines) is blamed
    assert ("no line is blamed" in hot.note) is not blamed


def test_no_samples_no_hotspots() -> None:
    assert hotspots_of(launch(inst_executed={10: 64})) is None


def test_nan_and_missing_instances_count_as_nothing() -> None:
    table = MetricTable(
        values={"smsp__pcsamp_sample_count": 200.0, f"{STALL}wait_not_issued": 150.0},
        instance_values={
            "smsp__pcsamp_sample_count": [(START, 200.0), (START + 16, float("nan")), (None, 5.0)],
            f"{STALL}wait_not_issued": [(START, 150.0), (START + 16, None)],
        },
    )
    bare = KernelLaunch(id="0", name="k", demangled="k", device=Device(), source=View(), metrics=table)
    hot = hotspots_of(bare)
    assert hot is not None and hot.samples == 200
    assert [line.line for line in hot.lines] == [1]


def test_old_reports_without_not_issued_counters_use_all_samples() -> None:
    old = launch(
        **{
            "smsp__pcsamp_sample_count": {10: 300, 20: 100},
            f"{STALL}long_scoreboard": {10: 280},
            f"{STALL}selected": {10: 20, 20: 100},
        }
    )
    hot = hotspots_of(old)
    assert hot is not None
    assert [(line.line, line.not_issued_pct) for line in hot.lines] == [(10, 100.0)]


def test_waste_of_a_line_in_its_own_counters() -> None:
    wasteful = sampled(
        **{
            "memory_l2_theoretical_sectors_global": {10: 64 * 32},
            "memory_l2_theoretical_sectors_global_ideal": {10: 64 * 4},
            "memory_l1_wavefronts_shared": {20: 200},
            "memory_l1_wavefronts_shared_ideal": {20: 100},
        }
    )
    hot = hotspots_of(wasteful)
    assert hot is not None
    first, second = hot.lines
    assert (first.sectors_per_request, first.ideal_sectors_per_request) == (32.0, 4.0)
    assert first.excess_sectors == 64 * 28
    assert first.bank_conflicts is None
    assert (second.bank_conflicts, second.active_lanes_pct) == (100.0, 50.0)


def test_context_around_the_hot_lines_and_their_instructions() -> None:
    view = View()
    hot = hotspots_of(sampled(view))
    assert hot is not None
    assert [number for number, _ in hot.context[FILE]] == [*range(7, 14), *range(17, 24)]
    assert [(sass.offset, sass.text, sass.samples) for sass in hot.lines[0].sass] == [
        (0, "LDG.E R9, [R2]", 300)
    ]
    assert len(view.disassembled) == len(hot.lines)


def test_without_line_information_instructions_are_shown() -> None:
    hot = hotspots_of(sampled(View(lines={})))
    assert hot is not None
    assert [(line.file, line.line, line.text) for line in hot.lines] == [
        ("", 0, "LDG.E R9, [R2]"),
        ("", 160, "LDG.E R19, [R2]"),
    ]
    assert "-lineinfo" in hot.note and hot.context == {}


def test_without_text_the_note_says_how_to_collect_it() -> None:
    hot = hotspots_of(sampled(View(text="")))
    assert hot is not None
    assert "--import-source" in hot.note and hot.lines[0].text == ""


def test_opcode_mix_in_shares() -> None:
    mixed = sampled()
    table = mixed.metrics
    assert isinstance(table, MetricTable)
    opcodes = {"sass__inst_executed_per_opcode": [("FFMA", 30.0), ("LDG", 10.0)]}
    hot = hotspots_of(
        KernelLaunch(
            id="0",
            name="k",
            demangled="k",
            device=Device(),
            source=View(),
            metrics=MetricTable(values=table.values, instance_values={**table.instance_values, **opcodes}),
        )
    )
    assert hot is not None and hot.opcodes == (("FFMA", 75.0), ("LDG", 25.0))


@pytest.mark.parametrize(
    ("counter", "instances", "lines"),
    [
        (
            LineCounter.EXCESS_SECTORS,
            {
                "memory_l2_theoretical_sectors_global": {5: 320, 6: 40},
                "memory_l2_theoretical_sectors_global_ideal": {5: 40, 6: 40},
            },
            [(5, 100.0)],
        ),
        (
            LineCounter.SHARED_CONFLICTS,
            {
                "memory_l1_wavefronts_shared": {5: 40, 6: 20},
                "memory_l1_wavefronts_shared_ideal": {5: 10, 6: 10},
            },
            [(5, 75.0), (6, 25.0)],
        ),
        (LineCounter.LOCAL_MEMORY, {"memory_l2_theoretical_sectors_local": {5: 8, 6: 0}}, [(5, 100.0)]),
        (
            LineCounter.ATOMICS,
            {
                "inst_executed": {5: 10, 6: 30, 7: 99},
                "memory_type": {5: 4, 6: 4, 7: 4},
                "memory_access_type": {5: 8, 7: 2},
                "memory_access_size_type": {5: 32, 6: 32, 7: 32},
            },
            [(6, 75.0), (5, 25.0)],
        ),
        (
            LineCounter.IDLE_LANES,
            {"inst_executed": {5: 10, 6: 10}, "thread_inst_executed_true": {5: 160, 6: 320}},
            [(5, 100.0)],
        ),
        ("barrier_samples", {f"{STALL}barrier_not_issued": {5: 100, 6: 4}}, [(5, 100 * 100 / 104)]),
        ("barrier_samples", {f"{STALL}barrier": {5: 100}}, [(5, 100.0)]),
        ("barrier_samples", {f"{STALL}barrier_not_issued": {5: 99}}, []),
        (LineCounter.LOCAL_MEMORY, {}, []),
    ],
)
def test_lines_that_cause_a_finding(
    counter: str, instances: Mapping[str, Mapping[int, float]], lines: list[tuple[int, float]]
) -> None:
    found = lines_for(launch(**instances), counter)
    assert [(line.line, line.share_pct) for line in found] == lines
    assert all(line.text == f"line {line.line}" and line.file == FILE for line in found)


def test_at_most_three_lines_and_none_below_a_twentieth() -> None:
    amounts = {1: 40.0, 2: 30.0, 3: 20.0, 4: 6.0, 5: 4.0}
    spilled = launch(memory_l2_theoretical_sectors_local=amounts)
    assert [line.line for line in lines_for(spilled, LineCounter.LOCAL_MEMORY)] == [1, 2, 3]


def test_no_lines_without_line_information() -> None:
    spilled = launch(View(lines={}), memory_l2_theoretical_sectors_local={1: 40.0})
    assert lines_for(spilled, LineCounter.LOCAL_MEMORY) == ()


def test_an_unknown_counter_is_an_error() -> None:
    with pytest.raises(ValueError, match="nonsense"):
        lines_for(launch(), "nonsense")


def text_of(root: Path | None, file: str, embedded: str = "") -> str:
    return SourceText(View(text=embedded, file=file), root, file_bytes=1000, width=80).line(file, 1)


def test_text_from_disk_only_below_the_root_the_user_named(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "secret.cu"
    (root / "src").mkdir(parents=True)
    outside.write_text("secret")
    (root / "src" / "a.cu").write_text("inside\n")
    (root / "link.cu").symlink_to(outside)
    (root / "up").symlink_to(tmp_path)
    (root / "large.cu").write_text("x" * 1001)
    assert text_of(root, "/build/src/a.cu") == "inside"
    assert text_of(root, "C:\\build\\src\\a.cu") == "inside"
    assert text_of(root, "/build/src/a.cu", embedded="embedded") == "embedded"
    assert text_of(None, "/build/src/a.cu") == ""
    for escape in (
        str(outside),
        "../secret.cu",
        "link.cu",
        "up/secret.cu",
        "src",
        "",
        "nul\0.cu",
        "large.cu",
    ):
        assert text_of(root, escape) == ""


def test_long_lines_are_cut(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("y" * 900)
    assert text_of(tmp_path, "a.cu") == "y" * 80


def test_hotspots_say_that_the_text_came_from_disk(tmp_path: Path) -> None:
    (tmp_path / "norm.cu").write_text(TEXT)
    hot = hotspots_of(sampled(View(text="")), tmp_path)
    assert hot is not None
    assert hot.lines[0].text == "line 10" and "may differ" in hot.note
