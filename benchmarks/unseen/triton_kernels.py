"""Kernels of Triton and PyTorch: `triton_kernels.py [--profile] CASE...|all`, the same output as ./build/planted.

A kernel is known by its NVTX range (one @triton.jit function runs with several settings).
"""

import statistics
import sys

import torch
import triton
import triton.language as tl

PROFILING = "--profile" in sys.argv
CASES = {}
current = ""


def case(run):
    CASES[run.__name__] = run
    return run


def measure(name, out, launch):
    """Time one launch, or run it once inside a profiler range (after a launch that compiles it)."""
    try:
        launch()
        torch.cuda.synchronize()
    except Exception as error:  # a setting that Triton refuses must not stop the rest
        print(f"{current} {name}: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
        return
    if PROFILING:
        torch.cuda.cudart().cudaProfilerStart()
        torch.cuda.nvtx.range_push(name)
        launch()
        torch.cuda.synchronize()
        torch.cuda.nvtx.range_pop()
        torch.cuda.cudart().cudaProfilerStop()
        return
    checksum = out.double().sum().item()
    times = []
    for turn in range(17):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        launch()
        end.record()
        torch.cuda.synchronize()
        if turn >= 2:
            times.append(begin.elapsed_time(end) * 1000)
    print(f"{current},{name},{statistics.median(times):.3f},{checksum:.8g}", flush=True)


@triton.jit
def product(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SUM: tl.constexpr):
    """C = A B', both by rows of K."""
    pid = tl.program_id(0)
    across, down = tl.cdiv(N, BN), tl.cdiv(M, BM)
    group = pid // (8 * across)
    rows_here = min(down - group * 8, 8)
    pm = group * 8 + (pid % (8 * across)) % rows_here
    pn = (pid % (8 * across)) // rows_here
    rm, rn, rk = pm * BM + tl.arange(0, BM), pn * BN + tl.arange(0, BN), tl.arange(0, BK)
    ap = a + rm[:, None] * K + rk[None, :]
    bp = b + rn[None, :] * K + rk[:, None]
    acc = tl.zeros((BM, BN), dtype=SUM)
    for _ in range(0, K, BK):
        acc = tl.dot(tl.load(ap), tl.load(bp), acc, out_dtype=SUM)
        ap += BK
        bp += BK
    tl.store(c + rm[:, None] * N + rn[None, :], acc)


def product_launch(a, b, c, tile, warps, stages):
    (m, k), n = a.shape, b.shape[0]
    kind = tl.int32 if c.dtype == torch.int32 else tl.float32
    bm, bn, bk = tile
    grid = (triton.cdiv(m, bm) * triton.cdiv(n, bn),)
    return lambda: product[grid](a, b, c, m, n, k, bm, bn, bk, kind, num_warps=warps, num_stages=stages)


@case
def u_fp8():
    a = torch.randn(4096, 8192, device="cuda").to(torch.float8_e4m3fn)
    b = (torch.randn(4096, 8192, device="cuda") + 0.25).to(torch.float8_e4m3fn)
    c = torch.zeros(4096, 4096, device="cuda")
    measure("fp8_narrow_tiles", c, product_launch(a, b, c, (64, 32, 64), 4, 2))
    measure("fp8_wide_tiles", c, product_launch(a, b, c, (128, 256, 128), 8, 4))


@case
def u_int8():
    a = torch.randint(-4, 5, (4096, 8192), device="cuda", dtype=torch.int8)
    b = torch.randint(-4, 6, (4096, 8192), device="cuda", dtype=torch.int8)
    c = torch.zeros(4096, 4096, device="cuda", dtype=torch.int32)
    measure("int8_one_stage", c, product_launch(a, b, c, (128, 128, 128), 4, 1))
    measure("int8_four_stages", c, product_launch(a, b, c, (128, 256, 128), 8, 4))


@case
def u_one_warp():
    a = torch.randn(2048, 2048, device="cuda").half()
    b = torch.randn(2048, 2048, device="cuda").half() + 0.25
    c = torch.zeros(2048, 2048, device="cuda")
    measure("half_tile_one_warp", c, product_launch(a, b, c, (128, 128, 32), 1, 2))
    measure("half_tile_four_warps", c, product_launch(a, b, c, (128, 128, 32), 4, 2))


@case
def u_cublas():
    a, b = (torch.randn(8192, 8192, device="cuda").bfloat16() for _ in range(2))
    c = torch.zeros(8192, 8192, device="cuda").bfloat16()
    measure("blas_bf16_8192", c, lambda: torch.mm(a, b, out=c))
    u, v = torch.randn(16384, 64, device="cuda").half(), torch.randn(64, 16384, device="cuda").half()
    w = torch.zeros(16384, 16384, device="cuda").half()
    measure("blas_outer_k64", w, lambda: torch.mm(u, v, out=w))


@triton.jit
def column_sums(x, y, rows, columns, BM: tl.constexpr, BN: tl.constexpr):
    at = tl.program_id(0) * BN + tl.arange(0, BN)
    total = tl.zeros((BN,), dtype=tl.float32)
    for first in range(0, rows, BM):
        row = first + tl.arange(0, BM)
        total += tl.sum(tl.load(x + row[:, None] * columns + at[None, :]), axis=0)
    tl.store(y + at, total)


@case
def u_columns():
    x, y = torch.rand(4096, 16384, device="cuda"), torch.zeros(16384, device="cuda")
    measure("column_sums_single", y, lambda: column_sums[(16384,)](x, y, 4096, 16384, 1024, 1, num_warps=4))
    measure("column_sums_strip", y, lambda: column_sums[(512,)](x, y, 4096, 16384, 128, 32, num_warps=8))


@triton.jit
def count_atomic(x, counts, BLOCK: tl.constexpr):
    v = tl.load(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))
    tl.atomic_add(counts + (v & 15), v >> 8 & 1)


@triton.jit
def count_blocks(x, counts, BLOCK: tl.constexpr):
    v = tl.load(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))
    bins = tl.arange(0, 16)
    hits = tl.where((v & 15)[:, None] == bins[None, :], (v >> 8 & 1)[:, None], 0)
    tl.atomic_add(counts + bins, tl.sum(hits, axis=0))


@case
def u_counts():
    n = 1 << 22
    x = torch.randint(0, 1 << 20, (n,), device="cuda", dtype=torch.int32)
    counts = torch.zeros(16, device="cuda", dtype=torch.int32)
    measure("count_each_value", counts, lambda: count_atomic[(n // 1024,)](x, counts, 1024, num_warps=4))
    measure("count_each_block", counts, lambda: count_blocks[(n // 1024,)](x, counts, 1024, num_warps=4))


@triton.jit
def series(x, y, BLOCK: tl.constexpr, KIND: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at).to(KIND)
    total = tl.zeros((BLOCK,), dtype=KIND)
    term = total + 1
    for k in tl.static_range(1, 33):
        term = term * v * (1.0 / k)
        total += term
    tl.store(y + at, total.to(tl.float32))


@case
def u_series():
    x, y = torch.rand(1 << 24, device="cuda"), torch.zeros(1 << 24, device="cuda")
    for name, kind in (("series_float64", tl.float64), ("series_float32", tl.float32)):
        measure(name, y, lambda kind=kind: series[(1 << 14,)](x, y, 1024, kind, num_warps=4))


@triton.jit
def row_sums(x, y, n, BLOCK: tl.constexpr):
    row, part = tl.program_id(0), tl.program_id(1)
    length = n // tl.num_programs(1)
    base = x + row.to(tl.int64) * n + part * length
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for first in range(0, length, BLOCK):
        total += tl.load(base + first + tl.arange(0, BLOCK))
    tl.atomic_add(y + row, tl.sum(total, axis=0))


@case
def u_rows():
    n = 1 << 22
    x, y = torch.rand(24, n, device="cuda"), torch.zeros(24, device="cuda")
    measure("row_sums_24_programs", y, lambda: row_sums[(24, 1)](x, y, n, 2048, num_warps=8))
    measure("row_sums_split", y, lambda: row_sums[(24, 64)](x, y, n, 2048, num_warps=8))


@triton.jit
def soft_chain(x, y, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at)
    for _ in range(24):
        v = tl.log2(tl.exp2(v) + 0.5)
    tl.store(y + at, v)


@triton.jit
def silu_product(x, y, z, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at).to(tl.float32)
    w = tl.load(y + at).to(tl.float32)
    tl.store(z + at, (v * tl.sigmoid(v) * w).to(tl.bfloat16))


@triton.jit
def invert(x, y, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at) ^ 255)


@case
def u_elementwise():
    n = 1 << 25
    x, y = torch.rand(n, device="cuda"), torch.zeros(n, device="cuda")
    measure("soft_functions", y, lambda: soft_chain[(n // 1024,)](x, y, 1024, num_warps=4))
    n = 1 << 27
    a, b = (torch.randn(n, device="cuda").bfloat16() for _ in range(2))
    c = torch.zeros_like(a)
    measure("silu_product_bf16", c, lambda: silu_product[(n // 2048,)](a, b, c, 2048, num_warps=4))
    p = torch.randint(0, 256, (n,), device="cuda", dtype=torch.uint8)
    q = torch.zeros_like(p)
    measure("invert_one_byte", q, lambda: invert[(n // 128,)](p, q, 128, num_warps=4))
    measure("invert_sixteen_bytes", q, lambda: invert[(n // 4096,)](p, q, 4096, num_warps=4))


@triton.jit
def permute(x, y, D1, D2, D3, BLOCK: tl.constexpr, INDEX: tl.constexpr):
    """(A, D1, D2, D3) to (A, D2, D1, D3)."""
    i = tl.program_id(0).to(INDEX) * BLOCK + tl.arange(0, BLOCK).to(INDEX)
    d1, d2, d3 = D1.to(INDEX), D2.to(INDEX), D3.to(INDEX)
    at, rest = i % d3, i // d3
    p, rest = rest % d1, rest // d1
    q, head = rest % d2, rest // d2
    tl.store(y + i, tl.load(x + ((head * d1 + p) * d2 + q) * d3 + at))


@case
def u_permute():
    dims = (96, 48, 160, 112)
    x, y = torch.rand(*dims, device="cuda"), torch.zeros(dims[0], dims[2], dims[1], dims[3], device="cuda")
    grid = (x.numel() // 1024,)
    for name, kind in (("permute_int64", tl.int64), ("permute_int32", tl.int32)):
        measure(name, y, lambda kind=kind: permute[grid](x, y, *dims[1:], 1024, kind, num_warps=4))


def main():
    global current
    asked = [name for name in sys.argv[1:] if name != "--profile"]
    torch.manual_seed(0)
    for name, run in CASES.items():
        if "all" in asked or name in asked:
            current = name
            try:
                run()
            except Exception as error:
                print(f"{name}: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
            torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
