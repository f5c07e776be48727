"""The kernel reads or writes host memory over the link, at a small fraction of DRAM's bandwidth.

Why it matters
    PCIe moves about a hundredth of what HBM does, and no Speed Of Light counter shows that it is busy.

When it fires
    Traffic to the system-memory aperture uses at least the threshold's share of the link; or, as writes to it are not
    counted, warps wait for their stores to drain while no memory unit of the GPU is busy.

When it stays quiet
    Flags and small results in mapped memory.

What to try
    Copy once with cudaMemcpyAsync (pinned, its own stream), prefetch managed memory, keep what is used again on the
    GPU.
"""

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.analysis.host import host_link
from ncuanalyze.diagnosis import Confidence, at_least, below, fact
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule

from ._waiting import queues_for_host

ADVICE = (
    "Copy the data to the GPU once (cudaMemcpyAsync from pinned memory) and let the kernel read it there.",
    "Managed memory: cudaMemPrefetchAsync before the launch, cudaMemAdvise for what stays on one side.",
    "Triton and PyTorch: check that every input tensor is on the GPU (a pinned CPU tensor also works, slowly).",
)


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Put the traffic on the link against what the link sustains; on the GPU the same bytes would load DRAM."""
    link = host_link(kernel.analysis)
    if link is None:
        return _stores(kernel, limits)
    used = link.evidence(limits["link_share_pct"])
    if used.value < limits["link_share_pct"]:
        return Clear(because=(used,))
    exposed = 1.0 if queues_for_host(kernel, limits["link_share_pct"]) else min(1.0, link.share_pct / 100)
    return Flagged(
        message=f"{link.bytes / 1e6:.4g} MB go over the host link at {link.bytes_per_s / 1e9:.3g} GB/s.",
        because=(
            used,
            fact("bytes over the host link", f"{m.L2_SYSMEM_MISSES.name} * 32 B", link.bytes, "byte"),
        ),
        effect=Effect(
            removes={"lts__throughput": link.share_of_misses, "unit:host": 1.0},
            adds={"dram__cycles_active": _dram_share(kernel, link.bytes)},
            exposed=exposed if exposed < 0.8 else 1.0,
        ),
        advice=ADVICE,
        resource="host",
    )


def _stores(kernel: Reading, limits: Limits) -> Outcome:
    """Stores that nothing on the GPU holds up: they leave it, and no counter of the sections says for where."""
    stalls, stores = kernel.analysis.stalls, kernel.maybe(m.GLOBAL_STORE_REQUESTS)
    atomics = kernel.total(m.L2_REDUCTION_SECTORS, m.L2_ATOMIC_SECTORS)
    if stalls is None or not stalls.matter or not stores or atomics > 0:
        return NotApplicable("no host memory traffic")
    drain = kernel.analysis.stall_share("drain")
    waiting = at_least("warps waiting for their stores", "share of warp states", 100 * drain, limits["drain_pct"], "%")
    busiest = max(kernel.analysis.unit_busy(unit) for unit in ("dram", "l2", "l1tex"))
    idle = below("busiest memory unit", "Speed Of Light breakdown", 100 * busiest, limits["idle_pct"], "%")
    if not (waiting.holds and idle.holds):
        return Clear(because=(waiting, idle))
    return Flagged(
        message="Warps wait for their stores while L2 and DRAM idle: the stores go to host memory or another GPU.",
        because=(waiting, idle),
        effect=Effect(exposed=drain),
        advice=(
            "Write the results to device memory and copy them once (cudaMemcpyAsync to pinned memory), on a stream of "
            "its own if it can overlap.",
            *ADVICE[1:],
        ),
        confidence=Confidence.MEDIUM,
        resource="host",
    )


def _dram_share(kernel: Reading, moved: float) -> float:
    """The busy share that the same bytes would add to DRAM, by the rate that DRAM shows in this kernel."""
    own, busy = kernel.analysis.dram_bytes, kernel.maybe(m.DRAM_THROUGHPUT)
    return moved / own * busy / 100 if own and busy else 0.0


RULE = Rule(
    id="host_memory_traffic",
    title="Host memory traffic",
    requires=(m.L2_SYSMEM_MISSES,),
    optional=(
        m.DRAM_BYTES_PER_S,
        m.DRAM_THROUGHPUT,
        m.GLOBAL_LOAD_REQUESTS,
        m.INSTRUCTIONS,
        m.GLOBAL_STORE_REQUESTS,
        m.L2_REDUCTION_SECTORS,
        m.L2_ATOMIC_SECTORS,
    ),
    limits=("link_share_pct", "drain_pct", "idle_pct"),
    check=check,
)
