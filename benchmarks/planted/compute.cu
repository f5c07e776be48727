// Kernels that do avoidable arithmetic, or the right arithmetic on the wrong pipe.
#include <cuda_fp16.h>
#include "harness.cuh"

// divide: quotients by run-time divisors, against multiplication by their reciprocals.
struct Divisors {
  unsigned d[8], magic[8], shift[8];
};
static Divisors divisors() {
  Divisors all;
  for (int k = 0; k < 8; k++) {
    unsigned d = 10007 + 1234 * k, bits = 0;
    while ((1u << bits) < d) bits++;
    all.d[k] = d;
    all.magic[k] = (unsigned)(((1ull << (31 + bits)) + d - 1) / d);  // exact for 31-bit numerators
    all.shift[k] = bits - 1;
  }
  return all;
}
template <bool MAGIC>
__device__ __forceinline__ float quotients(const Divisors& all, int turns) {
  __shared__ unsigned d[8], magic[8], shift[8];
  if (threadIdx.x < 8) {
    d[threadIdx.x] = all.d[threadIdx.x];
    magic[threadIdx.x] = all.magic[threadIdx.x];
    shift[threadIdx.x] = all.shift[threadIdx.x];
  }
  __syncthreads();
  unsigned x[4], s = 0;
  for (int k = 0; k < 4; k++) x[k] = (unsigned)thread_id() * 4 + k;
  for (int i = 0; i < turns; i++) {
    unsigned by = d[i & 7], m = magic[i & 7], h = shift[i & 7];
#pragma unroll
    for (int k = 0; k < 4; k++) {
      x[k] = x[k] * 1664525u + 1013904223u;
      unsigned n = x[k] >> 1, q = MAGIC ? __umulhi(n, m) >> h : n / by;
      s += q + (n - q * by);
    }
  }
  return s & 0xffff;
}
extern "C" __global__ void __launch_bounds__(256) divide(float* o, Divisors all, int turns) {
  o[thread_id()] = quotients<false>(all, turns);
}
extern "C" __global__ void __launch_bounds__(256) divide_fix(float* o, Divisors all, int turns) {
  o[thread_id()] = quotients<true>(all, turns);
}
CASE(divide) {
  int blocks = sm_count() * 8;
  float* o = device_floats(blocks * 256 * 4);
  Divisors all = divisors();
  measure("divide", o, blocks * 256, [&] { divide<<<blocks, 256>>>(o, all, 1000); });
  measure("divide_fix", o, blocks * 256, [&] { divide_fix<<<blocks, 256>>>(o, all, 1000); });
}

// wide_index: 64-bit index arithmetic (row, column, plane of a flat index) where 32 bits do.
template <class INT>
__device__ __forceinline__ float locate(INT first, INT step, INT width, INT height, int turns) {
  INT i = first, s = 0;
  for (int t = 0; t < turns; t++, i += step) {
    INT row = i / width, column = i - row * width, plane = row / height, line = row - plane * height;
    s += column * 3 + line * 5 + plane * 7;
  }
  return (float)(s & 0xffff);
}
extern "C" __global__ void __launch_bounds__(256) wide_index(float* o, ll width, ll height, int turns) {
  o[thread_id()] = locate<ll>(thread_id(), 1024, width, height, turns);
}
extern "C" __global__ void __launch_bounds__(256) wide_index_fix(float* o, unsigned width, unsigned height,
                                                                 int turns) {
  o[thread_id()] = locate<unsigned>(thread_id(), 1024, width, height, turns);
}
CASE(wide_index) {
  int blocks = sm_count() * 8;
  float* o = device_floats(blocks * 256 * 4);
  measure("wide_index", o, blocks * 256, [&] { wide_index<<<blocks, 256>>>(o, 1021, 509, 500); });
  measure("wide_index_fix", o, blocks * 256, [&] { wide_index_fix<<<blocks, 256>>>(o, 1021, 509, 500); });
}

// big_code: 64 straight-line bodies of 256 FMAs picked at random by each warp, against one body and a table.
constexpr int BODIES = 64, LENGTH = 64;
__host__ __device__ constexpr float factor(int body) { return 0.5f + body * 0.004f; }
template <int BODY>
__device__ __forceinline__ void straight(float (&v)[4]) {
#pragma unroll
  for (int i = 0; i < LENGTH; i++)
#pragma unroll
    for (int k = 0; k < 4; k++) asm volatile("fma.rn.f32 %0, %0, %1, 0f3E800000;" : "+f"(v[k]) : "f"(factor(BODY)));
}
__device__ __forceinline__ int choose(int turn) {
  unsigned x = (unsigned)(thread_id() / 32 * 7919 + turn) * 2654435761u;
  return (x >> 13) & (BODIES - 1);
}
#define EIGHT(n) ARM(n) ARM(n + 1) ARM(n + 2) ARM(n + 3) ARM(n + 4) ARM(n + 5) ARM(n + 6) ARM(n + 7)
#define ARM(n)              \
  case n:                   \
    straight<n>(v);     \
    break;
extern "C" __global__ void __launch_bounds__(256) big_code(float* o, int turns) {
  float v[4] = {1, 2, 3, 4};
  for (int i = 0; i < turns; i++) {
    switch (choose(i)) {
      EIGHT(0)
      EIGHT(8)
      EIGHT(16)
      EIGHT(24)
      EIGHT(32)
      EIGHT(40)
      EIGHT(48)
      EIGHT(56)
    }
  }
  o[thread_id()] = v[0] + v[1] + v[2] + v[3];
}
extern "C" __global__ void __launch_bounds__(256) big_code_fix(float* o, int turns) {
  __shared__ float factors[BODIES];
  if (threadIdx.x < BODIES) factors[threadIdx.x] = factor(threadIdx.x);
  __syncthreads();
  float v[4] = {1, 2, 3, 4};
  for (int i = 0; i < turns; i++) {
    float f = factors[choose(i)];
#pragma unroll
    for (int j = 0; j < LENGTH; j++)
#pragma unroll
      for (int k = 0; k < 4; k++) v[k] = v[k] * f + 0.25f;
  }
  o[thread_id()] = v[0] + v[1] + v[2] + v[3];
}
CASE(big_code) {
  int blocks = sm_count() * 4;
  float* o = device_floats(blocks * 256 * 4);
  measure("big_code", o, blocks * 256, [&] { big_code<<<blocks, 256>>>(o, 100); });
  measure("big_code_fix", o, blocks * 256, [&] { big_code_fix<<<blocks, 256>>>(o, 100); });
}

// constants: a table in constant memory read at a different place by each lane, against shared memory.
__constant__ float constant_table[1024];
template <bool SHARED>
__device__ __forceinline__ float look_up(int turns) {
  __shared__ float copy[SHARED ? 1024 : 1];
  if (SHARED)
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) copy[i] = constant_table[i];
  __syncthreads();
  unsigned x = (unsigned)thread_id();
  float s = 0;
  for (int i = 0; i < turns; i++) {
    x = x * 1664525u + 1013904223u;
    s += SHARED ? copy[x >> 22] : constant_table[x >> 22];
  }
  return s;
}
extern "C" __global__ void __launch_bounds__(256) constants(float* o, int turns) {
  o[thread_id()] = look_up<false>(turns);
}
extern "C" __global__ void __launch_bounds__(256) constants_fix(float* o, int turns) {
  o[thread_id()] = look_up<true>(turns);
}
CASE(constants) {
  int blocks = sm_count() * 8;
  float* o = device_floats(blocks * 256 * 4);
  float table[1024];
  for (int i = 0; i < 1024; i++) table[i] = i / 1024.f;
  CHECK(cudaMemcpyToSymbol(constant_table, table, sizeof table));
  measure("constants", o, blocks * 256, [&] { constants<<<blocks, 256>>>(o, 1000); });
  measure("constants_fix", o, blocks * 256, [&] { constants_fix<<<blocks, 256>>>(o, 1000); });
}

// exponentials: all on the special function unit, against three of eight by polynomial on the FMA pipe.
__device__ __forceinline__ float exp2_unit(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ __forceinline__ float exp2_polynomial(float x) {
  float shifted = x + 12582912.f;  // 1.5 * 2^23: the integer part lands in the low mantissa bits
  float f = x - (shifted - 12582912.f);
  float p = 0.0096181291f;
  p = p * f + 0.0555041087f;
  p = p * f + 0.2402265070f;
  p = p * f + 0.6931471806f;
  p = p * f + 1.f;
  return __int_as_float(__float_as_int(p) + (__float_as_int(shifted) << 23));
}
template <int POLYNOMIALS>
__device__ __forceinline__ float exponentials_of(int turns) {
  float v[8];
#pragma unroll
  for (int k = 0; k < 8; k++) v[k] = (threadIdx.x & 31) * 0.01f + k * 0.1f;
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int k = 0; k < 8; k++) v[k] = (k < POLYNOMIALS ? exp2_polynomial(v[k]) : exp2_unit(v[k])) * 0.5f - 0.25f;
  }
  float s = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) s += v[k];
  return s;
}
extern "C" __global__ void __launch_bounds__(256) exponentials(float* o, int turns) {
  o[thread_id()] = exponentials_of<0>(turns);
}
extern "C" __global__ void __launch_bounds__(256) exponentials_fix(float* o, int turns) {
  o[thread_id()] = exponentials_of<3>(turns);
}
CASE(exponentials) {
  int blocks = sm_count() * 8;
  float* o = device_floats(blocks * 256 * 4);
  measure("exponentials", o, blocks * 256, [&] { exponentials<<<blocks, 256>>>(o, 500); });
  measure("exponentials_fix", o, blocks * 256, [&] { exponentials_fix<<<blocks, 256>>>(o, 500); });
}

// half_scalar: one half a thread, against a pair a thread on half as many threads.
extern "C" __global__ void __launch_bounds__(256) half_scalar(float* o, __half a, __half b, int turns) {
  __half v = __int2half_rn(threadIdx.x % 32);
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int k = 0; k < 16; k++) v = __hfma(v, a, b);
  }
  o[thread_id()] = __half2float(v);
}
extern "C" __global__ void __launch_bounds__(256) half_scalar_fix(float* o, __half a, __half b, int turns) {
  __half2 v = __halves2half2(__int2half_rn(threadIdx.x * 2 % 32), __int2half_rn((threadIdx.x * 2 + 1) % 32));
  __half2 a2 = __half2half2(a), b2 = __half2half2(b);
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int k = 0; k < 16; k++) v = __hfma2(v, a2, b2);
  }
  ((float2*)o)[thread_id()] = __half22float2(v);
}
CASE(half_scalar) {
  int blocks = sm_count() * 32, threads = blocks * 256;
  float* o = device_floats(threads * 4);
  __half a = __float2half(0.99f), b = __float2half(0.25f);
  measure("half_scalar", o, threads, [&] { half_scalar<<<blocks, 256>>>(o, a, b, 1000); });
  measure("half_scalar_fix", o, threads, [&] { half_scalar_fix<<<blocks / 2, 256>>>(o, a, b, 1000); });
}

// unfused: a multiply and an add, against one fused multiply-add.
template <bool FUSED>
__device__ __forceinline__ float recurrences(int turns) {
  float v[8];
#pragma unroll
  for (int k = 0; k < 8; k++) v[k] = (threadIdx.x & 31) + k;
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int j = 0; j < 4; j++)
#pragma unroll
      for (int k = 0; k < 8; k++)
        v[k] = FUSED ? __fmaf_rn(v[k], 0.999f, 0.5f) : __fadd_rn(__fmul_rn(v[k], 0.999f), 0.5f);
  }
  float s = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) s += v[k];
  return s;
}
extern "C" __global__ void __launch_bounds__(256) unfused(float* o, int turns) {
  o[thread_id()] = recurrences<false>(turns);
}
extern "C" __global__ void __launch_bounds__(256) unfused_fix(float* o, int turns) {
  o[thread_id()] = recurrences<true>(turns);
}
CASE(unfused) {
  int blocks = sm_count() * 16;
  float* o = device_floats(blocks * 256 * 4);
  measure("unfused", o, blocks * 256, [&] { unfused<<<blocks, 256>>>(o, 1000); });
  measure("unfused_fix", o, blocks * 256, [&] { unfused_fix<<<blocks, 256>>>(o, 1000); });
}

// literal: a double literal in float code, against a float literal.
extern "C" __global__ void __launch_bounds__(256) literal(float* o, int turns) {
  float v[4];
#pragma unroll
  for (int k = 0; k < 4; k++) v[k] = (threadIdx.x & 31) + k;
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int k = 0; k < 4; k++) v[k] = v[k] * 0.999 + 0.5;
  }
  o[thread_id()] = v[0] + v[1] + v[2] + v[3];
}
extern "C" __global__ void __launch_bounds__(256) literal_fix(float* o, int turns) {
  float v[4];
#pragma unroll
  for (int k = 0; k < 4; k++) v[k] = (threadIdx.x & 31) + k;
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int k = 0; k < 4; k++) v[k] = v[k] * 0.999f + 0.5f;
  }
  o[thread_id()] = v[0] + v[1] + v[2] + v[3];
}
CASE(literal) {
  int blocks = sm_count() * 8;
  float* o = device_floats(blocks * 256 * 4);
  measure("literal", o, blocks * 256, [&] { literal<<<blocks, 256>>>(o, 1000); });
  measure("literal_fix", o, blocks * 256, [&] { literal_fix<<<blocks, 256>>>(o, 1000); });
}
