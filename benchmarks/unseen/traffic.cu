// Global, shared, local and host memory: how the bytes move.
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda_fp16.h>
#include <cstdint>
#include "harness.cuh"
namespace cg = cooperative_groups;

// ---- sums of rows of 128 doubles: a row a thread, or a row a warp ---------------------------------------------------
__global__ void __launch_bounds__(256) rows_by_thread(const double* __restrict__ in, float* __restrict__ out) {
  const double* row = in + thread_id() * 128;
  double sum = 0;
  for (int j = 0; j < 128; j++) sum += row[j];
  out[thread_id()] = (float)sum;
}
__global__ void __launch_bounds__(256) rows_by_warp(const double2* __restrict__ in, float* __restrict__ out) {
  ll row = thread_id() / 32;
  int lane = threadIdx.x & 31;
  double2 v = in[row * 64 + lane], w = in[row * 64 + 32 + lane];
  double sum = v.x + v.y + w.x + w.y;
  for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (lane == 0) out[row] = (float)sum;
}
__global__ void fill_doubles(double* p, ll n) {
  for (ll i = thread_id(); i < n; i += thread_count()) p[i] = (i * 37 % 1000) * 1e-3;
}
CASE(double_rows) {
  int rows = sm_count() * 2048;
  double* in = (double*)device_bytes((size_t)rows * 1024);
  float* out = device_floats((size_t)rows * 4);
  fill_doubles<<<1024, 256>>>(in, (ll)rows * 128);
  CHECK(cudaDeviceSynchronize());
  measure("rows_by_thread", out, rows, [=] { rows_by_thread<<<rows / 256, 256>>>(in, out); });
  measure("rows_by_warp", out, rows, [=] { rows_by_warp<<<rows / 8, 256>>>((double2*)in, out); });
}

// ---- a half-precision image turned by 90 degrees: stores down a column, or a tile in shared memory ------------------
__global__ void turn_direct(const __half* __restrict__ in, __half* __restrict__ out, int n) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  out[(size_t)x * n + (n - 1 - y)] = in[(size_t)y * n + x];
}
__global__ void turn_tiled(const __half2* __restrict__ in, __half2* __restrict__ out, int n) {
  __shared__ __half tile[64][66];
  int tx = threadIdx.x, ty = threadIdx.y, half_n = n / 2;
#pragma unroll
  for (int k = 0; k < 64; k += 8) {
    __half2 v = in[(size_t)(blockIdx.y * 64 + ty + k) * half_n + blockIdx.x * 32 + tx];
    *(__half2*)&tile[ty + k][2 * tx] = v;
  }
  __syncthreads();
  int column = half_n - 32 - blockIdx.y * 32 + tx;
#pragma unroll
  for (int k = 0; k < 64; k += 8)
    out[(size_t)(blockIdx.x * 64 + ty + k) * half_n + column] =
        __halves2half2(tile[63 - 2 * tx][ty + k], tile[62 - 2 * tx][ty + k]);
}
CASE(turn_image) {
  int n = 8192;
  void *in = device_bytes((size_t)n * n * 2), *out = device_bytes((size_t)n * n * 2);
  measure("turn_direct", nullptr, 0, [=] { turn_direct<<<dim3(n / 32, n / 8), dim3(32, 8)>>>((__half*)in, (__half*)out, n); });
  measure("turn_tiled", nullptr, 0, [=] { turn_tiled<<<dim3(n / 64, n / 64), dim3(32, 8)>>>((__half2*)in, (__half2*)out, n); });
}

// ---- 16-byte items picked in any order, or in theirs ----------------------------------------------------------------
__device__ __forceinline__ void pick(const int4* __restrict__ items, const int* __restrict__ at, int4* __restrict__ out) {
  ll i = blockIdx.x * 1024ll + threadIdx.x;
  int from[4];
  int4 v[4];
#pragma unroll
  for (int k = 0; k < 4; k++) from[k] = at[i + k * 256];
#pragma unroll
  for (int k = 0; k < 4; k++) v[k] = items[from[k]];
#pragma unroll
  for (int k = 0; k < 4; k++) out[i + k * 256] = v[k];
}
__global__ void __launch_bounds__(256) items_any_order(const int4* items, const int* at, int4* out) { pick(items, at, out); }
__global__ void __launch_bounds__(256) items_in_order(const int4* items, const int* at, int4* out) { pick(items, at, out); }
__global__ void fill_order(int* at, ll n, ll range, ll step) {
  for (ll i = thread_id(); i < n; i += thread_count()) at[i] = (int)(i * step % range);
}
CASE(items) {
  ll n = 16 << 20;
  int4 *items = (int4*)device_bytes(n * 16), *out = (int4*)device_bytes(n * 16);
  int* at = (int*)device_bytes(n * 4);
  fill_order<<<1024, 256>>>(at, n, n, 1640531527);
  CHECK(cudaDeviceSynchronize());
  measure("items_any_order", nullptr, 0, [=] { items_any_order<<<n / 1024, 256>>>(items, at, out); });
  fill_order<<<1024, 256>>>(at, n, n, 1);
  CHECK(cudaDeviceSynchronize());
  measure("items_in_order", nullptr, 0, [=] { items_in_order<<<n / 1024, 256>>>(items, at, out); });
}

// ---- complex numbers in shared memory: parts next to each other (two ways a bank), or apart -------------------------
template <bool APART>
__device__ __forceinline__ void mix_complex(float* out, int rounds) {
  __shared__ volatile float part[2048];
  int t = threadIdx.x;
  auto real = [&](int i) -> volatile float& { return APART ? part[i] : part[2 * i]; };
  auto imag = [&](int i) -> volatile float& { return APART ? part[1024 + i] : part[2 * i + 1]; };
  for (int k = t; k < 1024; k += 256) real(k) = k * 1e-3f, imag(k) = 1 - k * 1e-3f;
  __syncthreads();
  float a = 0, b = 0;
  for (int r = 0; r < rounds; r++) {
#pragma unroll
    for (int k = 0; k < 4; k++) {
      int i = (t + k * 256 + r * 3) & 1023;
      a += real(i), b += imag(i);
    }
  }
  out[thread_id()] = a - b;
}
__global__ void __launch_bounds__(256) complex_together(float* out, int rounds) { mix_complex<false>(out, rounds); }
__global__ void __launch_bounds__(256) complex_apart(float* out, int rounds) { mix_complex<true>(out, rounds); }
CASE(complex_parts) {
  int blocks = sm_count() * 8;
  float* out = device_floats(blocks * 256 * 4);
  measure("complex_together", out, blocks * 256, [=] { complex_together<<<blocks, 256>>>(out, 1500); });
  measure("complex_apart", out, blocks * 256, [=] { complex_apart<<<blocks, 256>>>(out, 1500); });
}

// ---- a row of 16 integers a thread in shared memory: a pitch of 16 words, or of 17 -----------------------------------
template <int PITCH>
__device__ __forceinline__ void own_rows(int* out, int rounds) {
  __shared__ int row[256 * PITCH];
  int* mine = row + threadIdx.x * PITCH;
  for (int k = 0; k < 16; k++) mine[k] = threadIdx.x * 16 + k;
  int sum = 0;
  for (int r = 0; r < rounds; r++) {
    int i = r * 7 & 15, j = r * 5 + 3 & 15;
    int v = mine[i];
    sum += v;
    mine[j] = v ^ r;
  }
  out[thread_id()] = sum & 0xffff;
}
__global__ void __launch_bounds__(256) rows_pitch16(int* out, int rounds) { own_rows<16>(out, rounds); }
__global__ void __launch_bounds__(256) rows_pitch17(int* out, int rounds) { own_rows<17>(out, rounds); }
CASE(own_rows) {
  int blocks = sm_count() * 8;
  int* out = (int*)device_bytes(blocks * 256 * 4);
  measure("rows_pitch16", nullptr, 0, [=] { rows_pitch16<<<blocks, 256>>>(out, 1000); });
  measure("rows_pitch17", nullptr, 0, [=] { rows_pitch17<<<blocks, 256>>>(out, 1000); });
}

// ---- six passes over 96 MiB: a pass after the other, or all passes over a chunk together ------------------------------
__device__ __forceinline__ void weigh_chunk(const float4* __restrict__ table, float* out, int chunk, int pass) {
  const float4* p = table + (size_t)chunk * 4096 + threadIdx.x;
  float weight = 1.f / (pass + 1), sum = 0;
#pragma unroll 8
  for (int k = 0; k < 16; k++) {
    float4 v = p[k * 256];
    sum += (v.x + v.y + v.z + v.w) * weight;
  }
  out[((size_t)pass * 1536 + chunk) * 256 + threadIdx.x] = sum;
}
__global__ void __launch_bounds__(256) passes_apart(const float4* table, float* out) {
  weigh_chunk(table, out, blockIdx.x, blockIdx.y);
}
__global__ void __launch_bounds__(256) passes_together(const float4* table, float* out) {
  weigh_chunk(table, out, blockIdx.y, blockIdx.x);
}
CASE(passes) {
  float4* table = (float4*)device_bytes(96 * MiB);
  size_t n = 6 * 1536 * 256;
  float* out = device_floats(n * 4);
  measure("passes_apart", out, n, [=] { passes_apart<<<dim3(1536, 6), 256>>>(table, out); });
  measure("passes_together", out, n, [=] { passes_together<<<dim3(6, 1536), 256>>>(table, out); });
}

// ---- 36 states in double precision, with registers for 24 of them, or for all -------------------------------------------
template <int N>
__device__ __forceinline__ void orbit(const float* __restrict__ in, float* __restrict__ out, int turns) {
  double y[N];
#pragma unroll
  for (int k = 0; k < N; k++) y[k] = in[(thread_id() + k * 331) & 0xfffff];
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int k = 0; k < N; k++) y[k] = fma(y[k], 0.5, y[(k + 7) % N] * 0.25);
  }
  double sum = 0;
#pragma unroll
  for (int k = 0; k < N; k++) sum += y[k];
  out[thread_id()] = (float)sum;
}
__global__ void __launch_bounds__(512, 2) orbit_64_registers(const float* in, float* out, int turns) { orbit<36>(in, out, turns); }
__global__ void __launch_bounds__(512, 1) orbit_128_registers(const float* in, float* out, int turns) { orbit<36>(in, out, turns); }
CASE(orbits) {
  int blocks = sm_count() * 4;
  float *in = device_floats(4 * MiB), *out = device_floats(blocks * 512 * 4);
  measure("orbit_64_registers", out, blocks * 512, [=] { orbit_64_registers<<<blocks, 512>>>(in, out, 200); });
  measure("orbit_128_registers", out, blocks * 512, [=] { orbit_128_registers<<<blocks, 512>>>(in, out, 200); });
}

// ---- a walk over a binary tree with a stack: in local memory, or in shared memory ---------------------------------------
template <class AT>
__device__ __forceinline__ float walk(float x, int leaves, AT stack) {
  for (int d = 0; d < 16; d++) stack(d) = x + d;
  float sum = 0;
  for (int leaf = 1; leaf < leaves; leaf++) {
    int depth = __ffs(leaf) - 1;
    float v = stack(depth + 1) * 0.5f + stack(depth ^ 1) * 0.25f;
    stack(depth) = v;
    sum += v;
  }
  return sum;
}
__global__ void __launch_bounds__(256) stack_local(const float* __restrict__ in, float* __restrict__ out, int leaves) {
  float stack[16];
  out[thread_id()] = walk(in[thread_id()], leaves, [&](int d) -> float& { return stack[d]; });
}
__global__ void __launch_bounds__(256) stack_shared(const float* __restrict__ in, float* __restrict__ out, int leaves) {
  __shared__ float stack[16][256];
  out[thread_id()] = walk(in[thread_id()], leaves, [&](int d) -> float& { return stack[d][threadIdx.x]; });
}
CASE(stacks) {
  int blocks = sm_count() * 16;
  float *in = device_floats(blocks * 256 * 4), *out = device_floats(blocks * 256 * 4);
  measure("stack_local", out, blocks * 256, [=] { stack_local<<<blocks, 256>>>(in, out, 4096); });
  measure("stack_shared", out, blocks * 256, [=] { stack_shared<<<blocks, 256>>>(in, out, 4096); });
}

// ---- 16-bit samples, one a thread or eight -----------------------------------------------------------------------------
__device__ __forceinline__ short louder(short v, int gain) { return (short)min(max(v * gain >> 8, -32768), 32767); }
__global__ void __launch_bounds__(256) samples_one(const short* __restrict__ in, short* __restrict__ out, int gain) {
  ll i = thread_id();
  out[i] = louder(in[i], gain);
}
__global__ void __launch_bounds__(256) samples_eight(const int4* __restrict__ in, int4* __restrict__ out, int gain) {
  ll i = thread_id();
  int4 v = in[i];
  short* s = (short*)&v;
#pragma unroll
  for (int k = 0; k < 8; k++) s[k] = louder(s[k], gain);
  out[i] = v;
}
CASE(samples) {
  ll n = 128 << 20;
  void *in = device_bytes(n * 2), *out = device_bytes(n * 2);
  measure("samples_one", (float*)out, n / 2, [=] { samples_one<<<n / 256, 256>>>((short*)in, (short*)out, 200); });
  measure("samples_eight", (float*)out, n / 2, [=] { samples_eight<<<n / 2048, 256>>>((int4*)in, (int4*)out, 200); });
}

// ---- an 8-bit mask of an image, in tiles of 32 x 8 pixels: one pixel a thread or sixteen ---------------------------------
__global__ void mask_one(const uint8_t* __restrict__ in, uint8_t* __restrict__ out, int width, uint8_t low, uint8_t high) {
  size_t i = (size_t)(blockIdx.y * 8 + threadIdx.y) * width + blockIdx.x * 32 + threadIdx.x;
  uint8_t v = in[i];
  out[i] = v >= low && v < high;
}
__global__ void mask_sixteen(const uint4* __restrict__ in, uint4* __restrict__ out, int width, unsigned low, unsigned high) {
  size_t i = (size_t)(blockIdx.y * 8 + threadIdx.y) * width + blockIdx.x * 32 + threadIdx.x;
  uint4 v = in[i];
  auto inside = [=](unsigned p) { return __vcmpgeu4(p, low) & __vcmpltu4(p, high) & 0x01010101u; };
  out[i] = make_uint4(inside(v.x), inside(v.y), inside(v.z), inside(v.w));
}
CASE(masks) {
  int n = 16384;
  void *in = device_bytes((size_t)n * n), *out = device_bytes((size_t)n * n);
  size_t words = (size_t)n * n / 4;
  measure("mask_one", (float*)out, words, [=] { mask_one<<<dim3(n / 32, n / 8), dim3(32, 8)>>>((uint8_t*)in, (uint8_t*)out, n, 60, 200); });
  measure("mask_sixteen", (float*)out, words, [=] {
    mask_sixteen<<<dim3(n / 512, n / 8), dim3(32, 8)>>>((uint4*)in, (uint4*)out, n / 16, 0x3c3c3c3c, 0xc8c8c8c8);
  });
}

// ---- sums down the columns of a volume, a quarter of the threads an SM holds: one load in flight, or sixteen -------------
__global__ void __launch_bounds__(128) columns_one_load(const float* __restrict__ in, float* __restrict__ out, int depth) {
  ll t = thread_id(), plane = thread_count();
  float sum = 0;
#pragma unroll 1
  for (int z = 0; z < depth; z++) {
    float v = in[z * plane + t];
    asm volatile("" : "+f"(v));
    sum = sum * 0.5f + v;
  }
  out[t] = sum;
}
__global__ void __launch_bounds__(128) columns_sixteen_loads(const float* __restrict__ in, float* __restrict__ out, int depth) {
  ll t = thread_id(), plane = thread_count();
  float sum = 0;
  for (int z = 0; z < depth; z += 16) {
    float v[16];
#pragma unroll
    for (int k = 0; k < 16; k++) v[k] = in[(z + k) * plane + t];
#pragma unroll
    for (int k = 0; k < 16; k++) sum = sum * 0.5f + v[k];
  }
  out[t] = sum;
}
CASE(columns) {
  int blocks = sm_count() * 4, n = blocks * 128, depth = 2048;
  float *in = device_floats((size_t)n * depth * 4), *out = device_floats(n * 4);
  measure("columns_one_load", out, n, [=] { columns_one_load<<<blocks, 128>>>(in, out, depth); });
  measure("columns_sixteen_loads", out, n, [=] { columns_sixteen_loads<<<blocks, 128>>>(in, out, depth); });
}

// ---- bytes through shared memory with cuda::pipeline: one stage, or four -----------------------------------------------
template <int STAGES>
__device__ __forceinline__ void pipe_bytes(const int4* __restrict__ in, int* __restrict__ out, int tiles) {
  extern __shared__ int4 ring[];  // [STAGES][512]
  auto pipe = cuda::make_pipeline();
  int sum = 0, t = threadIdx.x;
  auto fetch = [&](int tile, int stage) {
    pipe.producer_acquire();
    if (tile < tiles) {
      const int4* from = in + ((size_t)tile * gridDim.x + blockIdx.x) * 512 + t;
      cuda::memcpy_async(ring + stage * 512 + t, from, cuda::aligned_size_t<16>(16), pipe);
      cuda::memcpy_async(ring + stage * 512 + t + 256, from + 256, cuda::aligned_size_t<16>(16), pipe);
    }
    pipe.producer_commit();
  };
  for (int s = 0; s < STAGES; s++) fetch(s, s);
  for (int tile = 0; tile < tiles; tile++) {
    int stage = tile % STAGES;
    cuda::pipeline_consumer_wait_prior<STAGES - 1>(pipe);
    __syncthreads();
    int4 v = ring[stage * 512 + (t ^ 32)], w = ring[stage * 512 + (t ^ 32) + 256];
    sum = __dp4a(v.x, 0x01020304, __dp4a(v.y, 0x01010101, sum)) + __dp4a(v.z, w.x, v.w ^ w.y) + (w.z ^ w.w);
    pipe.consumer_release();
    __syncthreads();
    fetch(tile + STAGES, stage);
  }
  out[thread_id()] = sum & 0xffff;
}
__global__ void __launch_bounds__(256) bytes_one_stage(const int4* in, int* out, int tiles) { pipe_bytes<1>(in, out, tiles); }
__global__ void __launch_bounds__(256) bytes_four_stages(const int4* in, int* out, int tiles) { pipe_bytes<4>(in, out, tiles); }
CASE(byte_pipe) {
  int blocks = sm_count() * 4, tiles = 128;
  int4* in = (int4*)device_bytes((size_t)blocks * tiles * 8192);
  int* out = (int*)device_bytes(blocks * 256 * 4);
  allow_shared(bytes_one_stage, 4 * 8192);
  allow_shared(bytes_four_stages, 4 * 8192);
  measure("bytes_one_stage", nullptr, 0, [=] { bytes_one_stage<<<blocks, 256, 4 * 8192>>>(in, out, tiles); });
  measure("bytes_four_stages", nullptr, 0, [=] { bytes_four_stages<<<blocks, 256, 4 * 8192>>>(in, out, tiles); });
}

// ---- sums of absolute differences of all pairs of vectors of 128: each operand from memory, or 8 x 8 in registers ---------
__global__ void __launch_bounds__(256) differences_direct(const float* __restrict__ a, const float* __restrict__ b,
                                                          float* __restrict__ out, int n) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  float sum = 0;
#pragma unroll 8
  for (int d = 0; d < 128; d++) sum += fabsf(a[d * n + y] - b[d * n + x]);
  out[(size_t)y * n + x] = sum;
}
__global__ void __launch_bounds__(256) differences_blocked(const float* __restrict__ a, const float* __restrict__ b,
                                                           float* __restrict__ out, int n) {
  __shared__ float4 as[8][32], bs[8][32];
  int t = threadIdx.y * 32 + threadIdx.x, tx = t % 16, ty = t / 16;
  float sum[8][8] = {};
  for (int d = 0; d < 128; d += 8) {
    int row = t / 32, column = t % 32;
    as[row][column] = *(const float4*)(a + (size_t)(d + row) * n + blockIdx.y * 128 + column * 4);
    bs[row][column] = *(const float4*)(b + (size_t)(d + row) * n + blockIdx.x * 128 + column * 4);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; k++) {
      float4 u[2] = {as[k][ty], as[k][ty + 16]}, v[2] = {bs[k][tx], bs[k][tx + 16]};
      const float *p = (float*)u, *q = (float*)v;
#pragma unroll
      for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) sum[i][j] += fabsf(p[i] - q[j]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int h = 0; h < 2; h++) {
      int y = blockIdx.y * 128 + i / 4 * 64 + ty * 4 + i % 4, x = blockIdx.x * 128 + h * 64 + tx * 4;
      *(float4*)(out + (size_t)y * n + x) = make_float4(sum[i][h * 4], sum[i][h * 4 + 1], sum[i][h * 4 + 2], sum[i][h * 4 + 3]);
    }
}
CASE(differences) {
  int n = 4096;
  float *a = device_floats(n * 128 * 4), *b = device_floats(n * 128 * 4 + 4096) + 1024, *out = device_floats((size_t)n * n * 4);
  measure("differences_direct", out, n * n, [=] { differences_direct<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(a, b, out, n); });
  measure("differences_blocked", out, n * n, [=] { differences_blocked<<<dim3(n / 128, n / 128), dim3(32, 8)>>>(a, b, out, n); });
}

// ---- a 3 x 3 x 3 mean: 27 loads a point, or sums that roll down a column ---------------------------------------------------
__global__ void mean27_direct(const float* __restrict__ in, float* __restrict__ out, int n) {
  int x = blockIdx.x * 64 + threadIdx.x + 1, y = blockIdx.y * 4 + threadIdx.y + 1, z = blockIdx.z + 1;
  if (x >= n - 1 || y >= n - 1) return;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 27; k++) sum += in[((size_t)(z + k / 9 - 1) * n + y + k / 3 % 3 - 1) * n + x + k % 3 - 1];
  out[((size_t)z * n + y) * n + x] = sum * (1.f / 27);
}
__global__ void mean27_rolling(const float* __restrict__ in, float* __restrict__ out, int n) {
  __shared__ float row[2][6][68];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 64 + tx + 1, y = blockIdx.y * 4 + ty + 1;
  int first = blockIdx.z * 32, last = min(first + 34, n);
  float below = 0, here = 0;
  for (int z = first; z < last; z++) {
    float(*plane)[68] = row[z & 1];
    for (int i = ty * 64 + tx; i < 6 * 66; i += 256) {
      int gx = min(blockIdx.x * 64 + i % 66, n - 1), gy = min(blockIdx.y * 4 + i / 66, n - 1);
      plane[i / 66][i % 66] = in[((size_t)z * n + gy) * n + gx];
    }
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int j = 0; j < 3; j++) sum += plane[ty + j][tx] + plane[ty + j][tx + 1] + plane[ty + j][tx + 2];
    if (z >= first + 2 && x < n - 1 && y < n - 1) out[((size_t)(z - 1) * n + y) * n + x] = (below + here + sum) * (1.f / 27);
    below = here, here = sum;
  }
}
CASE(mean27) {
  int n = 448;
  size_t bytes = (size_t)n * n * n * 4;
  float *in = device_floats(bytes), *out = device_floats(bytes);
  dim3 block(64, 4), grid((n - 2 + 63) / 64, (n - 2 + 3) / 4, n - 2), few(grid.x, grid.y, (n - 2 + 31) / 32);
  measure("mean27_direct", out, bytes / 4, [=] { mean27_direct<<<grid, block>>>(in, out, n); });
  measure("mean27_rolling", out, bytes / 4, [=] { mean27_rolling<<<few, block>>>(in, out, n); });
}

// ---- a table of prices in pinned host memory, read at random --------------------------------------------------------------
__device__ __forceinline__ void price(const float* __restrict__ prices, const int* __restrict__ orders, float* __restrict__ out) {
  ll i = thread_id();
  out[i] = prices[orders[i]] * 1.19f;
}
__global__ void __launch_bounds__(256) prices_on_host(const float* prices, const int* orders, float* out) { price(prices, orders, out); }
__global__ void __launch_bounds__(256) prices_on_device(const float* prices, const int* orders, float* out) { price(prices, orders, out); }
CASE(prices) {
  ll n = 1 << 20, table = 8 << 20;
  float *host = (float*)host_bytes(table * 4), *device = device_floats(table * 4), *out = device_floats(n * 4);
  int* orders = (int*)device_bytes(n * 4);
  fill_order<<<1024, 256>>>(orders, n, table, 1640531527);
  CHECK(cudaDeviceSynchronize());
  measure("prices_on_host", out, n, [=] { prices_on_host<<<n / 256, 256>>>(host, orders, out); });
  measure("prices_on_device", out, n, [=] { prices_on_device<<<n / 256, 256>>>(device, orders, out); });
}

// ---- results that are written to pinned host memory while the kernel computes -----------------------------------------------
__device__ __forceinline__ void simulate(float* __restrict__ out, int turns) { out[thread_id()] = fma_work((thread_id() & 63) * 0.01f, turns); }
__global__ void __launch_bounds__(256) results_to_host(float* out, int turns) { simulate(out, turns); }
__global__ void __launch_bounds__(256) results_to_device(float* out, int turns) { simulate(out, turns); }
CASE(results) {
  int n = 4 << 20;
  float *host = (float*)host_bytes((size_t)n * 4), *device = device_floats((size_t)n * 4);
  measure("results_to_host", host, n, [=] { results_to_host<<<n / 256, 256>>>(host, 12); });
  measure("results_to_device", device, n, [=] { results_to_device<<<n / 256, 256>>>(device, 12); });
}
