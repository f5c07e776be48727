"""A matrix product runs on the FMA pipe while the Tensor Cores idle.

Why it matters
    TF32 on Tensor Cores does 8 to 16 times the FP32 rate, BF16 and FP16 twice that.

When it fires
    Multiply-adds fill the kernel, they are fed from shared memory or L1 with reuse, as a matrix product's are, and the
    Tensor Cores do nothing.

When it stays quiet
    Elementwise arithmetic and recurrences, which no matrix instruction can do.

What to try
    cuBLAS with TF32 or 16-bit inputs, CUTLASS, tl.dot; check that the precision suffices.
"""

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Confidence, at_least, below
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Recognise a matrix product by its mix: multiply-adds, operand loads with reuse, much work a DRAM byte."""
    tensor, capability = kernel.analysis.tensor, kernel.analysis.launch.device.compute_capability
    if tensor is None or tensor.total_pct >= limits["tensor_idle_pct"] or (capability or (9, 0)) < (7, 0):
        return NotApplicable("the Tensor Cores work, or were not measured, or do not exist")
    issue, executed = kernel.analysis.busy("sm__inst_executed"), kernel.value(m.INSTRUCTIONS)
    slots = issue * kernel.value(m.SM_COUNT) * 4
    if slots <= 0 or executed <= 0:
        return NotApplicable("issue slots were not measured")
    fma = kernel.value(m.FFMA) / 32 / slots * executed
    working = at_least(
        "multiply-adds of all instructions",
        "FFMA / instructions",
        100 * fma / executed,
        limits["fma_share_pct"],
        "%",
    )
    loads = kernel.total(m.GLOBAL_LOADS, m.SHARED_LOADS)
    fed = at_least(
        "operand loads per multiply-add",
        "(global + shared loads) / FFMA",
        loads / fma if fma else 0.0,
        limits["loads_per_fma"],
    )
    moved = kernel.analysis.dram_bytes or 0.0
    flop = 64 * fma / max(moved, 1.0)
    dense = at_least(
        "FP32 FLOP per DRAM byte",
        "2 * FFMA / DRAM bytes",
        flop,
        limits["flop_per_dram_byte"],
        "FLOP/byte",
    )
    idle = below("Tensor Cores busy", tensor.metric, tensor.total_pct, limits["tensor_idle_pct"], "%")
    if not (working.holds and fed.holds and dense.holds):
        return Clear(because=(working, fed, dense))
    return Flagged(
        message=(
            "This looks like a matrix product on the FMA pipe; the Tensor Cores idle (TF32 has 10 bits of mantissa)."
        ),
        because=(working, fed, dense, idle),
        effect=Effect(
            removes={
                "unit:fma": 1.0,
                "unit:issue": fma / executed,
                "unit:shared": limits["operand_share"],
                "unit:lsu": limits["operand_share"],
            },
            exposed=kernel.analysis.stall_share("math_pipe_throttle", "dispatch_stall"),
        ),
        advice=(
            "PyTorch: torch.set_float32_matmul_precision('high') (TF32), or BF16/FP16 inputs.",
            "CUDA: cuBLAS with CUBLAS_COMPUTE_32F_FAST_TF32, CUTLASS, or wmma/wgmma.",
            "Triton: tl.dot with input_precision='tf32' or 16-bit operands.",
        ),
        confidence=Confidence.MEDIUM,
        resource="fma",
        optional=kernel.analysis.covered >= limits["at_roof_share"],
    )


RULE = Rule(
    id="tensor_cores_idle",
    title="Tensor Cores idle",
    requires=(m.INSTRUCTIONS, m.SM_COUNT, m.FFMA, m.DRAM_BYTES_PER_S),
    optional=(m.GLOBAL_LOADS, m.SHARED_LOADS),
    limits=(
        "tensor_idle_pct",
        "fma_share_pct",
        "loads_per_fma",
        "flop_per_dram_byte",
        "at_roof_share",
        "operand_share",
    ),
    check=check,
)
