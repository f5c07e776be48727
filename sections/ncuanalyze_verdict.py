"""The verdict of ncuanalyze inside Nsight Compute: bound, limiter, Tensor Core use by precision.

Runs in ncu's own Python on the metrics of NcuAnalyzeVerdict.section and needs nothing else. ncu prints the message
below the section (`--page details`), shows it in the UI and stores it in the report.
"""

from __future__ import annotations

import math
import re

SATURATED_PCT = 80.0  # a side that is this busy bounds the kernel
LATENCY_PCT = 60.0  # with both sides below, latency does
BALANCED_POINTS = 10.0  # a smaller gap is balanced
SHARED_SHARE = 0.5  # of the L1 data stage's wavefronts: more, and shared memory is the limiter
OWN_MARGIN = 0.10  # lts__throughput also follows DRAM traffic: it names L2 only this far above the rest
PIPE_SHARE = 0.8  # a pipe with this share of the issued instructions is named instead of the issue slots
HOST_FLOOR_PCT = 20.0
TENSOR_USED_PCT = 1.0  # a lower pipe activity is other work that shares the pipe
SECTOR_BYTES = 32
ELAPSED = ".avg.pct_of_peak_sustained_elapsed"

# Practical byte/s of the link to host memory: by a part of the GPU's name, else by compute capability.
HOST_LINK_BY_NAME = (("GH200", 400e9), ("GB200", 400e9))
HOST_LINK_BY_MAJOR = ((9, 53e9), (8, 26e9), (0, 13e9))

# Counter -> the unit it stands for, the side it belongs to, and the percentage that the unit sustains in practice.
UNITS = {
    "dram__cycles_active": ("dram", "memory", 92),
    "gpu__dram_throughput": ("dram", "memory", 92),
    "fbpa__dram_sectors": ("dram", "memory", 87),
    "lts__t_sectors": ("l2", "memory", 95),
    "lts__t_tag_requests": ("l2", "memory", 90),
    "lts__d_sectors": ("l2", "memory", 95),
    "lts__d_sectors_fill_device": ("l2", "memory", 95),
    "lts__d_sectors_fill_sysmem": ("host", "memory", 95),
    "lts__d_atomic_input_cycles_active": ("l2", "memory", 95),
    "lts__d_decomp_input_sectors": ("l2", "memory", 95),
    "lts__lts2xbar_cycles_active": ("l2", "memory", 82),
    "lts__xbar2lts_cycles_active": ("l2", "memory", 92),
    "lts__throughput": ("l2", "own", 95),
    "l1tex__data_pipe_lsu_wavefronts": ("l1tex", "memory", 98),
    "l1tex__lsu_writeback_active": ("l1tex", "memory", 98),
    "l1tex__lsuin_requests": ("lsu", "memory", 90),
    "l1tex__data_bank_reads": ("l1tex", "memory", 95),
    "l1tex__data_bank_writes": ("l1tex", "memory", 95),
    "l1tex__data_pipe_tex_wavefronts": ("l1tex", "memory", 95),
    "l1tex__f_wavefronts": ("l1tex", "memory", 95),
    "l1tex__m_l1tex2xbar_req_cycles_active": ("l1tex", "memory", 95),
    "l1tex__m_xbar2l1tex_read_sectors": ("l1tex", "memory", 95),
    "l1tex__m_xbar2l1tex_read_sectors_mem_dshared": ("shared", "memory", 95),
    "l1tex__tex_writeback_active": ("l1tex", "memory", 95),
    "l1tex__texin_sm2tex_req_cycles_active": ("l1tex", "memory", 95),
    "l1tex__tmain_requests": ("l1tex", "memory", 95),
    "syslts__t_sectors": ("host", "memory", 95),
    "syslts__d_sectors": ("host", "memory", 95),
    "syslts__t_tag_requests": ("host", "memory", 95),
    "sm__issue_active": ("issue", "sm", 98),
    "sm__inst_executed": ("issue", "sm", 98),
    "sm__inst_issued": ("issue", "sm", 98),
    "sm__inst_executed_pipe_adu": ("issue", "sm", 95),
    "sm__inst_executed_pipe_cbu_pred_on_any": ("issue", "sm", 95),
    "sm__inst_executed_pipe_uniform": ("alu", "sm", 95),
    "sm__inst_executed_pipe_ipa": ("l1tex", "sm", 95),
    "sm__inst_executed_pipe_tex": ("l1tex", "sm", 95),
    "sm__inst_executed_pipe_lsu": ("lsu", "sm", 90),
    "sm__inst_executed_pipe_xu": ("xu", "sm", 95),
    "sm__inst_executed_pipe_fp16": ("fp16", "sm", 95),
    "sm__inst_executed_pipe_fma_type_fp16": ("fp16", "sm", 95),
    "sm__mio2rf_writeback_active": ("lsu", "sm", 95),
    "sm__mio_inst_issued": ("lsu", "sm", 95),
    "sm__mio_pq_read_cycles_active": ("lsu", "sm", 95),
    "sm__mio_pq_write_cycles_active": ("lsu", "sm", 95),
    "sm__pipe_alu_cycles_active": ("alu", "sm", 95),
    "sm__pipe_fma_cycles_active": ("fma", "sm", 97),
    "sm__pipe_fmaheavy_cycles_active": ("fma", "sm", 97),
    "sm__pipe_fp64_cycles_active": ("fp64", "sm", 97),
    "sm__pipe_shared_cycles_active": ("tensor", "sm", 91),
    "sm__pipe_tensor_cycles_active": ("tensor", "sm", 91),
    "sm__pipe_tensor_op_dmma_cycles_active": ("tensor", "sm", 91),
    "sm__pipe_tensor_type_hmma_hgmma_qgmma_imma_igmma_bmma_bgmma_cycles_active": ("tensor", "sm", 91),
    "sm__pipe_tensor_op_hmma_cycles_active": ("tensor", "sm", 91),
    "sm__pipe_tensor_op_imma_cycles_active": ("tensor", "sm", 91),
    "sm__pipe_tc_cycles_active": ("tensor", "sm", 95),
    "sm__pipe_tensor_subpipe_hmma_cycles_active": ("tensor", "sm", 95),
    "sm__pipe_tensor_subpipe_imma_cycles_active": ("tensor", "sm", 95),
    "sm__pipe_tensor_subpipe_dmma_cycles_active": ("tensor", "sm", 95),
    "sm__mem_tensor_cycles_active": ("tensor", "sm", 95),
    "sm__pipe_tma_cycles_active": ("lsu", "sm", 95),
    "idc__request_cycles_active": ("constant", "sm", 95),
}
PIPES = ("fma", "alu", "fp64", "fp16", "tensor", "xu")
NAMES = {
    "dram": "DRAM",
    "l2": "L2 cache",
    "l1tex": "L1 cache",
    "shared": "shared memory",
    "host": "the link to host memory",
    "tensor": "the Tensor Cores",
    "fma": "the FMA pipe",
    "fp64": "the FP64 pipe",
    "fp16": "the FP16 pipe",
    "alu": "the integer pipe",
    "xu": "the special-function pipe",
    "lsu": "the load/store unit",
    "issue": "instruction issue",
    "constant": "the constant cache",
}

_TENSOR = re.compile(
    r"sm__ops_path_tensor_(?:op_(?P<op>[a-z0-9]+)_)?src_(?P<src>[a-z0-9_]+?)"
    r"(?:_dst_(?P<dst>[a-z0-9]+))?(?:_sparsity_(?P<sparsity>on|off))?\.sum\.peak_sustained$"
)


class Metrics:
    """The finite numbers of one result, by metric name."""

    def __init__(self, action):
        self._action = action

    def number(self, name):
        """The value, or None where it is missing, NaN or infinite."""
        metric = self._action.metric_by_name(name)
        value = metric.as_double() if metric is not None else None
        return value if value is not None and math.isfinite(value) else None

    def text(self, name):
        """The text, or an empty one."""
        metric = self._action.metric_by_name(name)
        return (metric.as_string() if metric is not None else None) or ""

    def names(self):
        """Every metric name of the result."""
        return list(self._action.metric_names())


def loads_of(metrics):
    """(share of the time busy, unit, counter) of each unit that was measured, busiest first."""
    total = metrics.number("l1tex__data_pipe_lsu_wavefronts" + ELAPSED)
    shared = metrics.number("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.pct_of_peak_sustained_elapsed")
    is_shared = bool(total) and shared is not None and shared / total > SHARED_SHARE
    loads = []
    for counter, (unit, _side, _sustained) in UNITS.items():
        pct = metrics.number(counter + ELAPSED)
        if pct is not None:
            stage = counter in ("l1tex__data_pipe_lsu_wavefronts", "l1tex__lsu_writeback_active")
            loads.append((pct / 100, "shared" if stage and is_shared else unit, counter))
    return sorted(loads, key=lambda load: -load[0])


def busiest(loads, *sides):
    """The busiest load of some sides, or None."""
    return next((load for load in loads if UNITS[load[2]][1] in sides), None)


def tensor_use(metrics):
    """[(precision and path, percent of that path's own peak)], busiest first; only paths that did something."""
    found = {}
    for name in metrics.names():
        match = _TENSOR.match(name)
        if match:
            found[name[: -len(".sum.peak_sustained")]] = match.groupdict()
    used = []
    for name, parts in found.items():
        if any(_refines(other, parts) for key, other in found.items() if key != name):
            continue
        peak, rate = (metrics.number(name + s) for s in (".sum.peak_sustained", ".sum.per_cycle_elapsed"))
        if peak and rate:
            used.append((_label(parts), 100 * rate / peak))
    return sorted(used, key=lambda item: -item[1])


def _refines(one, other):
    """Whether everything that one counter counts is in the other, so that the two must not be added."""
    same = one["src"] == other["src"]
    return same and all(other[key] in (None, one[key]) for key in ("op", "dst", "sparsity"))


def _label(parts):
    words = [parts["src"].upper().replace("_", "/")]
    if parts["op"]:
        words.append(parts["op"])
    if parts["sparsity"] == "on":
        words.append("2:4 sparse")
    return " ".join(words)


def host_use(metrics):
    """Percent of what the link to host memory sustains; None where the counters are missing or read nothing."""
    names = [
        prefix + "__t_sectors_srcunit_tex_aperture_sysmem_lookup_miss.sum" for prefix in ("lts", "syslts")
    ]
    sectors = next((value for value in map(metrics.number, names) if value is not None), None)
    duration_ns = metrics.number("gpu__time_duration.sum")
    if not sectors or not duration_ns:
        return None
    device = metrics.text("device__attribute_display_name")
    major = metrics.number("device__attribute_compute_capability_major") or 9
    ceiling = next((rate for part, rate in HOST_LINK_BY_NAME if part in device), None)
    if ceiling is None:
        ceiling = next(rate for least, rate in HOST_LINK_BY_MAJOR if major >= least)
    return 100 * sectors * SECTOR_BYTES / duration_ns * 1e9 / ceiling


def bound_of(sm, memory, loads, tensor_pct, host_pct):
    """``compute``, ``memory``, ``latency``, ``balanced`` or ``inconclusive``, and why."""
    if sm is None or memory is None:
        return "inconclusive", "SM or memory throughput is missing"
    why = f"SM throughput {sm:.1f} %, memory throughput {memory:.1f} %"
    if tensor_pct >= SATURATED_PCT > max(sm, memory):
        return "compute", f"{why}, but the Tensor Cores at {tensor_pct:.1f} % of their precision's peak"
    if host_pct is not None and host_pct >= SATURATED_PCT and max(sm, memory) < LATENCY_PCT:
        return "memory", f"{why}, but the link to host memory at {host_pct:.1f} % of what it sustains"
    compute = nearer_is_compute(loads, sm, memory) if min(sm, memory) >= SATURATED_PCT else sm > memory
    larger, high = ("compute", sm) if compute else ("memory", memory)
    if high >= SATURATED_PCT:
        return larger, why
    if high < LATENCY_PCT:
        return "latency", f"{why}, both below {LATENCY_PCT:.0f} %"
    return (larger if abs(sm - memory) >= BALANCED_POINTS else "balanced"), why


def nearer_is_compute(loads, sm, memory):
    """With both sides saturated: whether the SM's busiest unit is nearer to what it sustains."""
    one, other = busiest(loads, "sm"), busiest(loads, "memory")
    if one is None or other is None:
        return sm > memory
    return one[0] / UNITS[one[2]][2] > other[0] / UNITS[other[2]][2]


def limiter_of(bound, loads, host_pct):
    """(unit, percent) of the busiest unit on the side that bounds the kernel; None where nothing was measured."""
    top = busiest(loads, "sm", "memory")
    if host_pct is not None and host_pct > max(100 * top[0] if top else 0.0, HOST_FLOOR_PCT):
        return "host", host_pct
    sides = {"compute": ("sm",), "memory": ("memory",), "inconclusive": ()}.get(bound, ("sm", "memory"))
    load, own = busiest(loads, *sides), busiest(loads, "own")
    if own is not None and "memory" in sides and (load is None or own[0] >= load[0] + OWN_MARGIN):
        load = own
    elif load is not None and load[1] == "issue":
        load = _dominant_pipe(loads) or load
    return None if load is None else (load[1], 100 * load[0])


def _dominant_pipe(loads):
    issue = next((load for load in loads if load[2] == "sm__inst_executed"), None)
    pipe = next((load for load in loads if load[1] in PIPES), None)
    return pipe if issue and pipe and issue[0] > 0 and pipe[0] >= PIPE_SHARE * issue[0] else None


def verdict(metrics):
    """(bound, limiter or None, the sentences of the message)."""
    loads, tensor, host_pct = loads_of(metrics), tensor_use(metrics), host_use(metrics)
    sm = metrics.number("sm__throughput" + ELAPSED)
    memory = metrics.number("gpu__compute_memory_throughput" + ELAPSED)
    bound, why = bound_of(sm, memory, loads, sum(pct for _, pct in tensor), host_pct)
    limiter = limiter_of(bound, loads, host_pct)
    sentences = [f"Bound: {bound} ({why})."]
    if limiter is not None:
        sentences.append(f"Limiter: {NAMES.get(limiter[0], limiter[0])}, {limiter[1]:.1f} % busy.")
    sentences.append(_tensor_sentence(metrics, tensor))
    return bound, limiter[0] if limiter else None, sentences


def _tensor_sentence(metrics, tensor):
    if tensor:
        return "Tensor Cores: " + ", ".join(f"{label} {pct:.1f} % of its peak" for label, pct in tensor) + "."
    pipe = metrics.number("sm__pipe_tensor_cycles_active" + ELAPSED)
    if pipe and pipe >= TENSOR_USED_PCT:
        return f"Tensor Cores: pipe {pipe:.1f} % active, in a precision or path that this set does not count."
    return "Tensor Cores: not used." if pipe is not None else "Tensor Cores: not measured."


def get_identifier():
    """What ``ncu --rule`` takes."""
    return "NcuAnalyzeVerdict"


def get_name():
    """The heading of the message."""
    return "ncuanalyze verdict"


def get_description():
    """One line for ``ncu --list-rules``."""
    return "Bound, limiter and Tensor Core use by precision"


def get_section_identifier():
    """The section below which the message stands."""
    return "NcuAnalyzeVerdict"


def apply(handle):
    """Called by ncu for each result."""
    import NvRules

    context = NvRules.get_context(handle)
    action = context.range_by_idx(0).action_by_idx(0)
    _bound, _limiter, sentences = verdict(Metrics(action))
    context.frontend().message(NvRules.IFrontend.MsgType_MSG_OK, " ".join(sentences), get_name())
