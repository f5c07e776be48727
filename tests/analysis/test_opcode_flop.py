"""Work from instruction shapes, where no operation was counted."""

import pytest

from ncuanalyze.analysis.flop import flop_counts
from ncuanalyze.analysis.opcode_flop import OPCODES, opcode_flop_counts, tensor_opcode
from ncuanalyze.analysis.tensor_metrics import PREFIX
from ncuanalyze.profile import Device, KernelLaunch, MetricTable


def launch_of(opcodes: dict[str, float], **metrics: float) -> KernelLaunch:
    table = MetricTable(
        {"gpu__time_duration.sum": 1e6, OPCODES: sum(opcodes.values()), **metrics},
        instance_values={OPCODES: tuple(opcodes.items())},
    )
    return KernelLaunch(
        id="0", name="k", demangled="k", metrics=table, device=Device(compute_capability=(9, 0))
    )


@pytest.mark.parametrize(
    ("opcode", "precision", "flop", "sparse"),
    [
        ("HMMA.16816.F32.BF16", "BF16", 4096, False),
        ("HMMA.1688.F32.TF32", "TF32", 2048, False),
        ("HMMA.SP.16832.F32", "FP16", 8192, True),
        ("IMMA.16832.S8.S8.SAT", "INT8", 8192, False),
        ("IMMA.16864.S4.S4", "INT4", 16384, False),
        ("DMMA.16x8x8", "FP64", 2048, False),
        ("HGMMA.64x128x16.F32.BF16", "BF16", 262144 / 4, False),
        ("HGMMA.64x256x8.F32.TF32", "TF32", 262144 / 4, False),
        ("QGMMA.64x128x32.F32.E4M3.E4M3", "FP8", 524288 / 4, False),
        ("HGMMA.SP.REGOFFSET.64x256x32.F32", "FP16", 1048576 / 4, True),
    ],
)
def test_a_shape_gives_the_flop_of_one_warp_instruction(
    opcode: str, precision: str, flop: float, sparse: bool
) -> None:
    known = tensor_opcode(opcode)
    assert known is not None
    assert (known.precision, known.flop, known.sparse) == (precision, flop, sparse)


@pytest.mark.parametrize("opcode", ["HMMA.884.F32.F32.STEP0", "UTCHMMA", "HFMA2.MMA", "FFMA", ""])
def test_an_opcode_without_a_known_shape_is_unknown(opcode: str) -> None:
    assert tensor_opcode(opcode) is None


def test_executed_instructions_give_2mnk_and_are_marked() -> None:
    (count,) = opcode_flop_counts(launch_of({"HGMMA.64x128x16.F32.BF16": 2_097_152.0, "FFMA": 5.0}))
    assert count.flop == 2 * 4096**3
    assert not count.exact
    assert "documented shapes" in count.basis


def test_one_unknown_tensor_instruction_spoils_the_sum() -> None:
    assert list(opcode_flop_counts(launch_of({"HMMA.16816.F32": 10.0, "HMMA.884.F32.F32.STEP0": 1.0}))) == []


def test_packed_half_moves_are_no_tensor_work() -> None:
    assert list(opcode_flop_counts(launch_of({"HFMA2.MMA": 100.0}))) == []


def test_counted_operations_come_before_shapes() -> None:
    launch = launch_of({"HMMA.16816.F32.BF16": 10.0}, **{PREFIX + "src_bf16_dst_fp32.sum": 4096.0})
    (count,) = flop_counts(launch)
    assert (count.flop, count.exact) == (4096.0, True)
