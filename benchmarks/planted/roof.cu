// Kernels that run at a roof: nothing here should be called slow.
#include "harness.cuh"

extern "C" __global__ void __launch_bounds__(512) roof_copy(const float4* __restrict__ a, float4* __restrict__ o, ll n) {
  ll total = thread_count();
  for (ll i = thread_id(); i < n; i += 4 * total) {
    float4 v[4];
#pragma unroll
    for (int k = 0; k < 4; k++) v[k] = a[i + k * total];
#pragma unroll
    for (int k = 0; k < 4; k++) o[i + k * total] = v[k];
  }
}
CASE(roof_copy) {
  int blocks = sm_count() * 4;
  ll n = blocks * 512ll * 4 * 48;
  float4 *a = (float4*)device_bytes(n * 16), *o = (float4*)device_bytes(n * 16);
  measure("roof_copy", nullptr, 0, [&] { roof_copy<<<blocks, 512>>>(a, o, n); });
}

extern "C" __global__ void __launch_bounds__(256) roof_triad(const float4* __restrict__ a, const float4* __restrict__ b,
                                                             float4* __restrict__ o, float f) {
  ll i = blockIdx.x * 512ll + threadIdx.x;
  float4 x = a[i], y = a[i + 256], z = b[i], w = b[i + 256];
  o[i] = make_float4(x.x + f * z.x, x.y + f * z.y, x.z + f * z.z, x.w + f * z.w);
  o[i + 256] = make_float4(y.x + f * w.x, y.y + f * w.y, y.z + f * w.z, y.w + f * w.w);
}
CASE(roof_triad) {
  size_t bytes = 512 * MiB;
  float4 *a = (float4*)device_bytes(bytes), *b = (float4*)device_bytes(bytes), *o = (float4*)device_bytes(bytes);
  measure("roof_triad", nullptr, 0, [&] { roof_triad<<<bytes / 16 / 512, 256>>>(a, b, o, 0.5f); });
}

extern "C" __global__ void __launch_bounds__(256) roof_write(float4* __restrict__ o, float v) {
  ll i = blockIdx.x * 1024ll + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; k++) o[i + k * 256] = make_float4(v, v, v, v);
}
CASE(roof_write) {
  size_t bytes = GiB;
  float4* o = (float4*)device_bytes(bytes);
  measure("roof_write", nullptr, 0, [&] { roof_write<<<bytes / 16 / 1024, 256>>>(o, 3.f); });
}

extern "C" __global__ void __launch_bounds__(512) roof_reduce(const float4* __restrict__ a, float* o, ll n) {
  ll total = thread_count();
  float s = 0;
  for (ll i = thread_id(); i < n; i += 8 * total) {
    float4 v[8];
#pragma unroll
    for (int k = 0; k < 8; k++) v[k] = a[i + k * total];
#pragma unroll
    for (int k = 0; k < 8; k++) s += v[k].x + v[k].y + v[k].z + v[k].w;
  }
  for (int k = 16; k; k >>= 1) s += __shfl_xor_sync(~0u, s, k);
  if ((threadIdx.x & 31) == 0) atomicAdd(&o[blockIdx.x], s);
}
CASE(roof_reduce) {
  int blocks = sm_count() * 4;
  ll n = blocks * 512ll * 8 * 32;
  float4* a = (float4*)device_bytes(n * 16);
  float* o = device_floats(blocks * 4);
  measure("roof_reduce", nullptr, 0, [&] { roof_reduce<<<blocks, 512>>>(a, o, n); });
}

extern "C" __global__ void __launch_bounds__(256) roof_l2(const float4* __restrict__ a, float* o, int turns) {
  ll total = thread_count(), i = thread_id();
  float s = 0;
  for (int r = 0; r < turns; r++) {
    float4 v[6];
#pragma unroll
    for (int k = 0; k < 6; k++) v[k] = __ldcg(&a[i + k * total]);
#pragma unroll
    for (int k = 0; k < 6; k++) s += v[k].x + v[k].y + v[k].z + v[k].w;
    i += 4128;
    if (i >= total) i -= total;
  }
  o[thread_id()] = s;
}
CASE(roof_l2) {
  int blocks = sm_count() * 8;
  float4* a = (float4*)device_bytes(blocks * 256ull * 6 * 16);  // 26 MB
  float* o = device_floats(blocks * 256 * 4);
  measure("roof_l2", nullptr, 0, [&] { roof_l2<<<blocks, 256>>>(a, o, 60); });
}

extern "C" __global__ void __launch_bounds__(256) roof_shared(float* o, int turns) {
  __shared__ float2 data[2048];
  for (int i = threadIdx.x; i < 2048; i += 256) data[i] = make_float2(1, 2);
  __syncthreads();
  float s = 0, r = 0;
  for (int i = 0; i < turns; i++) {
    const float2* p = data + (threadIdx.x + i * 3 & 1023);
#pragma unroll
    for (int k = 0; k < 16; k++) {
      float2 v = p[k * 64];
      s += v.x, r += v.y;
    }
  }
  o[thread_id()] = s + r;
}
CASE(roof_shared) {
  int blocks = sm_count() * 8;
  float* o = device_floats(blocks * 256 * 4);
  measure("roof_shared", nullptr, 0, [&] { roof_shared<<<blocks, 256>>>(o, 400); });
}

extern "C" __global__ void __launch_bounds__(512) roof_fma(float* o, int turns) {
  float v[16];
#pragma unroll
  for (int k = 0; k < 16; k++) v[k] = threadIdx.x + k;
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int j = 0; j < 8; j++)
#pragma unroll
      for (int k = 0; k < 16; k++) v[k] = v[k] * 0.999f + 0.5f;
  }
  float s = 0;
#pragma unroll
  for (int k = 0; k < 16; k++) s += v[k];
  o[thread_id()] = s;
}
CASE(roof_fma) {
  int blocks = sm_count() * 4 * 4;
  float* o = device_floats(blocks * 512 * 4);
  measure("roof_fma", nullptr, 0, [&] { roof_fma<<<blocks, 512>>>(o, 60); });
}

extern "C" __global__ void __launch_bounds__(256) roof_fp64(double* o, int turns) {
  double v[8];
#pragma unroll
  for (int k = 0; k < 8; k++) v[k] = threadIdx.x + k;
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int k = 0; k < 8; k++) v[k] = v[k] * 0.999 + 0.5;
  }
  double s = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) s += v[k];
  o[thread_id()] = s;
}
CASE(roof_fp64) {
  int blocks = sm_count() * 8 * 2;
  double* o = (double*)device_bytes(blocks * 256 * 8);
  measure("roof_fp64", nullptr, 0, [&] { roof_fp64<<<blocks, 256>>>(o, 800); });
}

extern "C" __global__ void __launch_bounds__(256) roof_hash(unsigned* o, int turns) {
  unsigned x[4];
#pragma unroll
  for (int k = 0; k < 4; k++) x[k] = thread_id() * 4 + k + 1;
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int k = 0; k < 4; k++) {
      x[k] ^= x[k] << 13;
      x[k] ^= x[k] >> 17;
      x[k] ^= x[k] << 5;
    }
  }
  o[thread_id()] = x[0] ^ x[1] ^ x[2] ^ x[3];
}
CASE(roof_hash) {
  int blocks = sm_count() * 8 * 2;
  unsigned* o = (unsigned*)device_bytes(blocks * 256 * 4);
  measure("roof_hash", nullptr, 0, [&] { roof_hash<<<blocks, 256>>>(o, 1000); });
}

extern "C" __global__ void __launch_bounds__(256) roof_stencil(const float* __restrict__ a, float* __restrict__ o, int n) {
  int x = (blockIdx.x * 64 + (threadIdx.x & 63)) * 4, y = blockIdx.y * 4 + threadIdx.x / 64;
  if (x < 4 || y < 1 || x >= n - 4 || y >= n - 1) return;
  const float* p = a + (ll)y * n + x;
  float4 c = *(const float4*)p, u = *(const float4*)(p - n), d = *(const float4*)(p + n);
  float l = p[-1], r = p[4];
  float4 s = make_float4(u.x + d.x + l + c.y, u.y + d.y + c.x + c.z, u.z + d.z + c.y + c.w, u.w + d.w + c.z + r);
  *(float4*)(o + (ll)y * n + x) = make_float4(s.x - 4 * c.x, s.y - 4 * c.y, s.z - 4 * c.z, s.w - 4 * c.w);
}
CASE(roof_stencil) {
  int n = 16384;
  float *a = device_floats((size_t)n * n * 4), *o = device_floats((size_t)n * n * 4);
  measure("roof_stencil", nullptr, 0, [&] { roof_stencil<<<dim3(n / 256, n / 4), 256>>>(a, o, n); });
}

// Rows of 1 KiB picked at random: two 16-byte loads a lane.
extern "C" __global__ void __launch_bounds__(256) roof_rows(const float4* __restrict__ table, const int* __restrict__ at,
                                                            float4* __restrict__ o) {
  ll warp = thread_id() / 32, lane = threadIdx.x & 31, row = at[warp];
  float4 v = table[row * 64 + lane], w = table[row * 64 + lane + 32];
  o[warp * 64 + lane] = v;
  o[warp * 64 + lane + 32] = w;
}
__global__ void fill_rows_at(int* at, ll n, ll rows) {
  for (ll i = thread_id(); i < n; i += thread_count()) at[i] = (int)((i * 1640531527ll) % rows);
}
CASE(roof_rows) {
  ll rows = 1 << 20, picks = 512 << 10;
  float4 *table = (float4*)device_bytes(rows * 1024), *o = (float4*)device_bytes(picks * 1024);
  int* at = (int*)device_bytes(picks * 4);
  fill_rows_at<<<1024, 256>>>(at, picks, rows);
  CHECK(cudaDeviceSynchronize());
  measure("roof_rows", nullptr, 0, [&] { roof_rows<<<picks / 8, 256>>>(table, at, o); });
}

// A copy whose reads start one float past a 128-byte line: five sectors a request in place of four, same DRAM bytes.
extern "C" __global__ void __launch_bounds__(256) roof_offset(const float* __restrict__ a, float* __restrict__ o, int shift) {
  ll i = blockIdx.x * 2048ll + threadIdx.x;
  float v[8];
#pragma unroll
  for (int k = 0; k < 8; k++) v[k] = a[i + k * 256 + shift];
#pragma unroll
  for (int k = 0; k < 8; k++) o[i + k * 256] = v[k];
}
extern "C" __global__ void __launch_bounds__(256) roof_offset_aligned(const float* __restrict__ a, float* __restrict__ o,
                                                                      int shift) {
  ll i = blockIdx.x * 2048ll + threadIdx.x;
  float v[8];
#pragma unroll
  for (int k = 0; k < 8; k++) v[k] = a[i + k * 256 + shift];
#pragma unroll
  for (int k = 0; k < 8; k++) o[i + k * 256] = v[k];
}
CASE(roof_offset) {
  size_t n = 128 * MiB;
  float *a = device_floats(n * 4 + 4096), *o = device_floats(n * 4);
  measure("roof_offset", nullptr, 0, [&] { roof_offset<<<n / 2048, 256>>>(a, o, 1); });
  measure("roof_offset_aligned", nullptr, 0, [&] { roof_offset_aligned<<<n / 2048, 256>>>(a, o, 0); });
}
