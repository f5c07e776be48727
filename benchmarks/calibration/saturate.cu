// Kernels that each drive one unit to what it sustains: DRAM, L2, L1, shared memory and the arithmetic pipes.
// `saturate` launches each once between cudaProfilerStart and Stop (after one warm-up outside).
#include <cuda_fp16.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <functional>

#define CHECK(call)                                                                    \
  do {                                                                                 \
    cudaError_t status = (call);                                                       \
    if (status != cudaSuccess) {                                                       \
      fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(status));   \
      exit(3);                                                                         \
    }                                                                                  \
  } while (0)
typedef long long ll;

__device__ __forceinline__ ll thread_id() { return blockIdx.x * (ll)blockDim.x + threadIdx.x; }
__device__ __forceinline__ ll thread_count() { return gridDim.x * (ll)blockDim.x; }
__device__ __forceinline__ float sum(float4 v) { return v.x + v.y + v.z + v.w; }

__global__ void fill(unsigned* p, ll n) {
  for (ll i = thread_id(); i < n; i += thread_count()) p[i] = ((unsigned)i * 2654435761u & 0x007fffffu) | 0x3f000000u;
}

extern "C" __global__ void __launch_bounds__(512) dram_read(const float4* __restrict__ a, float* o) {
  ll i = blockIdx.x * 4096ll + threadIdx.x;
  float4 v[8];
#pragma unroll
  for (int k = 0; k < 8; k++) v[k] = a[i + k * 512];
  float s = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) s += sum(v[k]);
  if (s == -1) o[threadIdx.x] = s;
}
extern "C" __global__ void __launch_bounds__(256) dram_write(float4* __restrict__ o) {
  ll i = blockIdx.x * 1024ll + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; k++) o[i + k * 256] = make_float4(i, k, 1, 2);
}
extern "C" __global__ void __launch_bounds__(256) dram_copy(const float4* __restrict__ a, float4* __restrict__ o) {
  ll i = blockIdx.x * 1024ll + threadIdx.x;
  float4 v[4];
#pragma unroll
  for (int k = 0; k < 4; k++) v[k] = a[i + k * 256];
#pragma unroll
  for (int k = 0; k < 4; k++) o[i + k * 256] = v[k];
}
extern "C" __global__ void __launch_bounds__(256) l2_read(const float4* __restrict__ a, float* o, int turns) {
  ll total = thread_count(), i = thread_id();
  float s = 0;
  for (int r = 0; r < turns; r++) {
    float4 v[5];
#pragma unroll
    for (int k = 0; k < 5; k++) v[k] = __ldcg(&a[i + k * total]);
#pragma unroll
    for (int k = 0; k < 5; k++) s += sum(v[k]);
    i += 4128;
    if (i >= total) i -= total;
  }
  o[thread_id()] = s;
}
extern "C" __global__ void __launch_bounds__(512) l1_read(const float4* __restrict__ a, float* o, int turns) {
  const float4* mine = a + blockIdx.x % 132 * 4096;  // 64 KiB an SM
  float s = 0;
  for (int r = 0; r < turns; r++) {
    const float4* p = mine + ((threadIdx.x + r * 32) & 2047);
#pragma unroll
    for (int k = 0; k < 4; k++) s += sum(__ldca(p + k * 512));
  }
  o[thread_id()] = s;
}
extern "C" __global__ void __launch_bounds__(256) shared_read(float* o, int turns) {
  __shared__ float4 data[1024];
  for (int i = threadIdx.x; i < 1024; i += 256) data[i] = make_float4(i, 1, 2, 3);
  __syncthreads();
  float s = 0;
  for (int r = 0; r < turns; r++) {
    const float4* p = data + ((threadIdx.x + r) & 511);
#pragma unroll
    for (int k = 0; k < 8; k++) s += sum(p[k * 64]);
  }
  o[thread_id()] = s;
}

// Eight independent chains of one operation.
template <class T, class STEP>
__device__ __forceinline__ T chains(T first, T step_between, int turns, STEP step) {
  T v[8];
  v[0] = first;
#pragma unroll
  for (int k = 1; k < 8; k++) v[k] = v[k - 1] + step_between;
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int j = 0; j < 8; j++)
#pragma unroll
      for (int k = 0; k < 8; k++) v[k] = step(v[k]);
  }
#pragma unroll
  for (int k = 1; k < 8; k++) v[0] = v[0] + v[k];
  return v[0];
}
extern "C" __global__ void __launch_bounds__(256) fma_fp32(float* o, int turns) {
  o[thread_id()] = chains<float>(threadIdx.x, 1, turns, [](float x) { return x * 0.999f + 0.5f; });
}
extern "C" __global__ void __launch_bounds__(256) fma_fp64(double* o, int turns) {
  o[thread_id()] = chains<double>(threadIdx.x, 1, turns, [](double x) { return x * 0.999 + 0.5; });
}
extern "C" __global__ void __launch_bounds__(256) fma_fp16x2(__half2* o, int turns) {
  __half2 a = __float2half2_rn(0.99f), b = __float2half2_rn(0.25f), x = __float2half2_rn(threadIdx.x % 32);
  o[thread_id()] = chains<__half2>(x, b, turns, [=](__half2 v) { return __hfma2(v, a, b); });
}
extern "C" __global__ void __launch_bounds__(256) imad_int32(unsigned* o, unsigned a, int turns) {
  o[thread_id()] = chains<unsigned>(threadIdx.x, 1, turns, [=](unsigned x) { return x * a + 12345u; });
}
extern "C" __global__ void __launch_bounds__(256) logic_int32(unsigned* o, unsigned a, int turns) {
  o[thread_id()] = chains<unsigned>(threadIdx.x, 1, turns, [=](unsigned x) { return __funnelshift_l(x, x, 7) ^ a; });
}
extern "C" __global__ void __launch_bounds__(256) exp2_fp32(float* o, int turns) {
  o[thread_id()] = chains<float>(0.01f * (threadIdx.x & 31), 0.01f, turns, [](float x) {
    float y;
    asm volatile("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  });
}

static void launch(std::function<void()> run) {
  run();
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaProfilerStart());
  run();
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaProfilerStop());
}

int main() {
  int sms;
  CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  size_t bytes = size_t(2) << 30, vectors = bytes / 16;
  void *a, *o;
  CHECK(cudaMalloc(&a, bytes));
  CHECK(cudaMalloc(&o, bytes));
  fill<<<1024, 256>>>((unsigned*)a, bytes / 4);
  fill<<<1024, 256>>>((unsigned*)o, bytes / 4);
  CHECK(cudaDeviceSynchronize());
  int full = sms * 8;
  launch([&] { dram_read<<<vectors / 4096, 512>>>((float4*)a, (float*)o); });
  launch([&] { dram_write<<<vectors / 1024, 256>>>((float4*)o); });
  launch([&] { dram_copy<<<vectors / 1024, 256>>>((float4*)a, (float4*)o); });
  launch([&] { l2_read<<<full, 256>>>((float4*)a, (float*)o, 100); });
  launch([&] { l1_read<<<sms * 4, 512>>>((float4*)a, (float*)o, 1000); });
  launch([&] { shared_read<<<full, 256>>>((float*)o, 1000); });
  launch([&] { fma_fp32<<<full, 256>>>((float*)o, 1000); });
  launch([&] { fma_fp64<<<full, 256>>>((double*)o, 400); });
  launch([&] { fma_fp16x2<<<full, 256>>>((__half2*)o, 1000); });
  launch([&] { imad_int32<<<full, 256>>>((unsigned*)o, 1664525u, 500); });
  launch([&] { logic_int32<<<full, 256>>>((unsigned*)o, 0x9e3779b9u, 300); });
  launch([&] { exp2_fp32<<<full, 256>>>((float*)o, 200); });
  return 0;
}
