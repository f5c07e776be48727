"""Whose kernel it is, by the names that compilers and libraries give."""

import pytest
from launches import make_launch

from ncuanalyze.analysis.language import language_of


@pytest.mark.parametrize(
    ("name", "demangled", "language"),
    [
        ("c04_bank", "c04_bank(float *, int)", "cuda"),
        ("softmax_kernel", "softmax_kernel", "triton"),
        ("triton_poi_fused_add_relu_0", "triton_poi_fused_add_relu_0", "triton"),
        ("matmul_kernel_0d1d2d3de4de5de6c7de8c9de10c", "matmul_kernel_0d1d2d3de4de5de6c7de8c9de10c", "triton"),
        ("softmax_kernel", "softmax_kernel(float *, float *, int)", "cuda"),
        ("reduce_kernel", "void reduce_kernel<512>(float *)", "cuda"),
        ("nvjet_sm90_tst_256x128_64x4_1x2_h_bz_coopA_NNT", "nvjet_sm90_tst_256x128_64x4_1x2_h_bz_coopA_NNT", "library"),
        ("sm90_xmma_gemm_f32f32_tf32f32_f32_nn_n", "sm90_xmma_gemm_f32f32_tf32f32_f32_nn_n", "library"),
        ("Kernel2", "void cutlass::Kernel2<cutlass_80_simt_sgemm_128x256_8x4_nn_align1>(Params)", "library"),
        ("vectorized_elementwise_kernel", "void at::native::vectorized_elementwise_kernel<8, F>(int, F)", "library"),
        ("vectorized_elementwise_kernel", "void at::vectorized_elementwise_kernel<8, F>(int, F)", "library"),
        ("DeviceReduceKernel", "void cub::DeviceReduceKernel<P>(T)", "library"),
        ("vectorized_elementwise_kernel", "_ZN2at6native29vectorized_elementwise_kernelILi8EEEviT0_", "library"),
        ("scale_kernel", "_Z12scale_kernelPfi", "cuda"),
        ("flat", "void flat::run<float>(float *)", "cuda"),
        ("", "", "cuda"),
    ],
)
def test_the_language_of_a_name(name: str, demangled: str, language: str) -> None:
    assert language_of(make_launch(name=name, demangled=demangled)) == language
