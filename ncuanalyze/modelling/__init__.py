"""Ceilings before a kernel is written: operators, floors, sweeps, occupancy, and the two utilisations.

``estimate("gemm", {"m": 4096, "n": 4096, "k": 4096, "dtype": "bf16"}, "h100")`` models an operator,
``occupancy((9, 0), BlockResources(threads=256, registers_per_thread=128))`` counts resident blocks, and
``utilization_of(parse_workload("k=rmsnorm b=4096 d=4096"), duration_ns=...)`` compares a measured launch.
"""
