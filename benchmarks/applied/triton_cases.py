"""Triton kernels: `triton_cases.py [--profile] CASE...|all`, the same output as ./build/planted.

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
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, PRECISION: tl.constexpr):
    pid = tl.program_id(0)
    across, down = tl.cdiv(N, BN), tl.cdiv(M, BM)
    group = pid // (8 * across)
    rows_here = min(down - group * 8, 8)
    pm = group * 8 + (pid % (8 * across)) % rows_here
    pn = (pid % (8 * across)) // rows_here
    rm, rn, rk = pm * BM + tl.arange(0, BM), pn * BN + tl.arange(0, BN), tl.arange(0, BK)
    ap = a + rm[:, None] * K + rk[None, :]
    bp = b + rk[:, None] * N + rn[None, :]
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for _ in range(0, K, BK):
        acc = tl.dot(tl.load(ap), tl.load(bp), acc, input_precision=PRECISION)
        ap += BK
        bp += BK * N
    tl.store(c + rm[:, None] * N + rn[None, :], acc.to(c.dtype.element_ty))


def matmul_launch(a, b, c, bm, bn, bk, warps, stages, precision="tf32"):
    (m, k), n = a.shape, b.shape[1]
    grid = (triton.cdiv(m, bm) * triton.cdiv(n, bn),)
    return lambda: matmul[grid](a, b, c, m, n, k, bm, bn, bk, precision, num_warps=warps, num_stages=stages)


@case
def t_matmul():
    a = torch.randn(4096, 4096, device="cuda").bfloat16()
    b = torch.randn(4096, 4096, device="cuda").bfloat16() + 0.25
    c = torch.zeros(4096, 4096, device="cuda")
    measure("matmul_tiny_blocks", c, matmul_launch(a, b, c, 32, 32, 32, 4, 3))
    measure("matmul_one_stage", c, matmul_launch(a, b, c, 128, 128, 64, 4, 1))
    measure("matmul_good", c, matmul_launch(a, b, c, 128, 256, 64, 8, 4))


@case
def t_fp32_matmul():
    a = torch.rand(2048, 2048, device="cuda")
    b = torch.rand(2048, 2048, device="cuda")
    c = torch.zeros(2048, 2048, device="cuda")
    measure("dot_fp32_ieee", c, matmul_launch(a, b, c, 64, 64, 32, 4, 3, "ieee"))
    measure("dot_fp32_tf32", c, matmul_launch(a, b, c, 128, 128, 32, 8, 3, "tf32"))


@triton.jit
def softmax_row(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + at, mask=at < n, other=-float("inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(y + row * n + at, e / tl.sum(e, axis=0), mask=at < n)


@case
def t_softmax_wide():
    x = torch.rand(16384, 8192, device="cuda") * 4
    y = torch.zeros_like(x)
    for name, warps in (("softmax_one_warp", 1), ("softmax_eight_warps", 8)):
        measure(name, y, lambda warps=warps: softmax_row[(16384,)](x, y, 8192, 8192, num_warps=warps))


@case
def t_softmax_narrow():
    x = torch.rand(131072, 1024, device="cuda") * 4
    y = torch.zeros_like(x)
    for name, warps in (("rows_32_warps", 32), ("rows_four_warps", 4)):
        measure(name, y, lambda warps=warps: softmax_row[(131072,)](x, y, 1024, 1024, num_warps=warps))


@triton.jit
def layernorm_looped(x, y, w, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    for first in range(0, n, BLOCK):
        total += tl.load(x + row + first + tl.arange(0, BLOCK))
    mean = tl.sum(total, axis=0) / n
    square = tl.zeros((BLOCK,), dtype=tl.float32)
    for first in range(0, n, BLOCK):
        d = tl.load(x + row + first + tl.arange(0, BLOCK)) - mean
        square += d * d
    scale = 1 / tl.sqrt(tl.sum(square, axis=0) / n + 1e-5)
    for first in range(0, n, BLOCK):
        at = first + tl.arange(0, BLOCK)
        tl.store(y + row + at, (tl.load(x + row + at) - mean) * scale * tl.load(w + at) + 1)


@triton.jit
def layernorm_whole(x, y, w, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * n
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row + at)
    d = v - tl.sum(v, axis=0) / n
    scale = 1 / tl.sqrt(tl.sum(d * d, axis=0) / n + 1e-5)
    tl.store(y + row + at, d * scale * tl.load(w + at) + 1)


@case
def t_layernorm():
    x = torch.rand(32768, 4096, device="cuda")
    y, w = torch.zeros_like(x), torch.rand(4096, device="cuda")
    measure("layernorm_small_block", y, lambda: layernorm_looped[(32768,)](x, y, w, 4096, 128, num_warps=4))
    measure("layernorm_whole_row", y, lambda: layernorm_whole[(32768,)](x, y, w, 4096, 4096, num_warps=8))


@triton.jit
def gather_masked(table, index, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    i = tl.load(index + at, mask=at < n, other=0)
    v = tl.load(table + i, mask=(at < n) & (i >= 0), other=0.0)
    tl.store(y + at, v * 0.5, mask=at < n)


@case
def t_gather():
    n = 1 << 26
    table, y = torch.rand(n, device="cuda"), torch.zeros(n, device="cuda")
    shuffled = torch.randint(-(n // 8), n, (n,), device="cuda", dtype=torch.int32)  # one of nine is masked
    ordered = torch.sort(shuffled).values
    for name, index in (("gather_masked_shuffled", shuffled), ("gather_masked_sorted", ordered)):
        measure(name, y, lambda index=index: gather_masked[(n // 1024,)](table, index, y, n, 1024, num_warps=4))


@triton.jit
def flash(q, k, v, o, S, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    base = tl.program_id(1).to(tl.int64) * S * D
    rm, rd, rn = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, D), tl.arange(0, BN)
    query = tl.load(q + base + rm[:, None] * D + rd[None, :])
    kp = k + base + rn[None, :] * D + rd[:, None]
    vp = v + base + rn[:, None] * D + rd[None, :]
    top = tl.full((BM,), -float("inf"), dtype=tl.float32)
    total = tl.zeros((BM,), dtype=tl.float32)
    acc = tl.zeros((BM, D), dtype=tl.float32)
    for _ in range(0, S, BN):
        s = tl.dot(query, tl.load(kp)) * scale
        best = tl.maximum(top, tl.max(s, axis=1))
        p = tl.exp2(s - best[:, None])
        fade = tl.exp2(top - best)
        total = total * fade + tl.sum(p, axis=1)
        acc = tl.dot(p.to(query.dtype), tl.load(vp), acc * fade[:, None])
        top = best
        kp += BN * D
        vp += BN * D
    tl.store(o + base + rm[:, None] * D + rd[None, :], acc / total[:, None])


@case
def t_flash():
    heads, s, d = 64, 4096, 64
    q, k, v = (torch.randn(heads, s, d, device="cuda").bfloat16() for _ in range(3))
    v += 0.5
    o = torch.zeros(heads, s, d, device="cuda")
    for name, bm, bn, warps, stages in (("flash_small_blocks", 16, 16, 1, 1), ("flash_good", 128, 64, 4, 3)):
        measure(
            name,
            o,
            lambda bm=bm, bn=bn, warps=warps, stages=stages: flash[(s // bm, heads)](
                q, k, v, o, s, 0.125 * 1.4426950408889634, d, bm, bn, num_warps=warps, num_stages=stages
            ),
        )


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
