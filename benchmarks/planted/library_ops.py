"""PyTorch's own kernels, nothing planted: `library_ops.py [--profile] NAME...|all`.

They show what a diagnosis says of library code. Each makes about a gigabyte of traffic or a millisecond of work.
"""

import sys

import torch
import torch.nn.functional as F
from torch_ops import main, normal

CASES = {}
BF16, FP16, FP32 = torch.bfloat16, torch.float16, torch.float32


def case(make):
    CASES[make.__name__] = make
    return make


def on_tensor(name, dtype, shape, run):
    """A case that applies `run` to one random tensor."""

    def make():
        x = normal(*shape, dtype=dtype)
        return lambda: run(x)

    CASES[name] = make


FLAT, ROWS = (128 << 20,), (32768, 4096)
on_tensor("clone_fp32", FP32, FLAT, torch.clone)
on_tensor("add_one_bf16", BF16, FLAT, lambda x: x + 1)
on_tensor("relu_fp16", FP16, FLAT, torch.relu)
on_tensor("exp_fp32", FP32, FLAT, torch.exp)
on_tensor("cast_fp32_bf16", FP32, FLAT, lambda x: x.to(BF16))
on_tensor("clamp_fp32", FP32, FLAT, lambda x: x.clamp(-1, 1))
on_tensor("softmax_fp16", FP16, ROWS, lambda x: torch.softmax(x, -1))
on_tensor("log_softmax_fp32", FP32, ROWS, lambda x: torch.log_softmax(x, -1))
on_tensor("layer_norm_bf16", BF16, ROWS, lambda x: F.layer_norm(x, (4096,)))
on_tensor("sum_rows_fp32", FP32, ROWS, lambda x: x.sum(-1))
on_tensor("sum_columns_fp32", FP32, ROWS, lambda x: x.sum(0))
on_tensor("max_bf16", BF16, FLAT, torch.max)
on_tensor("argmax_fp32", FP32, ROWS, lambda x: x.argmax(-1))
on_tensor("cumsum_fp32", FP32, ROWS, lambda x: x.cumsum(-1))
on_tensor("transpose_fp32", FP32, (8192, 8192), lambda x: x.t().contiguous())
on_tensor("permute_bf16", BF16, (64, 256, 32, 128), lambda x: x.permute(0, 2, 1, 3).contiguous())
on_tensor("dropout_bf16", BF16, FLAT, lambda x: F.dropout(x, 0.1))
on_tensor("normal_fp32", FP32, (64 << 20,), lambda x: torch.randn_like(x))
on_tensor("max_pool_bf16", BF16, (64, 64, 112, 112), lambda x: F.max_pool2d(x, 3, 2, 1))
on_tensor("batch_norm_fp32", FP32, (64, 64, 112, 112), lambda x: F.batch_norm(x, None, None, training=True))
on_tensor(
    "upsample_fp32", FP32, (16, 64, 128, 128), lambda x: F.interpolate(x, scale_factor=2, mode="bilinear")
)
on_tensor("fft_fp32", FP32, (16384, 4096), lambda x: torch.fft.rfft(x))
on_tensor("matrix_vector_bf16", BF16, (16384, 8192), lambda x: x @ x[0])
on_tensor("small_gemm_bf16", BF16, (512, 512), lambda x: x @ x)
on_tensor("bmm_fp16", FP16, (256, 512, 512), lambda x: torch.bmm(x, x))
on_tensor("gemm_bf16_4096", BF16, (4096, 4096), lambda x: x @ x)
on_tensor("attention_fp16", FP16, (4, 32, 4096, 128), lambda x: F.scaled_dot_product_attention(x, x, x))
on_tensor(
    "causal_bf16", BF16, (4, 32, 4096, 64), lambda x: F.scaled_dot_product_attention(x, x, x, is_causal=True)
)


@case
def add_fp32():
    a, b = normal(*FLAT, dtype=FP32), normal(*FLAT, dtype=FP32)
    return lambda: a + b


@case
def embedding_bf16():
    table, at = normal(1 << 17, 2048), torch.randint(0, 1 << 17, (1 << 17,), device="cuda")
    return lambda: F.embedding(at, table)


@case
def gather_fp32():
    x, at = normal(*FLAT, dtype=FP32), torch.randint(0, FLAT[0], (32 << 20,), device="cuda")
    return lambda: x[at]


@case
def scatter_add_fp32():
    x, at = normal(32 << 20, dtype=FP32), torch.randint(0, 1 << 20, (32 << 20,), device="cuda")
    o = torch.zeros(1 << 20, device="cuda")
    return lambda: o.index_add_(0, at, x)


@case
def bincount_int64():
    at = torch.randint(0, 64, (16 << 20,), device="cuda")
    return lambda: at.bincount(minlength=64)


@case
def convolution_bf16():
    x = normal(64, 256, 56, 56).to(memory_format=torch.channels_last)
    w = normal(256, 256, 3, 3).to(memory_format=torch.channels_last)
    return lambda: F.conv2d(x, w, padding=1)


@case
def depthwise_fp32():
    x, w = normal(32, 256, 56, 56, dtype=FP32), normal(256, 1, 3, 3, dtype=FP32)
    return lambda: F.conv2d(x, w, padding=1, groups=256)


@case
def adam_fp32():
    p = normal(32 << 20, dtype=FP32).requires_grad_()
    p.grad = torch.ones_like(p)
    step = torch.optim.Adam([p], fused=True)
    return lambda: (step.step(), p.detach())[1]


if __name__ == "__main__":
    main(CASES, sys.argv[1:])
