"""The counters this package reads: name, unit, and the ncu section that collects each."""

from __future__ import annotations

from dataclasses import dataclass

PCT = ".avg.pct_of_peak_sustained_elapsed"


@dataclass(frozen=True)
class MetricRef:
    """What may be asked for. ``alternatives`` are names of the same quantity on other chips or versions."""

    name: str
    unit: str
    section: str
    alternatives: tuple[str, ...] = ()

    def __hash__(self) -> int:  # asked for hundreds of times a kernel: the name alone tells two metrics apart
        return hash(self.name)

    @property
    def names(self) -> tuple[str, ...]:
        """Every name, the preferred one first."""
        return (self.name, *self.alternatives)


def _ref(name: str, unit: str, section: str, *alternatives: str) -> MetricRef:
    return MetricRef(name, unit, section, alternatives)


DURATION = _ref("gpu__time_duration.sum", "ns", "SpeedOfLight", "gpu__time_duration", "gpu__time_duration.avg")
SM_THROUGHPUT = _ref("sm__throughput" + PCT, "%", "SpeedOfLight")
MEMORY_THROUGHPUT = _ref("gpu__compute_memory_throughput" + PCT, "%", "SpeedOfLight")
DRAM_THROUGHPUT = _ref("gpu__dram_throughput" + PCT, "%", "SpeedOfLight", "dram__throughput" + PCT)
L2_THROUGHPUT = _ref("lts__throughput" + PCT, "%", "SpeedOfLight")
L1_THROUGHPUT = _ref("l1tex__throughput.avg.pct_of_peak_sustained_active", "%", "SpeedOfLight")
CYCLES = _ref("gpc__cycles_elapsed.max", "cycle", "SpeedOfLight", "sm__cycles_elapsed.max")
SM_CLOCK = _ref(
    "smsp__cycles_elapsed.avg.per_second",
    "hz",
    "SpeedOfLight",
    "sm__cycles_elapsed.avg.per_second",
    "gpc__cycles_elapsed.avg.per_second",
)
DRAM_CLOCK = _ref("dram__cycles_elapsed.avg.per_second", "hz", "SpeedOfLight")
SM_CYCLES_ACTIVE_AVG = _ref("sm__cycles_active.avg", "cycle", "SpeedOfLight")
SM_CYCLES_ACTIVE_MAX = _ref("sm__cycles_active.max", "cycle", "WorkloadDistribution")
SM_CYCLES_ACTIVE_MIN = _ref("sm__cycles_active.min", "cycle", "WorkloadDistribution")
SM_CYCLES_ELAPSED_MAX = _ref("sm__cycles_elapsed.max", "cycle", "SpeedOfLight", "gpc__cycles_elapsed.max")

GRID_SIZE = _ref("launch__grid_size", "", "LaunchStats")
BLOCK_SIZE = _ref("launch__block_size", "", "LaunchStats")
SM_COUNT = _ref("launch__sm_count", "SM", "LaunchStats", "device__attribute_multiprocessor_count")
WAVES = _ref("launch__waves_per_multiprocessor", "", "LaunchStats")
REGISTERS = _ref("launch__registers_per_thread", "register/thread", "LaunchStats")
SHARED_BYTES = _ref(
    "launch__shared_mem_per_block_allocated", "byte/block", "LaunchStats", "launch__shared_mem_per_block"
)
CLUSTER_SIZE = _ref("launch__cluster_size", "", "LaunchStats")
LIMIT_BLOCKS = _ref("launch__occupancy_limit_blocks", "block", "Occupancy")
LIMIT_REGISTERS = _ref("launch__occupancy_limit_registers", "block", "Occupancy")
LIMIT_SHARED = _ref("launch__occupancy_limit_shared_mem", "block", "Occupancy")
LIMIT_WARPS = _ref("launch__occupancy_limit_warps", "block", "Occupancy")
LIMIT_BARRIERS = _ref("launch__occupancy_limit_barriers", "block", "Occupancy")
THEORETICAL_OCCUPANCY = _ref("sm__maximum_warps_per_active_cycle_pct", "%", "Occupancy")
ACHIEVED_OCCUPANCY = _ref("sm__warps_active.avg.pct_of_peak_sustained_active", "%", "Occupancy")

ISSUE_ACTIVE = _ref(
    "smsp__issue_active.avg.per_cycle_active",
    "inst/cycle",
    "SchedulerStats",
    "smsp__inst_issued.avg.per_cycle_active",
)
ACTIVE_WARPS = _ref("smsp__warps_active.avg.per_cycle_active", "warp", "SchedulerStats")
ELIGIBLE_WARPS = _ref("smsp__warps_eligible.avg.per_cycle_active", "warp", "SchedulerStats")
WARP_LATENCY = _ref("smsp__average_warp_latency_per_inst_issued.ratio", "cycle", "WarpStateStats")
THREADS_PER_INSTRUCTION = _ref("smsp__thread_inst_executed_per_inst_executed.ratio", "", "WarpStateStats")
ACTIVE_THREADS_PER_INSTRUCTION = _ref(
    "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio", "", "WarpStateStats"
)
INSTRUCTIONS = _ref("smsp__inst_executed.sum", "inst", "InstructionStats", "sm__inst_executed.sum")

GLOBAL_LOAD_SECTORS = _ref("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector", "MemoryWorkloadAnalysis_Tables")
GLOBAL_LOAD_REQUESTS = _ref(
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "request", "MemoryWorkloadAnalysis_Tables"
)
GLOBAL_STORE_SECTORS = _ref("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "sector", "MemoryWorkloadAnalysis_Tables")
GLOBAL_STORE_REQUESTS = _ref(
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "request", "MemoryWorkloadAnalysis_Tables"
)
GLOBAL_LOAD_HIT_RATE = _ref(
    "l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct", "%", "MemoryWorkloadAnalysis_Tables"
)
GLOBAL_LOAD_MISSES = _ref(
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum", "sector", "MemoryWorkloadAnalysis_Tables"
)
GLOBAL_LOAD_BYTES_PER_SECTOR = _ref(
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", "byte/sector", "MemoryWorkloadAnalysis_Tables"
)
GLOBAL_SECTORS = _ref("memory_l2_theoretical_sectors_global", "sector", "SourceCounters")
GLOBAL_SECTORS_IDEAL = _ref("memory_l2_theoretical_sectors_global_ideal", "sector", "SourceCounters")
L1_SECTORS = _ref("l1tex__t_sectors.sum", "sector", "MemoryWorkloadAnalysis_Tables")
L1_HIT_RATE = _ref("l1tex__t_sector_hit_rate.pct", "%", "MemoryWorkloadAnalysis")
L1_WAVEFRONTS = _ref("l1tex__data_pipe_lsu_wavefronts.sum", "wavefront", "MemoryWorkloadAnalysis_Tables")
L1_WAVEFRONTS_PCT = _ref("l1tex__data_pipe_lsu_wavefronts" + PCT, "%", "SpeedOfLight")
SHARED_WAVEFRONTS = _ref("memory_l1_wavefronts_shared", "wavefront", "SourceCounters")
SHARED_WAVEFRONTS_IDEAL = _ref("memory_l1_wavefronts_shared_ideal", "wavefront", "SourceCounters")
SHARED_WAVEFRONTS_MEASURED = _ref(
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "wavefront", "MemoryWorkloadAnalysis_Tables"
)
SHARED_WAVEFRONTS_PCT = _ref(
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.pct_of_peak_sustained_elapsed",
    "%",
    "MemoryWorkloadAnalysis_Tables",
)
SHARED_LOADS = _ref(
    "sass__inst_executed_shared_loads", "inst", "SourceCounters", "smsp__inst_executed_op_shared_ld.sum"
)
GLOBAL_LOADS = _ref(
    "sass__inst_executed_global_loads", "inst", "SourceCounters", "smsp__inst_executed_op_global_ld.sum"
)
L2_HIT_RATE = _ref("lts__t_sector_hit_rate.pct", "%", "MemoryWorkloadAnalysis")
L2_SECTORS = _ref("lts__t_sectors.sum", "sector", "MemoryWorkloadAnalysis_Tables")
L2_READ_SECTORS = _ref(
    "lts__t_sectors_srcunit_tex_op_read.sum",
    "sector",
    "MemoryWorkloadAnalysis_Tables",
    "lts__t_sectors_op_read.sum",
)
L2_WRITE_SECTORS = _ref(
    "lts__t_sectors_srcunit_tex_op_write.sum",
    "sector",
    "MemoryWorkloadAnalysis_Tables",
    "lts__t_sectors_op_write.sum",
)
L2_ATOMIC_SECTORS = _ref(
    "lts__t_sectors_srcunit_tex_op_atom.sum",
    "sector",
    "MemoryWorkloadAnalysis_Tables",
    "lts__t_sectors_op_atom.sum",
)
L2_REDUCTION_SECTORS = _ref(
    "lts__t_sectors_srcunit_tex_op_red.sum",
    "sector",
    "MemoryWorkloadAnalysis_Tables",
    "lts__t_sectors_op_red.sum",
)
L2_ATOMIC_BUSIEST_PCT = _ref("lts__d_atomic_input_cycles_active.max.pct_of_peak_sustained_elapsed", "%", "SpeedOfLight")
L2_ATOMIC_PCT = _ref("lts__d_atomic_input_cycles_active" + PCT, "%", "SpeedOfLight")
L2_SYSMEM_MISSES = _ref(
    "lts__t_sectors_srcunit_tex_aperture_sysmem_lookup_miss.sum",
    "sector",
    "MemoryWorkloadAnalysis_Tables",
    "syslts__t_sectors_srcunit_tex_aperture_sysmem_lookup_miss.sum",
)
L2_DEVICE_MISSES = _ref(
    "lts__t_sectors_srcunit_tex_aperture_device_lookup_miss.sum", "sector", "MemoryWorkloadAnalysis_Tables"
)
L2_PEER_MISSES = _ref(
    "lts__t_sectors_srcunit_tex_aperture_peer_lookup_miss.sum",
    "sector",
    "MemoryWorkloadAnalysis_Tables",
    "syslts__t_sectors_srcunit_tex_aperture_peer_lookup_miss.sum",
)
DRAM_BYTES = _ref("dram__bytes.sum", "byte", "MemoryWorkloadAnalysis")
DRAM_READ_BYTES = _ref(
    "dram__bytes_read.sum", "byte", "MemoryWorkloadAnalysis_Tables", "dram__bytes_op_read.sum"
)
DRAM_WRITE_BYTES = _ref(
    "dram__bytes_write.sum", "byte", "MemoryWorkloadAnalysis_Tables", "dram__bytes_op_write.sum"
)
DRAM_BYTES_PER_S = _ref("dram__bytes.sum.per_second", "byte/s", "MemoryWorkloadAnalysis")
LOCAL_LOADS = _ref(
    "smsp__sass_inst_executed_op_local_ld.sum",
    "inst",
    "MemoryWorkloadAnalysis_Tables",
    "sass__inst_executed_local_loads",
    "smsp__inst_executed_op_local_ld.sum",
)
LOCAL_STORES = _ref(
    "smsp__sass_inst_executed_op_local_st.sum",
    "inst",
    "MemoryWorkloadAnalysis_Tables",
    "sass__inst_executed_local_stores",
    "smsp__inst_executed_op_local_st.sum",
)
LOCAL_LOAD_SECTORS = _ref("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "sector", "MemoryWorkloadAnalysis_Tables")
LOCAL_STORE_SECTORS = _ref("l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", "sector", "MemoryWorkloadAnalysis_Tables")
SHARED_ATOMICS = _ref("smsp__inst_executed_op_shared_atom.sum", "inst", "MemoryWorkloadAnalysis_Tables")
SHARED_ATOMIC_WAVEFRONTS = _ref(
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum", "wavefront", "MemoryWorkloadAnalysis_Tables"
)
LOCAL_LOAD_MISSES = _ref(
    "l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_miss.sum", "sector", "MemoryWorkloadAnalysis_Tables"
)
L2_TEX_SECTORS = _ref("lts__t_sectors_srcunit_tex.sum", "sector", "MemoryWorkloadAnalysis_Tables")
CONSTANT_REQUESTS = _ref("idc__requests.sum", "request", "MemoryWorkloadAnalysis_Tables")
_RATE = "smsp__sass_thread_inst_executed_op_{}_pred_on.sum.per_cycle_elapsed"
FADD = _ref(_RATE.format("fadd"), "inst/cycle", "SpeedOfLight_RooflineChart")
FMUL = _ref(_RATE.format("fmul"), "inst/cycle", "SpeedOfLight_RooflineChart")
FFMA = _ref(_RATE.format("ffma"), "inst/cycle", "SpeedOfLight_RooflineChart")
DADD = _ref(_RATE.format("dadd"), "inst/cycle", "SpeedOfLight_RooflineChart")
DMUL = _ref(_RATE.format("dmul"), "inst/cycle", "SpeedOfLight_RooflineChart")
DFMA = _ref(_RATE.format("dfma"), "inst/cycle", "SpeedOfLight_RooflineChart")
CONSTANT_BUSY = _ref("idc__request_cycles_active" + PCT, "%", "SpeedOfLight")
FP64_BUSY = _ref("sm__pipe_fp64_cycles_active" + PCT, "%", "SpeedOfLight")
XU_BUSY = _ref("sm__inst_executed_pipe_xu" + PCT, "%", "SpeedOfLight")
FP16_BUSY = _ref("sm__inst_executed_pipe_fma_type_fp16" + PCT, "%", "SpeedOfLight", "sm__inst_executed_pipe_fp16" + PCT)
L2_TEX_REQUESTS = _ref("lts__t_requests_srcunit_tex.sum", "request", "MemoryWorkloadAnalysis_Tables")
TMA_LOADS = _ref(
    "smsp__inst_executed_op_tma_ld.sum",
    "inst",
    "MemoryWorkloadAnalysis_Tables",
    "smsp__sass_inst_executed_op_tma_ld.sum",
)
ASYNC_COPIES = _ref(
    "smsp__inst_executed_op_ldgsts.sum",
    "inst",
    "MemoryWorkloadAnalysis_Tables",
    "smsp__sass_inst_executed_op_ldgsts.sum",
)
