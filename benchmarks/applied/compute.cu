// Arithmetic: stencils, index math, number formats, special functions, code size, registers.
#include "harness.cuh"
#include <cuda_fp16.h>

// ---- 5x5 filter over an image -------------------------------------------------------------------------------------
constexpr int W = 8192, H = 8192;
__constant__ float taps[25];
__global__ void filter_naive(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 || y < 2 || x >= w - 2 || y >= h - 2) return;
  float sum = 0;
#pragma unroll
  for (int dy = -2; dy <= 2; dy++)
#pragma unroll
    for (int dx = -2; dx <= 2; dx++) sum += taps[(dy + 2) * 5 + dx + 2] * in[(y + dy) * w + x + dx];
  out[y * w + x] = sum;
}
// Four columns and eight rows a thread, from float4 loads and a rolling window.
__global__ void filter_rolling(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
  int x = (blockIdx.x * blockDim.x + threadIdx.x) * 4, top = (blockIdx.y * blockDim.y + threadIdx.y) * 8;
  float row[5][8];
#pragma unroll
  for (int step = 0; step < 12; step++) {
    int y = top - 2 + step;
    float* r = row[step % 5];
    float4 mid = make_float4(0, 0, 0, 0);
    float2 left = make_float2(0, 0), right = left;
    if (y >= 0 && y < h) {
      const float* p = in + (size_t)y * w + x;
      mid = *(const float4*)p;
      if (x >= 2) left = *(const float2*)(p - 2);
      if (x + 4 < w) right = *(const float2*)(p + 4);
    }
    r[0] = left.x, r[1] = left.y, r[2] = mid.x, r[3] = mid.y, r[4] = mid.z, r[5] = mid.w, r[6] = right.x, r[7] = right.y;
    if (step >= 4) {
      int oy = y - 2;
      float v[4];
#pragma unroll
      for (int c = 0; c < 4; c++) {
        v[c] = 0;
#pragma unroll
        for (int dy = 0; dy < 5; dy++)
#pragma unroll
          for (int dx = 0; dx < 5; dx++) v[c] += taps[dy * 5 + dx] * row[(step - 4 + dy) % 5][c + dx];
        if (oy < 2 || oy >= h - 2 || x + c < 2 || x + c >= w - 2) v[c] = 0;
      }
      *(float4*)(out + (size_t)oy * w + x) = make_float4(v[0], v[1], v[2], v[3]);
    }
  }
}
CASE(filter) {
  float k[25];
  for (int i = 0; i < 25; i++) k[i] = 0.02f + i * 0.001f;
  CHECK(cudaMemcpyToSymbol(taps, k, sizeof k));
  size_t n = (size_t)W * H;
  float *in = device_floats(n * 4), *out = device_floats(n * 4);
  measure("filter_naive", out, n, [=] { filter_naive<<<dim3(W / 32, H / 8), dim3(32, 8)>>>(in, out, W, H); });
  measure("filter_rolling", out, n, [=] { filter_rolling<<<dim3(W / 128, H / 64), dim3(32, 8)>>>(in, out, W, H); });
}

// ---- 7-point stencil in 3D: the innermost dimension on the wrong thread index ---------------------------------------
constexpr int G = 384;
__device__ __forceinline__ void heat_point(const float* __restrict__ in, float* __restrict__ out, int x, int y, int z, int n) {
  if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
  int at = (z * n + y) * n + x;
  out[at] = 0.4f * in[at] + 0.1f * (in[at - 1] + in[at + 1] + in[at - n] + in[at + n] + in[at - n * n] + in[at + n * n]);
}
__global__ void heat3d_swapped(const float* __restrict__ in, float* __restrict__ out, int n) {
  heat_point(in, out, blockIdx.z * blockDim.z + threadIdx.z, blockIdx.y * blockDim.y + threadIdx.y, blockIdx.x * blockDim.x + threadIdx.x, n);
}
__global__ void heat3d(const float* __restrict__ in, float* __restrict__ out, int n) {
  heat_point(in, out, blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y, blockIdx.z * blockDim.z + threadIdx.z, n);
}
CASE(heat_3d) {
  size_t n = (size_t)G * G * G;
  float *in = device_floats(n * 4), *out = device_floats(n * 4);
  dim3 grid(G / 32, G / 8, G), block(32, 8, 1);
  measure("heat3d_swapped", out, n, [=] { heat3d_swapped<<<grid, block>>>(in, out, G); });
  measure("heat3d", out, n, [=] { heat3d<<<grid, block>>>(in, out, G); });
}

// ---- permute (N, H, S, D) to (N, S, H, D): 64-bit divisions for each element ------------------------------------------
__global__ void permute_div64(const float* __restrict__ in, float* __restrict__ out, ll batch, ll heads, ll seq, ll depth) {
  ll i = blockIdx.x * (ll)blockDim.x + threadIdx.x;
  if (i >= batch * heads * seq * depth) return;
  ll d = i % depth, h = i / depth % heads, s = i / (depth * heads) % seq, n = i / (depth * heads * seq);
  out[i] = in[((n * heads + h) * seq + s) * depth + d];
}
__global__ void permute_grid(const float* __restrict__ in, float* __restrict__ out, int heads, int seq, int depth) {
  int n = blockIdx.z, s = blockIdx.x * blockDim.y + threadIdx.y;
  for (int h = 0; h < heads; h++)
    for (int d = threadIdx.x; d < depth; d += blockDim.x)
      out[((size_t)(n * seq + s) * heads + h) * depth + d] = in[((size_t)(n * heads + h) * seq + s) * depth + d];
}
CASE(permute) {
  ll batch = 16, heads = 32, seq = 1024, depth = 128, n = batch * heads * seq * depth;
  float *in = device_floats(n * 4), *out = device_floats(n * 4);
  measure("permute_div64", out, n, [=] { permute_div64<<<n / 256, 256>>>(in, out, batch, heads, seq, depth); });
  measure("permute_grid", out, n, [=] { permute_grid<<<dim3(seq / 8, 1, batch), dim3(32, 8)>>>(in, out, heads, seq, depth); });
}

// ---- Monte Carlo with double literals by accident -----------------------------------------------------------------------
#define PATHS(ONE, REAL)                                                          \
  unsigned seed = (blockIdx.x * blockDim.x + threadIdx.x) * 747796405u + 1u;      \
  float sum = 0;                                                                  \
  for (int i = 0; i < steps; i++) {                                               \
    seed = seed * 1664525u + 1013904223u;                                         \
    float u = (seed >> 8) * (ONE / 16777216);                                     \
    float price = ONE * 0.5f + u * (ONE * 2 - u) * (ONE / 3) + u * u * (ONE / 7); \
    if (price > ONE * 3 / 4) sum += price - ONE * 3 / 4;                          \
  }                                                                               \
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum / steps;
__global__ void monte_carlo_double(float* out, int steps) { PATHS(1.0, double) }
__global__ void monte_carlo_float(float* out, int steps) { PATHS(1.0f, float) }
CASE(monte_carlo) {
  int blocks = sm_count() * 8;
  size_t n = (size_t)blocks * 256;
  float* out = device_floats(n * 4);
  measure("monte_carlo_double", out, n, [=] { monte_carlo_double<<<blocks, 256>>>(out, 2000); });
  measure("monte_carlo_float", out, n, [=] { monte_carlo_float<<<blocks, 256>>>(out, 2000); });
}

// ---- a mixture of 24 evenly spaced Gaussians: 24 exponentials, or two and a recurrence ------------------------------------
__device__ __forceinline__ float exp2_fast(float x) {
  asm("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
  return x;
}
__global__ void mixture_exp(const float* __restrict__ in, float* __restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i], sum = 0;
#pragma unroll
  for (int k = 0; k < 24; k++) {
    float d = x - k * 0.0625f;
    sum += exp2_fast(d * d * -11.541560f);
  }
  out[i] = sum;
}
__global__ void mixture_recurrence(const float* __restrict__ in, float* __restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i], sum = 0;
  float term = __expf(x * x * -8.f), ratio = __expf(x);  // exp(-8(x-kh)^2) = exp(-8x^2) exp(x)^k exp(-k^2/32)
  const float step = 0.93941306f;                        // exp(-1/16)
  float bend = 0.96923323f;                              // exp(-1/32)
#pragma unroll
  for (int k = 0; k < 24; k++) {
    sum += term;
    term *= ratio * bend;
    bend *= step;
  }
  out[i] = sum;
}
CASE(mixture) {
  int n = 64 << 20;
  float *in = device_floats((size_t)n * 4), *out = device_floats((size_t)n * 4);
  measure("mixture_exp", out, n, [=] { mixture_exp<<<n / 256, 256>>>(in, out, n); });
  measure("mixture_recurrence", out, n, [=] { mixture_recurrence<<<n / 256, 256>>>(in, out, n); });
}

// ---- softmax over a vocabulary: three passes against an online first pass -----------------------------------------------------
constexpr int VOCABULARY = 256 * 1024, ROWS = 264;
template <bool MAX>
__device__ float across_block(float v) {
  __shared__ float part[32];
  for (int d = 16; d; d /= 2) {
    float o = __shfl_xor_sync(~0u, v, d);
    v = MAX ? fmaxf(v, o) : v + o;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  v = part[threadIdx.x % 32];
  for (int d = 16; d; d /= 2) {
    float o = __shfl_xor_sync(~0u, v, d);
    v = MAX ? fmaxf(v, o) : v + o;
  }
  return v;
}
__device__ __forceinline__ void write_softmax(const float4* x, float4* y, float top, float sum, int n) {
  float scale = 1 / sum;
#pragma unroll 4
  for (int i = threadIdx.x; i < n; i += 1024) {
    float4 v = x[i];
    y[i] = make_float4(__expf(v.x - top) * scale, __expf(v.y - top) * scale, __expf(v.z - top) * scale, __expf(v.w - top) * scale);
  }
}
__global__ void __launch_bounds__(1024, 2) softmax_three_pass(const float4* __restrict__ in, float4* __restrict__ out, int n) {
  const float4* x = in + (size_t)blockIdx.x * n;
  float top = -1e30f, sum = 0;
#pragma unroll 4
  for (int i = threadIdx.x; i < n; i += 1024) top = fmaxf(top, fmaxf(fmaxf(x[i].x, x[i].y), fmaxf(x[i].z, x[i].w)));
  top = across_block<true>(top);
#pragma unroll 4
  for (int i = threadIdx.x; i < n; i += 1024) {
    float4 v = x[i];
    sum += (__expf(v.x - top) + __expf(v.y - top)) + (__expf(v.z - top) + __expf(v.w - top));
  }
  sum = across_block<false>(sum);
  write_softmax(x, out + (size_t)blockIdx.x * n, top, sum, n);
}
__global__ void __launch_bounds__(1024, 2) softmax_online(const float4* __restrict__ in, float4* __restrict__ out, int n) {
  const float4* x = in + (size_t)blockIdx.x * n;
  float top = -1e30f, sum = 0;
#pragma unroll 4
  for (int i = threadIdx.x; i < n; i += 1024) {
    float4 v = x[i];
    float best = fmaxf(fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)), top);
    sum = sum * __expf(top - best) + (__expf(v.x - best) + __expf(v.y - best)) + (__expf(v.z - best) + __expf(v.w - best));
    top = best;
  }
  float best = across_block<true>(top);
  sum = across_block<false>(sum * __expf(top - best));
  write_softmax(x, out + (size_t)blockIdx.x * n, best, sum, n);
}
CASE(softmax) {
  size_t n = (size_t)VOCABULARY * ROWS;
  float *in = device_floats(n * 4), *out = device_floats(n * 4);
  measure("softmax_three_pass", out, n, [=] { softmax_three_pass<<<ROWS, 1024>>>((float4*)in, (float4*)out, VOCABULARY / 4); });
  measure("softmax_online", out, n, [=] { softmax_online<<<ROWS, 1024>>>((float4*)in, (float4*)out, VOCABULARY / 4); });
}

// ---- a polynomial "for reproducibility" without FMA -----------------------------------------------------------------------------
__global__ void series_unfused(const float* __restrict__ in, float* __restrict__ out, int terms) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i], y0 = 0, y1 = 0, y2 = 0, y3 = 0;
#pragma unroll 8
  for (int k = 0; k < terms; k++) {
    float c = 0.25f;
    y0 = __fadd_rn(__fmul_rn(y0, x), c);
    y1 = __fadd_rn(__fmul_rn(y1, x), c + 0.1f);
    y2 = __fadd_rn(__fmul_rn(y2, x), c + 0.2f);
    y3 = __fadd_rn(__fmul_rn(y3, x), c + 0.3f);
  }
  out[i] = y0 + y1 + y2 + y3;
}
__global__ void series_fused(const float* __restrict__ in, float* __restrict__ out, int terms) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i], y0 = 0, y1 = 0, y2 = 0, y3 = 0;
#pragma unroll 8
  for (int k = 0; k < terms; k++) {
    float c = 0.25f;
    y0 = fmaf(y0, x, c);
    y1 = fmaf(y1, x, c + 0.1f);
    y2 = fmaf(y2, x, c + 0.2f);
    y3 = fmaf(y3, x, c + 0.3f);
  }
  out[i] = y0 + y1 + y2 + y3;
}
CASE(series) {
  int n = sm_count() * 8 * 256 * 8;
  float *in = device_floats((size_t)n * 4), *out = device_floats((size_t)n * 4);
  measure("series_unfused", out, n, [=] { series_unfused<<<n / 256, 256>>>(in, out, 1024); });
  measure("series_fused", out, n, [=] { series_fused<<<n / 256, 256>>>(in, out, 1024); });
}

// ---- half arithmetic one number at a time, or two ----------------------------------------------------------------------------------
__global__ void halves_scalar(const half* __restrict__ in, half* __restrict__ out, int n, int terms) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  half x[4], y[4];
  for (int k = 0; k < 4; k++) x[k] = __hmul(in[i + k], __float2half(0.5f)), y[k] = __float2half(0.f);
  half c = __float2half(0.25f);
  for (int t = 0; t < terms; t++)
#pragma unroll
    for (int k = 0; k < 4; k++) y[k] = __hfma(y[k], x[k], c);
  for (int k = 0; k < 4; k++) out[i + k] = y[k];
}
__global__ void halves_packed(const half2* __restrict__ in, half2* __restrict__ out, int n, int terms) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  half2 x[4], y[4];
  for (int k = 0; k < 4; k++) x[k] = __hmul2(in[i + k], __float2half2_rn(0.5f)), y[k] = __float2half2_rn(0.f);
  half2 c = __float2half2_rn(0.25f);
  for (int t = 0; t < terms; t++)
#pragma unroll
    for (int k = 0; k < 4; k++) y[k] = __hfma2(y[k], x[k], c);
  for (int k = 0; k < 4; k++) out[i + k] = y[k];
}
__global__ void small_halves(half* p, ll n) {
  for (ll i = thread_id(); i < n; i += thread_count()) p[i] = __float2half(0.5f + (i * 37 % 1024) / 2048.f);
}
CASE(halves) {
  int n = sm_count() * 8 * 256 * 64;
  half *in = (half*)device_bytes((size_t)n * 2), *out = (half*)device_bytes((size_t)n * 2);
  small_halves<<<2048, 256>>>(in, n);
  CHECK(cudaDeviceSynchronize());
  measure("halves_scalar", (float*)out, n / 2, [=] { halves_scalar<<<n / 1024, 256>>>(in, out, n, 512); });
  measure("halves_packed", (float*)out, n / 2, [=] { halves_packed<<<n / 2048, 256>>>((half2*)in, (half2*)out, n, 512); });
}

// ---- generated straight-line code: 12288 coefficients as literals, or in a table -----------------------------------------------------
constexpr int COEFFICIENTS = 12288;
__host__ __device__ constexpr float coefficient(int i) { return 0.25f + ((i * 7919) % 1024) / 4096.f; }
template <int FROM, int COUNT>
struct Straight {
  static __device__ __forceinline__ void run(float* v, float x) {
    if constexpr (COUNT <= 128) {
#pragma unroll
      for (int i = FROM; i < FROM + COUNT; i++) v[i % 4] = fmaf(v[i % 4], x, coefficient(i));
    } else {
      Straight<FROM, COUNT / 2>::run(v, x);
      Straight<FROM + COUNT / 2, COUNT - COUNT / 2>::run(v, x);
    }
  }
};
__global__ void network_generated(const float* __restrict__ in, float* __restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i] * 0.5f, v[4] = {0, 0, 0, 0};
  Straight<0, COEFFICIENTS>::run(v, x);
  out[i] = (v[0] + v[1]) + (v[2] + v[3]);
}
__constant__ float coefficients[COEFFICIENTS];
__global__ void network_table(const float* __restrict__ in, float* __restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i] * 0.5f, v[4] = {0, 0, 0, 0};
#pragma unroll 4
  for (int k = 0; k < COEFFICIENTS; k += 4)
#pragma unroll
    for (int j = 0; j < 4; j++) v[j] = fmaf(v[j], x, coefficients[k + j]);
  out[i] = (v[0] + v[1]) + (v[2] + v[3]);
}
CASE(network) {
  std::vector<float> c(COEFFICIENTS);
  for (int i = 0; i < COEFFICIENTS; i++) c[i] = coefficient(i);
  CHECK(cudaMemcpyToSymbol(coefficients, c.data(), COEFFICIENTS * 4));
  int n = sm_count() * 64 * 32 * 4;
  float *in = device_floats((size_t)n * 4), *out = device_floats((size_t)n * 4);
  measure("network_generated", out, n, [=] { network_generated<<<n / 64, 64>>>(in, out); });
  measure("network_table", out, n, [=] { network_table<<<n / 64, 64>>>(in, out); });
}
