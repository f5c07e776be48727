// Arithmetic of the wrong type, on the wrong unit, or more of it than needed.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "harness.cuh"

// ---- distances on a sphere in double precision, or in single ------------------------------------------------------------------
template <class T>
__device__ __forceinline__ float haversine(const float2* __restrict__ in, int n, int others) {
  float2 here = in[thread_id() % n];
  T sum = 0;
#pragma unroll 1
  for (int k = 0; k < others; k++) {
    float2 there = in[(blockIdx.x * 31 + k) % n];
    T a = sin((T(there.x) - T(here.x)) * T(0.5)), b = sin((T(there.y) - T(here.y)) * T(0.5));
    sum += sqrt(a * a + cos(T(here.x)) * cos(T(there.x)) * b * b);
  }
  return sum;
}
__global__ void __launch_bounds__(256) sphere_double(const float2* in, float* out, int n, int others) { out[thread_id()] = haversine<double>(in, n, others); }
__global__ void __launch_bounds__(256) sphere_single(const float2* in, float* out, int n, int others) { out[thread_id()] = haversine<float>(in, n, others); }
CASE(sphere) {
  int n = 1 << 16, blocks = sm_count() * 8;
  float2* in = (float2*)device_bytes(n * 8);
  float* out = device_floats(blocks * 1024);
  measure("sphere_double", out, blocks * 256, [=] { sphere_double<<<blocks, 256>>>(in, out, n, 100); });
  measure("sphere_single", out, blocks * 256, [=] { sphere_single<<<blocks, 256>>>(in, out, n, 100); });
}

// ---- exposure of an image with a few double constants, or with float ones -----------------------------------------------------------
__global__ void __launch_bounds__(256) expose_double(const float* __restrict__ in, float* __restrict__ out, int n) {
  for (int i = thread_id(); i < n; i += thread_count()) {
    double v = in[i] * 1.0 - 0.5;
#pragma unroll
    for (int k = 0; k < 10; k++) v = v * (0.3 + v) + 0.01;
    out[i] = (float)v;
  }
}
__global__ void __launch_bounds__(256) expose_single(const float* __restrict__ in, float* __restrict__ out, int n) {
  for (int i = thread_id(); i < n; i += thread_count()) {
    float v = in[i] - 0.5f;
#pragma unroll
    for (int k = 0; k < 10; k++) v = v * (0.3f + v) + 0.01f;
    out[i] = v;
  }
}
CASE(exposure) {
  int n = 64 << 20, blocks = sm_count() * 8;
  float *in = device_floats((size_t)n * 4), *out = device_floats((size_t)n * 4);
  measure("expose_double", out, n, [=] { expose_double<<<blocks, 256>>>(in, out, n); });
  measure("expose_single", out, n, [=] { expose_single<<<blocks, 256>>>(in, out, n); });
}

// ---- powers modulo a 31-bit prime: 64-bit remainders, or Montgomery's products --------------------------------------------------------
__global__ void __launch_bounds__(256) powers_remainder(unsigned* __restrict__ out, unsigned p, int rounds) {
  unsigned long long x = thread_id() + 2, sum = 0;
  for (int r = 0; r < rounds; r++) {
    x = x * x % p;
    x = x * 48271 % p;
    sum += x;
  }
  out[thread_id()] = (unsigned)sum;
}
__device__ __forceinline__ unsigned montgomery(unsigned a, unsigned b, unsigned p, unsigned inverse) {
  unsigned long long t = (unsigned long long)a * b;
  unsigned m = (unsigned)t * inverse;
  unsigned u = (unsigned)((t + (unsigned long long)m * p) >> 32);
  return min(u, u - p);
}
__global__ void __launch_bounds__(256) powers_montgomery(unsigned* __restrict__ out, unsigned p, unsigned inverse, unsigned square, int rounds) {
  unsigned x = montgomery(thread_id() + 2, square, p, inverse), factor = montgomery(48271, square, p, inverse), sum = 0;
  for (int r = 0; r < rounds; r++) {
    x = montgomery(x, x, p, inverse);
    x = montgomery(x, factor, p, inverse);
    sum += montgomery(x, 1, p, inverse);
  }
  out[thread_id()] = sum;
}
CASE(powers) {
  unsigned p = 2147483647u, inverse = 1;
  for (int k = 0; k < 5; k++) inverse *= 2 - p * inverse;
  inverse = 0u - inverse;
  unsigned square = (unsigned)(((unsigned __int128)1 << 64) % p);
  int blocks = sm_count() * 8;
  unsigned* out = (unsigned*)device_bytes(blocks * 1024);
  measure("powers_remainder", nullptr, 0, [=] { powers_remainder<<<blocks, 256>>>(out, p, 400); });
  measure("powers_montgomery", nullptr, 0, [=] { powers_montgomery<<<blocks, 256>>>(out, p, inverse, square, 400); });
}

// ---- set bits counted one at a time, or by the instruction for it ------------------------------------------------------------------------
__global__ void __launch_bounds__(256) bits_one_by_one(const uint4* __restrict__ in, unsigned* __restrict__ out) {
  uint4 v = in[thread_id()];
  unsigned words[4] = {v.x, v.y, v.z, v.w}, sum = 0;
#pragma unroll
  for (int k = 0; k < 4; k++)
#pragma unroll 1
    for (int b = 0; b < 32; b++) sum += words[k] >> b & 1;
  out[thread_id()] = sum;
}
__global__ void __launch_bounds__(256) bits_counted(const uint4* __restrict__ in, unsigned* __restrict__ out) {
  uint4 v = in[thread_id()];
  out[thread_id()] = __popc(v.x) + __popc(v.y) + __popc(v.z) + __popc(v.w);
}
CASE(bits) {
  int n = 16 << 20;
  uint4* in = (uint4*)device_bytes((size_t)n * 16);
  unsigned* out = (unsigned*)device_bytes((size_t)n * 4);
  measure("bits_one_by_one", nullptr, 0, [=] { bits_one_by_one<<<n / 256, 256>>>(in, out); });
  measure("bits_counted", nullptr, 0, [=] { bits_counted<<<n / 256, 256>>>(in, out); });
}

// ---- a ring buffer of any length: its place by a remainder, or by a comparison -----------------------------------------------------------------
template <bool REMAINDER>
__device__ __forceinline__ float ring_sum(const float* __restrict__ ring, int length, int taps) {
  int at = thread_id() % length;
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < taps; k++) {
    sum = fmaf(sum, 0.5f, ring[at]);
    at += 33;
    at = REMAINDER ? at % length : at >= length ? at - length : at;
  }
  return sum;
}
__global__ void __launch_bounds__(256) ring_remainder(const float* ring, float* out, int length, int taps) { out[thread_id()] = ring_sum<true>(ring, length, taps); }
__global__ void __launch_bounds__(256) ring_comparison(const float* ring, float* out, int length, int taps) { out[thread_id()] = ring_sum<false>(ring, length, taps); }
CASE(rings) {
  int blocks = sm_count() * 8, length = 5003;
  float *ring = device_floats(length * 4), *out = device_floats(blocks * 1024);
  measure("ring_remainder", out, blocks * 256, [=] { ring_remainder<<<blocks, 256>>>(ring, out, length, 800); });
  measure("ring_comparison", out, blocks * 256, [=] { ring_comparison<<<blocks, 256>>>(ring, out, length, 800); });
}

// ---- 16 oscillators a thread: a sine and a cosine for each step, or a rotation; and a logarithm for each factor, or for the product --------------
__global__ void __launch_bounds__(256) waves_sincos(float* __restrict__ out, int steps) {
  float sum = 0, phase = (threadIdx.x & 63) * 0.01f;
#pragma unroll 4
  for (int s = 0; s < steps; s++) {
    float sine, cosine;
    __sincosf(phase, &sine, &cosine);
    sum = fmaf(sine, 0.7f, fmaf(cosine, 0.3f, sum));
    phase += 0.001f;
  }
  out[thread_id()] = sum;
}
__global__ void __launch_bounds__(256) waves_rotated(float* __restrict__ out, int steps) {
  float sum = 0, phase = (threadIdx.x & 63) * 0.01f, sine = __sinf(phase), cosine = __cosf(phase);
  float ds = __sinf(0.001f), dc = __cosf(0.001f);
#pragma unroll 4
  for (int s = 0; s < steps; s++) {
    sum = fmaf(sine, 0.7f, fmaf(cosine, 0.3f, sum));
    float next = fmaf(sine, dc, cosine * ds);
    cosine = fmaf(cosine, dc, -sine * ds);
    sine = next;
  }
  out[thread_id()] = sum;
}
__global__ void __launch_bounds__(256) likelihood_each(float* __restrict__ out, int steps) {
  float sum = 0, p = 0.5f + (threadIdx.x & 63) * 0.005f;
#pragma unroll 8
  for (int s = 0; s < steps; s++) {
    p = fmaf(p, -0.9f, 1.4f);
    sum += __logf(p) * 1.4427f;
  }
  out[thread_id()] = sum;
}
__global__ void __launch_bounds__(256) likelihood_of_product(float* __restrict__ out, int steps) {
  float sum = 0, p = 0.5f + (threadIdx.x & 63) * 0.005f;
  for (int s = 0; s < steps; s += 8) {
    float product = 1;
#pragma unroll
    for (int k = 0; k < 8; k++) {
      p = fmaf(p, -0.9f, 1.4f);
      product *= p;
    }
    sum += __logf(product) * 1.4427f;
  }
  out[thread_id()] = sum;
}
CASE(functions) {
  int blocks = sm_count() * 16;
  float* out = device_floats(blocks * 1024);
  measure("waves_sincos", out, blocks * 256, [=] { waves_sincos<<<blocks, 256>>>(out, 1000); });
  measure("waves_rotated", out, blocks * 256, [=] { waves_rotated<<<blocks, 256>>>(out, 1000); });
  measure("likelihood_each", out, blocks * 256, [=] { likelihood_each<<<blocks, 256>>>(out, 2000); });
  measure("likelihood_of_product", out, blocks * 256, [=] { likelihood_of_product<<<blocks, 256>>>(out, 2000); });
}

// ---- complex products in double precision with separate products and sums, or fused; and a filter that fuses half of its steps -----------------------
template <bool FUSED>
__device__ __forceinline__ double spin(int turns) {
  double re[4], im[4];
#pragma unroll
  for (int k = 0; k < 4; k++) re[k] = (threadIdx.x & 31) * 0.01 + k, im[k] = 1 - re[k];
  for (int i = 0; i < turns; i++)
#pragma unroll
    for (int k = 0; k < 4; k++) {
      double r, s;
      if (FUSED) {
        r = __fma_rn(re[k], 0.6, __fma_rn(im[k], -0.8, 0.01));
        s = __fma_rn(re[k], 0.8, __fma_rn(im[k], 0.6, 0.02));
      } else {
        r = __dadd_rn(__dmul_rn(re[k], 0.6), __dadd_rn(__dmul_rn(im[k], -0.8), 0.01));
        s = __dadd_rn(__dmul_rn(re[k], 0.8), __dadd_rn(__dmul_rn(im[k], 0.6), 0.02));
      }
      re[k] = r, im[k] = s;
    }
  return re[0] + re[1] + re[2] + re[3] + im[0] + im[1] + im[2] + im[3];
}
__global__ void __launch_bounds__(256) spin_apart(float* out, int turns) { out[thread_id()] = (float)spin<false>(turns); }
__global__ void __launch_bounds__(256) spin_fused(float* out, int turns) { out[thread_id()] = (float)spin<true>(turns); }
template <bool FUSED>
__device__ __forceinline__ float damp(int turns) {
  float v[8];
#pragma unroll
  for (int k = 0; k < 8; k++) v[k] = (threadIdx.x & 31) + k;
  for (int i = 0; i < turns; i++)
#pragma unroll
    for (int j = 0; j < 4; j++)
#pragma unroll
      for (int k = 0; k < 8; k++) {
        float w = __fmaf_rn(v[k], 0.99f, 0.5f);
        v[k] = j & 1 || FUSED ? __fmaf_rn(w, 0.97f, 0.1f) : __fadd_rn(__fmul_rn(w, 0.97f), 0.1f);
      }
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) sum += v[k];
  return sum;
}
__global__ void __launch_bounds__(256) damp_partly_fused(float* out, int turns) { out[thread_id()] = damp<false>(turns); }
__global__ void __launch_bounds__(256) damp_fused(float* out, int turns) { out[thread_id()] = damp<true>(turns); }
CASE(fusion) {
  int blocks = sm_count() * 16;
  float* out = device_floats(blocks * 1024);
  measure("spin_apart", out, blocks * 256, [=] { spin_apart<<<blocks, 256>>>(out, 400); });
  measure("spin_fused", out, blocks * 256, [=] { spin_fused<<<blocks, 256>>>(out, 400); });
  measure("damp_partly_fused", out, blocks * 256, [=] { damp_partly_fused<<<blocks, 256>>>(out, 500); });
  measure("damp_fused", out, blocks * 256, [=] { damp_fused<<<blocks, 256>>>(out, 500); });
}

// ---- bfloat16 one number an instruction, or two --------------------------------------------------------------------------------------------------------
__global__ void __launch_bounds__(256) brain_one(float* out, __nv_bfloat16 a, __nv_bfloat16 b, int turns) {
  __nv_bfloat16 v[4];
  for (int k = 0; k < 4; k++) v[k] = __int2bfloat16_rn(threadIdx.x & 15);
  for (int i = 0; i < turns; i++)
#pragma unroll
    for (int k = 0; k < 4; k++) v[k] = __hfma(v[k], a, b);
  out[thread_id()] = __bfloat162float(v[0]) + __bfloat162float(v[1]) + __bfloat162float(v[2]) + __bfloat162float(v[3]);
}
__global__ void __launch_bounds__(256) brain_two(float* out, __nv_bfloat162 a, __nv_bfloat162 b, int turns) {
  __nv_bfloat162 v[2];
  for (int k = 0; k < 2; k++) v[k] = __bfloat162bfloat162(__int2bfloat16_rn(threadIdx.x & 15));
  for (int i = 0; i < turns; i++)
#pragma unroll
    for (int k = 0; k < 2; k++) v[k] = __hfma2(v[k], a, b);
  float2 u = __bfloat1622float2(v[0]), w = __bfloat1622float2(v[1]);
  out[thread_id()] = u.x + u.y + w.x + w.y;
}
CASE(brain_floats) {
  int blocks = sm_count() * 16;
  float* out = device_floats(blocks * 1024);
  auto a = __float2bfloat16(0.9f), b = __float2bfloat16(0.25f);
  measure("brain_one", out, blocks * 256, [=] { brain_one<<<blocks, 256>>>(out, a, b, 4000); });
  measure("brain_two", out, blocks * 256, [=] { brain_two<<<blocks, 256>>>(out, __bfloat162bfloat162(a), __bfloat162bfloat162(b), 4000); });
}
