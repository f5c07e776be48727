"""Large cuBLAS products by precision, each once in an NVTX range, to see what Tensor Cores sustain."""

import sys

import torch
from torch.sparse import to_sparse_semi_structured

D = 8192
torch.manual_seed(0)


def normal(dtype, d=D):
    return torch.randn(d, d, device="cuda").to(dtype)


def plain(dtype, d=D):
    a, b = normal(dtype, d), normal(dtype, d)
    return lambda: a @ b


def tf32():
    torch.backends.cuda.matmul.allow_tf32 = True
    return plain(torch.float32)


def fp32():
    torch.backends.cuda.matmul.allow_tf32 = False
    return plain(torch.float32, 4096)


def fp8():
    a, b, one = normal(torch.float8_e4m3fn), normal(torch.float8_e4m3fn), torch.tensor(1.0, device="cuda")
    return lambda: torch._scaled_mm(a, b.t(), scale_a=one, scale_b=one, out_dtype=torch.bfloat16)


def int8():
    a, b = (torch.randint(-8, 8, (D, D), device="cuda", dtype=torch.int8) for _ in range(2))
    return lambda: torch._int_mm(a, b.t())


def sparse(dtype):
    keep = torch.tensor([0, 0, 1, 1], device="cuda", dtype=torch.bool).tile((D, D // 4))
    a, b = to_sparse_semi_structured(normal(dtype) * keep), normal(dtype)
    return lambda: torch.mm(a, b)


CASES = {
    "gemm_bf16": lambda: plain(torch.bfloat16),
    "gemm_fp16": lambda: plain(torch.float16),
    "gemm_tf32": tf32,
    "gemm_fp8": fp8,
    "gemm_int8": int8,
    "gemm_fp64": lambda: plain(torch.float64, 4096),
    "gemm_fp32": fp32,
    "gemm_fp16_sparse": lambda: sparse(torch.float16),
    "gemm_bf16_sparse": lambda: sparse(torch.bfloat16),
}

for name, make in CASES.items():
    try:
        run = make()
        for _ in range(3):
            run()
        torch.cuda.synchronize()
        with torch.cuda.nvtx.range(name):
            torch.cuda.profiler.start()
            run()
            torch.cuda.synchronize()
            torch.cuda.profiler.stop()
    except Exception as error:  # a precision this build cannot run must not lose the others
        print(f"FAILED {name}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
    run = None
    torch.cuda.empty_cache()
