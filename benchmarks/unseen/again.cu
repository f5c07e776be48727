// Causes that did not bind in their first form, or in one degree only: written after the first run, and as blindly.
#include <cuda_fp16.h>
#include <cuda/pipeline>
#include <cstdint>
#include "harness.cuh"

__global__ void fill_next(int* next, ll n, ll step) {
  for (ll i = thread_id(); i < n; i += thread_count()) next[i] = (int)((i * step + 12345) % n);
}
constexpr ll NODES = 4 << 20;
static int* nodes() {
  int* next = (int*)device_bytes(NODES * 4);
  fill_next<<<1024, 256>>>(next, NODES, 1664525);
  CHECK(cudaDeviceSynchronize());
  return next;
}
// A list a warp: one sector a step, whatever the number of warps, so that only latency counts.
__device__ __forceinline__ int chase(const int* next, int steps) {
  int at = (int)(thread_id() / 32 * 64 % NODES);
  for (int s = 0; s < steps; s++) asm volatile("ld.global.b32 %0, [%1];" : "=r"(at) : "l"(next + at));
  return at;
}

// ---- lists with values that stay in registers meanwhile: 104 of them, 40, or none -------------------------------------------------
template <int N, bool EARLY>
__device__ __forceinline__ void chase_with(const int* next, const float* values, float* out, int steps) {
  float p[N], sum = 0;
  auto load = [&] {
#pragma unroll
    for (int k = 0; k < N; k++) asm volatile("ld.global.f32 %0, [%1];" : "=f"(p[k]) : "l"(values + k * 32 + (threadIdx.x & 31)));
  };
  if (EARLY) load();
  int at = chase(next, steps);
  if (!EARLY) load();
#pragma unroll
  for (int k = 0; k < N; k++) sum = sum * 0.5f + p[k];
  out[thread_id()] = sum + (at & 255);
}
__global__ void __launch_bounds__(128) chase_104_early(const int* next, const float* p, float* out, int steps) { chase_with<104, true>(next, p, out, steps); }
__global__ void __launch_bounds__(128) chase_104_late(const int* next, const float* p, float* out, int steps) { chase_with<104, false>(next, p, out, steps); }
__global__ void __launch_bounds__(128) chase_40_early(const int* next, const float* p, float* out, int steps) { chase_with<40, true>(next, p, out, steps); }
__global__ void __launch_bounds__(128) chase_40_late(const int* next, const float* p, float* out, int steps) { chase_with<40, false>(next, p, out, steps); }
// ---- lists beside a scratch area in shared memory of 56 KiB, 20 KiB or 1 KiB; and in blocks of one warp, or of eight ---------------------
__device__ __forceinline__ void chase_beside(const int* next, float* out, int steps) {
  extern __shared__ int scratch[];
  int at = chase(next, steps);
  scratch[threadIdx.x] = at + threadIdx.x;
  __syncwarp();
  out[thread_id()] = scratch[threadIdx.x ^ 1] & 1023;
}
__global__ void __launch_bounds__(128) chase_56k(const int* next, float* out, int steps) { chase_beside(next, out, steps); }
__global__ void __launch_bounds__(128) chase_20k(const int* next, float* out, int steps) { chase_beside(next, out, steps); }
__global__ void __launch_bounds__(128) chase_1k(const int* next, float* out, int steps) { chase_beside(next, out, steps); }
__global__ void chase_lone_warps(const int* next, float* out, int steps) { out[thread_id()] = chase(next, steps) & 1023; }
__global__ void chase_eight_warps(const int* next, float* out, int steps) { out[thread_id()] = chase(next, steps) & 1023; }
CASE(chases) {
  int blocks = sm_count() * 64, n = blocks * 128;
  int* next = nodes();
  float *p = device_floats(112 * 128), *out = device_floats(n * 4);
  allow_shared(chase_56k, 56 * 1024);
  measure("chase_104_early", out, n, [=] { chase_104_early<<<blocks, 128>>>(next, p, out, 100); });
  measure("chase_104_late", out, n, [=] { chase_104_late<<<blocks, 128>>>(next, p, out, 100); });
  measure("chase_40_early", out, n, [=] { chase_40_early<<<blocks, 128>>>(next, p, out, 100); });
  measure("chase_40_late", out, n, [=] { chase_40_late<<<blocks, 128>>>(next, p, out, 100); });
  measure("chase_56k", out, n, [=] { chase_56k<<<blocks, 128, 56 * 1024>>>(next, out, 100); });
  measure("chase_20k", out, n, [=] { chase_20k<<<blocks, 128, 20 * 1024>>>(next, out, 100); });
  measure("chase_1k", out, n, [=] { chase_1k<<<blocks, 128, 1024>>>(next, out, 100); });
  measure("chase_lone_warps", out, n, [=] { chase_lone_warps<<<blocks * 4, 32>>>(next, out, 100); });
  measure("chase_eight_warps", out, n, [=] { chase_eight_warps<<<blocks / 2, 256>>>(next, out, 100); });
}

// ---- bytes through shared memory, one block an SM: one stage of a pipeline, or four ------------------------------------------------------
template <int STAGES>
__device__ __forceinline__ void pipe_floats(const float4* __restrict__ in, float* __restrict__ out, int tiles) {
  extern __shared__ float4 ring[];  // [STAGES][1024]
  auto pipe = cuda::make_pipeline();
  float sum = 0;
  int t = threadIdx.x;
  auto fetch = [&](int tile, int stage) {
    pipe.producer_acquire();
    if (tile < tiles)
      for (int k = 0; k < 1024; k += 256)
        cuda::memcpy_async(ring + stage * 1024 + t + k, in + ((size_t)tile * gridDim.x + blockIdx.x) * 1024 + t + k, cuda::aligned_size_t<16>(16), pipe);
    pipe.producer_commit();
  };
  for (int s = 0; s < STAGES; s++) fetch(s, s);
  for (int tile = 0; tile < tiles; tile++) {
    int stage = tile % STAGES;
    cuda::pipeline_consumer_wait_prior<STAGES - 1>(pipe);
    __syncthreads();
    for (int k = 0; k < 1024; k += 256) {
      float4 v = ring[stage * 1024 + (t ^ 32) + k];
      sum += v.x * v.y + v.z * v.w;
    }
    pipe.consumer_release();
    __syncthreads();
    fetch(tile + STAGES, stage);
  }
  out[thread_id()] = sum;
}
__global__ void __launch_bounds__(256) floats_one_stage(const float4* in, float* out, int tiles) { pipe_floats<1>(in, out, tiles); }
__global__ void __launch_bounds__(256) floats_four_stages(const float4* in, float* out, int tiles) { pipe_floats<4>(in, out, tiles); }
CASE(float_pipe) {
  int blocks = sm_count(), tiles = 256;
  float4* in = (float4*)device_bytes((size_t)blocks * tiles * 16384);
  float* out = device_floats(blocks * 1024);
  allow_shared(floats_one_stage, 65536);
  allow_shared(floats_four_stages, 65536);
  measure("floats_one_stage", out, blocks * 256, [=] { floats_one_stage<<<blocks, 256, 65536>>>(in, out, tiles); });
  measure("floats_four_stages", out, blocks * 256, [=] { floats_four_stages<<<blocks, 256, 65536>>>(in, out, tiles); });
}

// ---- half of the warps, two loads of 8 bytes in flight, or eight -----------------------------------------------------------------------------
template <int LOADS>
__device__ __forceinline__ void masses(const double* __restrict__ in, float* __restrict__ out, int per) {
  double sum = 0;
  for (int j = 0; j < per; j += LOADS) {
    double v[LOADS];
#pragma unroll
    for (int k = 0; k < LOADS; k++) asm volatile("ld.global.nc.f64 %0, [%1];" : "=d"(v[k]) : "l"(in + (j + k) * thread_count() + thread_id()));
#pragma unroll
    for (int k = 0; k < LOADS; k++) sum += v[k];
  }
  out[thread_id()] = (float)sum;
}
__global__ void __launch_bounds__(256) masses_two_loads(const double* in, float* out, int per) { masses<2>(in, out, per); }
__global__ void __launch_bounds__(256) masses_eight_loads(const double* in, float* out, int per) { masses<8>(in, out, per); }
__global__ void fill_masses(double* p, ll n) {
  for (ll i = thread_id(); i < n; i += thread_count()) p[i] = (i & 1023) * 1e-3;
}
CASE(mass_sums) {
  int blocks = sm_count() * 2, per = 512, n = blocks * 256;
  double* in = (double*)device_bytes((size_t)n * per * 8);
  float* out = device_floats(n * 4);
  fill_masses<<<1024, 256>>>(in, (ll)n * per);
  CHECK(cudaDeviceSynchronize());
  measure("masses_two_loads", out, n, [=] { masses_two_loads<<<blocks, 256>>>(in, out, per); });
  measure("masses_eight_loads", out, n, [=] { masses_eight_loads<<<blocks, 256>>>(in, out, per); });
}

// ---- two of the four fields of packed points, or of four arrays ----------------------------------------------------------------------------
__global__ void __launch_bounds__(256) spans_of_points(const float* __restrict__ in, float* __restrict__ out, ll n) {
  ll i = blockIdx.x * 1024ll + threadIdx.x;
  float x[4], y[4];
#pragma unroll
  for (int k = 0; k < 4; k++) x[k] = in[(i + k * 256) * 4], y[k] = in[(i + k * 256) * 4 + 2];
#pragma unroll
  for (int k = 0; k < 4; k++) out[i + k * 256] = x[k] - y[k] * 0.5f;
}
__global__ void __launch_bounds__(256) spans_of_arrays(const float* __restrict__ in, float* __restrict__ out, ll n) {
  ll i = blockIdx.x * 1024ll + threadIdx.x;
  float x[4], y[4];
#pragma unroll
  for (int k = 0; k < 4; k++) x[k] = in[i + k * 256], y[k] = in[2 * n + i + k * 256];
#pragma unroll
  for (int k = 0; k < 4; k++) out[i + k * 256] = x[k] - y[k] * 0.5f;
}
CASE(spans) {
  ll n = 32 << 20;
  float *in = device_floats(n * 16), *out = device_floats(n * 4);
  measure("spans_of_points", nullptr, 0, [=] { spans_of_points<<<n / 1024, 256>>>(in, out, n); });
  measure("spans_of_arrays", nullptr, 0, [=] { spans_of_arrays<<<n / 1024, 256>>>(in, out, n); });
}

// ---- bytes to floats by conversions (16 a cycle on an SM), or by putting them into a mantissa ------------------------------------------------------
template <bool MAGIC>
__device__ __forceinline__ float dequantized(const uint4* __restrict__ in, int turns) {
  uint4 v = in[thread_id() & 0xffff];
  float sum = 0;
  for (int t = 0; t < turns; t++) {
#pragma unroll
    for (int k = 0; k < 4; k++) {
      unsigned word = (k == 0 ? v.x : k == 1 ? v.y : k == 2 ? v.z : v.w) ^ t;
#pragma unroll
      for (int b = 0; b < 4; b++) {
        float f;
        if (MAGIC) f = __uint_as_float(__byte_perm(word, 0x4b000000, 0x7540 + b)) - 8388608.f;
        else f = (float)(word >> b * 8 & 255);
        sum = fmaf(f, 0.01f, sum);
      }
    }
  }
  return sum;
}
__global__ void __launch_bounds__(256) bytes_converted(const uint4* in, float* out, int turns) { out[thread_id()] = dequantized<false>(in, turns); }
__global__ void __launch_bounds__(256) bytes_in_mantissa(const uint4* in, float* out, int turns) { out[thread_id()] = dequantized<true>(in, turns); }
CASE(dequantize) {
  int blocks = sm_count() * 16;
  uint4* in = (uint4*)device_bytes(MiB);
  float* out = device_floats(blocks * 1024);
  measure("bytes_converted", out, blocks * 256, [=] { bytes_converted<<<blocks, 256>>>(in, out, 200); });
  measure("bytes_in_mantissa", out, blocks * 256, [=] { bytes_in_mantissa<<<blocks, 256>>>(in, out, 200); });
}

// ---- an image with 80 double operations a pixel; registers for most of 58 states; one lane of 32 on a longer path ---------------------------------------
template <class T>
__device__ __forceinline__ void tone(const float* __restrict__ in, float* __restrict__ out, int n) {
  for (int i = thread_id(); i < n; i += thread_count()) {
    T v = T(in[i]) - T(0.5), w = v;
#pragma unroll
    for (int k = 0; k < 20; k++) v = v * (T(0.3) + v) + T(0.01), w = w * (T(0.2) - w) + T(0.02);
    out[i] = (float)(v + w);
  }
}
__global__ void __launch_bounds__(256) tone_double(const float* in, float* out, int n) { tone<double>(in, out, n); }
__global__ void __launch_bounds__(256) tone_single(const float* in, float* out, int n) { tone<float>(in, out, n); }
CASE(tones) {
  int n = 32 << 20, blocks = sm_count() * 8;
  float *in = device_floats((size_t)n * 4), *out = device_floats((size_t)n * 4);
  measure("tone_double", out, n, [=] { tone_double<<<blocks, 256>>>(in, out, n); });
  measure("tone_single", out, n, [=] { tone_single<<<blocks, 256>>>(in, out, n); });
}
__device__ __forceinline__ void states58(const float* __restrict__ in, float* __restrict__ out, int turns) {
  float y[58], x = in[thread_id() & 0xfffff];
#pragma unroll
  for (int k = 0; k < 58; k++) y[k] = in[(thread_id() + k * 331) & 0xfffff];
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int k = 0; k < 58; k++)
#pragma unroll
      for (int j = 0; j < 4; j++) y[k] = fmaf(y[k], 0.5f, x);
    x = y[0] * 0.25f;
  }
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 58; k++) sum += y[k];
  out[thread_id()] = sum;
}
__global__ void __launch_bounds__(256, 4) states_64_registers(const float* in, float* out, int turns) { states58(in, out, turns); }
__global__ void __launch_bounds__(256, 5) states_48_registers(const float* in, float* out, int turns) { states58(in, out, turns); }
CASE(states) {
  int blocks = sm_count() * 20;
  float *in = device_floats(4 * MiB), *out = device_floats(blocks * 1024);
  measure("states_48_registers", out, blocks * 256, [=] { states_48_registers<<<blocks, 256>>>(in, out, 100); });
  measure("states_64_registers", out, blocks * 256, [=] { states_64_registers<<<blocks, 256>>>(in, out, 100); });
}
template <bool TOGETHER>
__device__ __forceinline__ float border(int rounds) {
  float v = threadIdx.x & 31, sum = 0;
  for (int r = 0; r < rounds; r++) {
    v = fma_work(v, 4) * 0.01f;
    bool rare = TOGETHER ? (threadIdx.x / 32 + r & 31) == 0 : (threadIdx.x & 31) == 0;
    if (rare) v = fma_work(v, 1) * 0.02f;
    sum += v;
  }
  return sum;
}
__global__ void __launch_bounds__(512) border_lane(float* out, int rounds) { out[thread_id()] = border<false>(rounds); }
__global__ void __launch_bounds__(512) border_warp(float* out, int rounds) { out[thread_id()] = border<true>(rounds); }
CASE(borders) {
  int blocks = sm_count() * 16;
  float* out = device_floats(blocks * 2048);
  measure("border_lane", nullptr, 0, [=] { border_lane<<<blocks, 512>>>(out, 64); });
  measure("border_warp", nullptr, 0, [=] { border_warp<<<blocks, 512>>>(out, 64); });
}

// ---- 66 blocks of 512 threads with much to do, or 528 of 64; one block with 16 times the work of the others -----------------------------------------------
__global__ void __launch_bounds__(512) grid_66_blocks(float* out, int turns) { out[thread_id()] = fma_work(thread_id() & 15, turns); }
__global__ void __launch_bounds__(64) grid_528_blocks(float* out, int turns) { out[thread_id()] = fma_work(thread_id() & 15, turns); }
__global__ void __launch_bounds__(256) one_long_block(float* out, int turns) { out[thread_id()] = fma_work(threadIdx.x, blockIdx.x == 700 ? turns * 16 : turns); }
__global__ void __launch_bounds__(256) no_long_block(float* out, int turns) { out[thread_id()] = fma_work(threadIdx.x, turns); }
CASE(few_and_long) {
  int blocks = sm_count() * 8;
  float* out = device_floats(blocks * 1024);
  measure("grid_66_blocks", out, 66 * 512, [=] { grid_66_blocks<<<66, 512>>>(out, 2000); });
  measure("grid_528_blocks", out, 66 * 512, [=] { grid_528_blocks<<<528, 64>>>(out, 2000); });
  measure("one_long_block", nullptr, 0, [=] { one_long_block<<<blocks, 256>>>(out, 200); });
  measure("no_long_block", nullptr, 0, [=] { no_long_block<<<blocks, 256>>>(out, 200); });
}

// ---- whole sectors at random from 1 GiB, one at a time a warp: nothing but the latency and the banks of DRAM; eight in flight -----------------------------
__global__ void __launch_bounds__(256) roof_random_sectors(const uint4* __restrict__ in, unsigned* __restrict__ out) {
  unsigned x = thread_id() / 2 * 2654435761u, sum = 0;
  uint4 v[8];
#pragma unroll
  for (int k = 0; k < 8; k++) {
    x = x * 1664525u + 1013904223u;
    v[k] = in[(x >> 7 & 0x1ffffff) * 2 + (threadIdx.x & 1)];
  }
#pragma unroll
  for (int k = 0; k < 8; k++) sum += v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
  out[thread_id()] = sum;
}
CASE(random_sectors) {
  uint4* in = (uint4*)device_bytes(GiB);
  int blocks = 16384;
  unsigned* out = (unsigned*)device_bytes(blocks * 1024);
  measure("roof_random_sectors", nullptr, 0, [=] { roof_random_sectors<<<blocks, 256>>>(in, out); });
}
