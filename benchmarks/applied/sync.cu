// Barriers, fences, waiting, grids, occupancy and dependent instructions.
#include "harness.cuh"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// ---- block sums: the interleaved tree with a modulo, or shuffles ---------------------------------------------------
__global__ void sum_tree_modulo(const float* __restrict__ in, float* __restrict__ out) {
  extern __shared__ float part[];
  unsigned t = threadIdx.x;
  part[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (t % (2 * s) == 0) part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
__global__ void sum_shuffles(const float4* __restrict__ in, float* __restrict__ out) {
  const float4* p = in + (size_t)blockIdx.x * 1024 + threadIdx.x;
  float4 v[4];
#pragma unroll
  for (int k = 0; k < 4; k++) v[k] = p[k * 256];
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 4; k++) sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
  for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  __shared__ float warps[8];
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 8) {
    sum = warps[threadIdx.x];
    for (int d = 4; d; d /= 2) sum += __shfl_xor_sync(0xffu, sum, d);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
  }
}
CASE(block_sums) {
  int n = 256 << 20;
  float *in = device_floats((size_t)n * 4), *out = device_floats((size_t)n / 256 * 4);
  measure("sum_tree_modulo", out, n / 256, [=] { sum_tree_modulo<<<n / 256, 256, 1024>>>(in, out); });
  measure("sum_shuffles", out, n / 4096, [=] { sum_shuffles<<<n / 4096, 256>>>((float4*)in, out); });
}

// ---- prefix sums of rows of 1024: Hillis and Steele in shared memory, or shuffles ------------------------------------
__global__ void __launch_bounds__(1024) scan_hillis_steele(const float* __restrict__ in, float* __restrict__ out) {
  __shared__ float row[1024];
  int t = threadIdx.x;
  size_t at = blockIdx.x * (size_t)1024 + t;
  row[t] = in[at];
  __syncthreads();
  for (int d = 1; d < 1024; d *= 2) {
    float v = t >= d ? row[t - d] : 0;
    __syncthreads();
    row[t] += v;
    __syncthreads();
  }
  out[at] = row[t];
}
__global__ void __launch_bounds__(256) scan_shuffles(const float4* __restrict__ in, float4* __restrict__ out) {
  __shared__ float warps[8];
  int t = threadIdx.x, lane = t % 32;
  size_t at = blockIdx.x * (size_t)256 + t;
  float4 v = in[at];
  v.y += v.x, v.z += v.y, v.w += v.z;
  float sum = v.w;
  for (int d = 1; d < 32; d *= 2) {
    float o = __shfl_up_sync(~0u, sum, d);
    if (lane >= d) sum += o;
  }
  if (lane == 31) warps[t / 32] = sum;
  __syncthreads();
  float before = sum - v.w;
  for (int w = 0; w < t / 32; w++) before += warps[w];
  out[at] = make_float4(v.x + before, v.y + before, v.z + before, v.w + before);
}
CASE(scan_rows) {
  int n = 64 << 20;
  float *in = device_floats((size_t)n * 4), *out = device_floats((size_t)n * 4);
  measure("scan_hillis_steele", out, n, [=] { scan_hillis_steele<<<n / 1024, 1024>>>(in, out); });
  measure("scan_shuffles", out, n, [=] { scan_shuffles<<<n / 1024, 256>>>((float4*)in, (float4*)out); });
}

// ---- 1D heat equation in a cooperative kernel: a grid barrier for each step, or each sixteenth --------------------------
constexpr int CHUNK = 8192, HALO = 16, STEPS = 128;
__device__ __forceinline__ float heat(float l, float m, float r) { return fmaf(0.25f, l + r, 0.5f * m); }
__global__ void __launch_bounds__(1024) heat_sync_each(const float* in, float* a, float* b, int n) {
  cg::grid_group grid = cg::this_grid();
  for (int step = 0; step < STEPS; step++) {
    const float* from = step == 0 ? in : step % 2 ? a : b;
    float* to = step % 2 ? b : a;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
      to[i] = i == 0 || i == n - 1 ? from[i] : heat(from[i - 1], from[i], from[i + 1]);
    grid.sync();
  }
}
__global__ void __launch_bounds__(1024) heat_sync_few(const float* in, float* a, float* b, int n) {
  extern __shared__ float tile[];
  constexpr int L = CHUNK + 2 * HALO;
  cg::grid_group grid = cg::this_grid();
  int base = blockIdx.x * CHUNK - HALO;
  for (int round = 0; round < STEPS / HALO; round++) {
    const float* from = round == 0 ? in : round % 2 ? a : b;
    float* to = round % 2 ? b : a;
    for (int i = threadIdx.x; i < L; i += blockDim.x) tile[i] = from[min(n - 1, max(0, base + i))];
    __syncthreads();
    for (int step = 0; step < HALO; step++) {
      const float* x = tile + step % 2 * L;
      float* y = tile + (step + 1) % 2 * L;
      for (int i = threadIdx.x; i < L; i += blockDim.x) {
        int g = base + i;
        y[i] = i == 0 || i == L - 1 || g <= 0 || g >= n - 1 ? x[i] : heat(x[i - 1], x[i], x[i + 1]);
      }
      __syncthreads();
    }
    for (int i = threadIdx.x; i < CHUNK; i += blockDim.x) to[base + HALO + i] = tile[HALO + i];
    grid.sync();
  }
}
CASE(heat_steps) {
  int blocks = sm_count(), n = blocks * CHUNK, shared = 2 * (CHUNK + 2 * HALO) * 4;
  float *in = device_floats((size_t)n * 4), *a = device_floats((size_t)n * 4), *b = device_floats((size_t)n * 4);
  allow_shared(heat_sync_few, shared);
  measure("heat_sync_each", b, n, [=] {
    void* arguments[] = {(void*)&in, (void*)&a, (void*)&b, (void*)&n};
    CHECK(cudaLaunchCooperativeKernel((void*)heat_sync_each, dim3(blocks), dim3(1024), arguments, 0, 0));
  });
  measure("heat_sync_few", b, n, [=] {
    void* arguments[] = {(void*)&in, (void*)&a, (void*)&b, (void*)&n};
    CHECK(cudaLaunchCooperativeKernel((void*)heat_sync_few, dim3(blocks), dim3(1024), arguments, shared, 0));
  });
}

// ---- a sum in a fixed order: blocks take turns, or the last one adds up ---------------------------------------------------
__device__ float block_sum(const float4* __restrict__ in, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float4 v = in[i];
    sum += (v.x + v.y) + (v.z + v.w);
  }
  __shared__ float warps[8];
  for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = 0;
  for (int w = 0; w < 8; w++) sum += warps[w];
  return sum;
}
__global__ void __launch_bounds__(256) ordered_turns(const float4* __restrict__ in, int n, volatile float* total, volatile int* turn) {
  float sum = block_sum(in, n);
  if (threadIdx.x) return;
  while (*turn != blockIdx.x) __nanosleep(500);
  __threadfence();
  *total = blockIdx.x ? *total + sum : sum;
  __threadfence();
  *turn = blockIdx.x == gridDim.x - 1 ? 0 : blockIdx.x + 1;
}
__global__ void __launch_bounds__(256) ordered_last_block(const float4* __restrict__ in, int n, float* total, unsigned* done, float* parts) {
  float sum = block_sum(in, n);
  __shared__ bool last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x >= 32) return;
  float all = 0;
  for (int i = threadIdx.x; i < gridDim.x; i += 32) all += __ldcg(parts + i);
  for (int d = 16; d; d /= 2) all += __shfl_xor_sync(~0u, all, d);
  if (threadIdx.x == 0) *total = all;
}
CASE(ordered_sum) {
  int n = 128 * MiB / 16, blocks = sm_count() * 8;
  float4* in = (float4*)device_bytes(128 * MiB);
  float *total = device_floats(4), *parts = device_floats(blocks * 4);
  int* turn = (int*)device_bytes(4);
  CHECK(cudaMemset(turn, 0, 4));
  measure("ordered_turns", total, 1, [=] { ordered_turns<<<blocks, 256>>>(in, n, total, turn); });
  measure("ordered_last_block", total, 1, [=] { ordered_last_block<<<blocks, 256>>>(in, n, total, (unsigned*)turn, parts); });
}

// ---- messages with a ready flag: a fence for each message, or one for all ------------------------------------------------
constexpr int MESSAGES = 128;
__global__ void messages_fence_each(const float* __restrict__ in, float* out, int* ready, int threads) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < MESSAGES; k++) {
    out[k * threads + t] = in[k * threads + t] * 0.5f;
    __threadfence();
    ready[k * threads + t] = 1;
  }
}
__global__ void messages_fence_once(const float* __restrict__ in, float* out, int* ready, int threads) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 8
  for (int k = 0; k < MESSAGES; k++) out[k * threads + t] = in[k * threads + t] * 0.5f;
  __threadfence();
#pragma unroll 8
  for (int k = 0; k < MESSAGES; k++) ready[k * threads + t] = 1;
}
CASE(messages) {
  int threads = sm_count() * 2048;
  size_t bytes = (size_t)threads * MESSAGES * 4;
  float *in = device_floats(bytes), *out = device_floats(bytes);
  int* ready = (int*)device_bytes(bytes);
  measure("messages_fence_each", out, bytes / 4, [=] { messages_fence_each<<<threads / 256, 256>>>(in, out, ready, threads); });
  measure("messages_fence_once", out, bytes / 4, [=] { messages_fence_once<<<threads / 256, 256>>>(in, out, ready, threads); });
}

// ---- 1.1 waves of blocks that fill an SM, or eight times as many small ones ---------------------------------------------------
__device__ __forceinline__ void wave_body(const float* __restrict__ in, float* __restrict__ out, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i] * 0.5f, v[40];
#pragma unroll
  for (int k = 0; k < 40; k++) v[k] = in[i] + k;
  for (int t = 0; t < turns; t++)
#pragma unroll
    for (int k = 0; k < 40; k++) v[k] = fmaf(v[k], x, 0.25f);
  float s = 0;
#pragma unroll
  for (int k = 0; k < 40; k++) s += v[k];
  out[i] = s;
}
__global__ void __launch_bounds__(1024, 1) wave_large_blocks(const float* __restrict__ in, float* __restrict__ out, int turns) {
  wave_body(in, out, turns);
}
__global__ void __launch_bounds__(1024, 1) wave_small_blocks(const float* __restrict__ in, float* __restrict__ out, int turns) {
  wave_body(in, out, turns);
}
CASE(wave) {
  int blocks = sm_count() + sm_count() / 10, n = blocks * 1024;
  float *in = device_floats((size_t)n * 4), *out = device_floats((size_t)n * 4);
  measure("wave_large_blocks", out, n, [=] { wave_large_blocks<<<blocks, 1024>>>(in, out, 4000); });
  measure("wave_small_blocks", out, n, [=] { wave_small_blocks<<<blocks * 8, 128>>>(in, out, 4000); });
}

// ---- a tile of 4 KiB in blocks that ask for 96 KiB of shared memory ------------------------------------------------------------
__device__ __forceinline__ void smooth_tile(const float* __restrict__ in, float* __restrict__ out) {
  extern __shared__ float tile[];
  size_t base = blockIdx.x * (size_t)1024;
#pragma unroll
  for (int k = 0; k < 8; k++) tile[threadIdx.x + k * 128] = in[base + threadIdx.x + k * 128];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 8; k++) {
    int i = threadIdx.x + k * 128;
    out[base + i] = (tile[max(i - 1, 0)] + tile[i] + tile[min(i + 1, 1023)]) * 0.3333333f;
  }
}
__global__ void smooth_huge_request(const float* __restrict__ in, float* __restrict__ out) { smooth_tile(in, out); }
__global__ void smooth_small_request(const float* __restrict__ in, float* __restrict__ out) { smooth_tile(in, out); }
CASE(smooth) {
  int n = 128 << 20;
  float *in = device_floats((size_t)n * 4), *out = device_floats((size_t)n * 4);
  allow_shared(smooth_huge_request, 96 * 1024);
  measure("smooth_huge_request", out, n, [=] { smooth_huge_request<<<n / 1024, 128, 96 * 1024>>>(in, out); });
  measure("smooth_small_request", out, n, [=] { smooth_small_request<<<n / 1024, 128, 4096>>>(in, out); });
}

// ---- logistic maps, eight a thread: one after another, or together ----------------------------------------------------------------
__global__ void logistic_in_turn(const float* __restrict__ in, float* __restrict__ out, int steps, float r) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int k = 0; k < 8; k++) {
    float x = in[k * threads + t];
#pragma unroll 4
    for (int s = 0; s < steps; s++) x = r * x * (1 - x);
    out[k * threads + t] = x;
  }
}
__global__ void logistic_together(const float* __restrict__ in, float* __restrict__ out, int steps, float r) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  float x[8];
#pragma unroll
  for (int k = 0; k < 8; k++) x[k] = in[k * threads + t];
#pragma unroll 4
  for (int s = 0; s < steps; s++)
#pragma unroll
    for (int k = 0; k < 8; k++) x[k] = r * x[k] * (1 - x[k]);
#pragma unroll
  for (int k = 0; k < 8; k++) out[k * threads + t] = x[k];
}
CASE(logistic) {
  int blocks = sm_count(), n = blocks * 128 * 8;
  float *in = device_floats(n * 4), *out = device_floats(n * 4);
  measure("logistic_in_turn", out, n, [=] { logistic_in_turn<<<blocks, 128>>>(in, out, 8192, 2.8f); });
  measure("logistic_together", out, n, [=] { logistic_together<<<blocks, 128>>>(in, out, 8192, 2.8f); });
}

// ---- the eight largest of 512: insertion into a local array, or compare and swap in registers -------------------------------------
__global__ void top8_local(const float* __restrict__ in, float* __restrict__ out, int threads) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float best[8];
  for (int k = 0; k < 8; k++) best[k] = 0;
#pragma unroll 1
  for (int i = 0; i < 512; i++) {
    float v = in[(size_t)i * threads + t];
    if (v > best[7]) {
      int p = 7;
#pragma unroll 1
      while (p > 0 && best[p - 1] < v) best[p] = best[p - 1], p--;
      best[p] = v;
    }
  }
  float sum = 0;
  for (int k = 0; k < 8; k++) sum += best[k] / (k + 1);
  out[t] = sum;
}
__global__ void top8_registers(const float* __restrict__ in, float* __restrict__ out, int threads) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float best[8];
#pragma unroll
  for (int k = 0; k < 8; k++) best[k] = 0;
#pragma unroll 4
  for (int i = 0; i < 512; i++) {
    float v = in[(size_t)i * threads + t];
#pragma unroll
    for (int k = 0; k < 8; k++) {
      float high = fmaxf(v, best[k]);
      v = fminf(v, best[k]);
      best[k] = high;
    }
  }
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) sum += best[k] / (k + 1);
  out[t] = sum;
}
CASE(top8) {
  int threads = sm_count() * 2048;
  float *in = device_floats((size_t)threads * 2048), *out = device_floats((size_t)threads * 4);
  measure("top8_local", out, threads, [=] { top8_local<<<threads / 256, 256>>>(in, out, threads); });
  measure("top8_registers", out, threads, [=] { top8_registers<<<threads / 256, 256>>>(in, out, threads); });
}
