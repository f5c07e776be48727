"""Triton and library kernels, each in an NVTX range with its name: `torch_ops.py [--profile] NAME...|all`.

Without --profile prints `case,kernel,microseconds,checksum`, the median of 15 runs after 3 warm-ups.
"""

import statistics
import sys
from pathlib import Path

import torch
import torch.nn.functional as F
import triton
import triton.language as tl

torch.manual_seed(0)
CASES = {}


def case(make):
    CASES[make.__name__] = make
    return make


def normal(*shape, dtype=torch.bfloat16):
    return torch.randn(*shape, device="cuda").to(dtype)


@triton.jit
def product_kernel(
    a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr
):
    pid = tl.program_id(0)
    rows, columns = tl.cdiv(M, BM), tl.cdiv(N, BN)
    first = pid // (GROUP * columns) * GROUP
    height = min(rows - first, GROUP)
    m = first + (pid % (GROUP * columns)) % height
    n = (pid % (GROUP * columns)) // height
    i, j, k = m * BM + tl.arange(0, BM), n * BN + tl.arange(0, BN), tl.arange(0, BK)
    at_a, at_b = a + i[:, None] * K + k[None, :], b + k[:, None] * N + j[None, :]
    total = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, K, BK):
        total = tl.dot(tl.load(at_a), tl.load(at_b), total)
        at_a += BK
        at_b += BK * N
    tl.store(c + i[:, None] * N + j[None, :], total.to(c.dtype.element_ty))


def product(bm, bn, bk, group, stages, warps, shape=(4096, 8192, 2048)):
    m, n, k = shape
    a, b, c = normal(m, k), normal(k, n), normal(m, n)
    grid = (m // bm * (n // bn),)
    return lambda: (
        product_kernel[grid](
            a, b, c, m, n, k, BM=bm, BN=bn, BK=bk, GROUP=group, num_stages=stages, num_warps=warps
        ),
        c,
    )[1]


@case
def triton_stages():
    return product(128, 256, 64, 8, 1, 8)


@case
def triton_stages_fix():
    return product(128, 256, 64, 8, 3, 8)


@case
def triton_tile():
    return product(64, 32, 32, 8, 3, 4)


@case
def triton_tile_fix():
    return product(128, 256, 64, 8, 3, 8)


@triton.jit
def gelu_kernel(x, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + i, mask=i < n).to(tl.float32)
    tl.store(o + i, (v * tl.sigmoid(1.702 * v)).to(o.dtype.element_ty), mask=i < n)


def gelu(block, warps):
    x = normal(64 << 20)
    o = torch.empty_like(x)
    return lambda: (gelu_kernel[(x.numel() // block,)](x, o, x.numel(), B=block, num_warps=warps), o)[1]


@case
def triton_block():
    return gelu(64, 1)


@case
def triton_block_fix():
    return gelu(2048, 4)


@triton.jit
def column_kernel(x, o, rows, columns, step_row, step_column, B: tl.constexpr):
    line = tl.program_id(0)
    for start in range(0, columns, B):
        i = start + tl.arange(0, B)
        v = tl.load(x + line * step_row + i * step_column)
        tl.store(o + line * step_row + i * step_column, v * 2 + 1)


def scale_lines(by_column):
    n = 8192
    x = normal(n, n, dtype=torch.float32)
    o = torch.empty_like(x)
    steps = (1, n) if by_column else (n, 1)
    return lambda: (column_kernel[(n,)](x, o, n, n, *steps, B=1024, num_warps=4), o)[1]


@case
def triton_columns():
    return scale_lines(True)


@case
def triton_columns_fix():
    return scale_lines(False)


@triton.jit
def layernorm_kernel(x, w, b, o, n, eps, B: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, B)
    v = tl.load(x + row * n + i)
    mean = tl.sum(v, 0) / n
    d = v - mean
    scale = tl.rsqrt(tl.sum(d * d, 0) / n + eps)
    tl.store(o + row * n + i, d * scale * tl.load(w + i) + tl.load(b + i))


@case
def roof_triton_layernorm():
    rows, n = 32768, 4096
    x, w, b = (
        normal(rows, n, dtype=torch.float32),
        torch.ones(n, device="cuda"),
        torch.zeros(n, device="cuda"),
    )
    o = torch.empty_like(x)
    return lambda: (layernorm_kernel[(rows,)](x, w, b, o, n, 1e-5, B=n, num_warps=8), o)[1]


@case
def roof_gelu():
    x = normal(256 << 20)
    return lambda: F.gelu(x)


@case
def roof_sum():
    x = normal(256 << 20, dtype=torch.float32)
    return lambda: x.sum()


@case
def roof_gemm_bf16():
    a, b = normal(8192, 4096), normal(4096, 8192)
    return lambda: a @ b


@case
def roof_gemm_fp16():
    a, b = normal(16384, 2048, dtype=torch.float16), normal(2048, 4096, dtype=torch.float16)
    return lambda: a @ b


@case
def roof_gemm_tf32():
    torch.backends.cuda.matmul.allow_tf32 = True
    a, b = normal(8192, 4096, dtype=torch.float32), normal(4096, 4096, dtype=torch.float32)
    return lambda: a @ b


@case
def roof_gemm_fp8():
    a, b = normal(8192, 8192, dtype=torch.float8_e4m3fn), normal(8192, 8192, dtype=torch.float8_e4m3fn)
    one = torch.tensor(1.0, device="cuda")
    return lambda: torch._scaled_mm(a, b.t(), scale_a=one, scale_b=one, out_dtype=torch.bfloat16)


def profile(name, run):
    with torch.cuda.nvtx.range(name):
        torch.cuda.profiler.start()
        run()
        torch.cuda.synchronize()
        torch.cuda.profiler.stop()


def time(name, run):
    times = []
    for _ in range(15):
        begin, end = torch.cuda.Event(True), torch.cuda.Event(True)
        torch.cuda._sleep(2_000_000)  # keep the device busy while the launch is prepared
        begin.record()
        out = run()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end) * 1000)
    print(
        f"{Path(sys.argv[0]).stem},{name},{statistics.median(times):.3f},{out.double().sum().item():.8g}",
        flush=True,
    )


def main(cases, arguments):
    profiling = "--profile" in arguments
    wanted = [a for a in arguments if not a.startswith("-")]
    for name, make in cases.items():
        if wanted != ["all"] and name not in wanted:
            continue
        try:
            run = make()
            for _ in range(3):
                run()
            torch.cuda.synchronize()
            (profile if profiling else time)(name, run)
        except Exception as error:  # one case that cannot run must not lose the others
            print(f"FAILED {name}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
        run = None
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main(CASES, sys.argv[1:])
