// Streaming kernels: how they touch global memory. The last four are meant to be at a roof.
#include "harness.cuh"

// ---- transpose ------------------------------------------------------------------------------------------------
constexpr int TN = 8192;
__global__ void transpose_naive(const float* __restrict__ in, float* __restrict__ out, int n) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(size_t)x * n + y + j] = in[(size_t)(y + j) * n + x];
}
template <int PAD>
__device__ __forceinline__ void transpose_tile(const float* __restrict__ in, float* __restrict__ out, int n) {
  __shared__ float tile[32][32 + PAD];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8) out[(size_t)(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
__global__ void transpose_unpadded(const float* __restrict__ in, float* __restrict__ out, int n) {
  transpose_tile<0>(in, out, n);
}
__global__ void transpose_padded(const float* __restrict__ in, float* __restrict__ out, int n) {
  transpose_tile<1>(in, out, n);
}
CASE(transpose) {
  size_t count = (size_t)TN * TN;
  float *in = device_floats(count * 4), *out = device_floats(count * 4);
  dim3 grid(TN / 32, TN / 32), block(32, 8);
  measure("transpose_naive", out, count, [=] { transpose_naive<<<grid, block>>>(in, out, TN); });
  measure("transpose_unpadded", out, count, [=] { transpose_unpadded<<<grid, block>>>(in, out, TN); });
  measure("transpose_padded", out, count, [=] { transpose_padded<<<grid, block>>>(in, out, TN); });
}

// ---- particle update: array of structs against struct of arrays -------------------------------------------------
struct Particle {
  float x, y, z, vx, vy, vz, mass, charge, fx, fy, fz, age;
};
__global__ void particles_aos(const Particle* in, Particle* out, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = dt / in[i].mass;
  float vx = in[i].vx + in[i].fx * s, vy = in[i].vy + in[i].fy * s, vz = in[i].vz + in[i].fz * s;
  out[i].vx = vx;
  out[i].vy = vy;
  out[i].vz = vz;
  out[i].x = in[i].x + vx * dt;
  out[i].y = in[i].y + vy * dt;
  out[i].z = in[i].z + vz * dt;
}
__global__ void particles_soa(const float* __restrict__ in, float* __restrict__ out, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  size_t m = n;
  float s = dt / in[6 * m + i];
#pragma unroll
  for (int k = 0; k < 3; k++) {
    float v = in[(3 + k) * m + i] + in[(8 + k) * m + i] * s;
    out[(3 + k) * m + i] = v;
    out[k * m + i] = in[k * m + i] + v * dt;
  }
}
__global__ void split_fields(const float* in, float* out, int n, int fields, int taken) {
  for (ll i = thread_id(); i < (ll)n * taken; i += thread_count()) out[(i % taken) * n + i / taken] = in[i / taken * fields + i % taken];
}
CASE(particles) {
  int n = 6 << 20;
  float *aos = device_floats((size_t)n * 48), *soa = device_floats((size_t)n * 48), *out = device_floats((size_t)n * 48);
  split_fields<<<2048, 256>>>(aos, soa, n, 12, 12);
  CHECK(cudaDeviceSynchronize());
  measure("particles_aos", out, (size_t)n * 12, [=] { particles_aos<<<n / 256, 256>>>((Particle*)aos, (Particle*)out, n, 0.01f); });
  measure("particles_soa", out, (size_t)n * 12, [=] { particles_soa<<<n / 256, 256>>>(soa, out, n, 0.01f); });
}

// ---- a float2 out of a 64-byte record ----------------------------------------------------------------------------
struct Record {
  float2 position;
  float rest[14];
};
__global__ void radius_of_records(const Record* __restrict__ in, float* __restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 p = in[i].position;
  out[i] = sqrtf(p.x * p.x + p.y * p.y);
}
__global__ void radius_of_points(const float2* __restrict__ in, float* __restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 p = in[i];
  out[i] = sqrtf(p.x * p.x + p.y * p.y);
}
__global__ void pack_points(const Record* in, float2* out, int n) {
  for (ll i = thread_id(); i < n; i += thread_count()) out[i] = in[i].position;
}
CASE(radius) {
  int n = 24 << 20;
  Record* in = (Record*)device_bytes((size_t)n * 64);
  float2* packed = (float2*)device_bytes((size_t)n * 8);
  float* out = device_floats((size_t)n * 4);
  pack_points<<<2048, 256>>>(in, packed, n);
  CHECK(cudaDeviceSynchronize());
  measure("radius_of_records", out, n, [=] { radius_of_records<<<n / 256, 256>>>(in, out, n); });
  measure("radius_of_points", out, n, [=] { radius_of_points<<<n / 256, 256>>>(packed, out, n); });
}

// ---- an 8-bit image ------------------------------------------------------------------------------------------------
__device__ __forceinline__ unsigned dim_pixel(unsigned v) { return min((v * 180u) >> 8, 60u); }
__global__ void dim_bytes(const unsigned char* __restrict__ in, unsigned char* __restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = dim_pixel(in[i]);
}
__global__ void dim_sixteen(const uint4* __restrict__ in, uint4* __restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint4 v = in[i];
  unsigned w[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
  for (int k = 0; k < 4; k++) {
    unsigned r = 0;
#pragma unroll
    for (int b = 0; b < 32; b += 8) r |= dim_pixel((w[k] >> b) & 255u) << b;
    w[k] = r;
  }
  out[i] = make_uint4(w[0], w[1], w[2], w[3]);
}
CASE(dim_image) {
  int n = 512 << 20;
  unsigned char *in = (unsigned char*)device_bytes(n), *out = (unsigned char*)device_bytes(n);
  measure("dim_bytes", (float*)out, n / 4, [=] { dim_bytes<<<n / 256, 256>>>(in, out, n); });
  measure("dim_sixteen", (float*)out, n / 4, [=] { dim_sixteen<<<n / 16 / 256, 256>>>((uint4*)in, (uint4*)out, n / 16); });
}

// ---- gather: shuffled indices against sorted ones --------------------------------------------------------------------
constexpr unsigned GN = 1u << 26;
__global__ void make_index(int* random, int* sorted) {
  for (ll i = thread_id(); i < GN; i += thread_count()) {
    unsigned x = (unsigned)i;
    x = (x * 2654435761u) & (GN - 1);
    x ^= x >> 13;
    x = (x * 2246822519u) & (GN - 1);
    x ^= x >> 11;
    random[i] = x & ~1u;
    sorted[i] = (unsigned)i & ~1u;
  }
}
__device__ __forceinline__ void gather(const float* table, const int* index, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[index[i]] * 0.5f;
}
__global__ void gather_shuffled(const float* __restrict__ table, const int* __restrict__ index, float* __restrict__ out, int n) {
  gather(table, index, out, n);
}
__global__ void gather_sorted(const float* __restrict__ table, const int* __restrict__ index, float* __restrict__ out, int n) {
  gather(table, index, out, n);
}
CASE(gather) {
  float *table = device_floats((size_t)GN * 4), *out = device_floats((size_t)GN * 4);
  int *random = (int*)device_bytes((size_t)GN * 4), *sorted = (int*)device_bytes((size_t)GN * 4);
  make_index<<<2048, 256>>>(random, sorted);
  CHECK(cudaDeviceSynchronize());
  measure("gather_shuffled", out, GN, [=] { gather_shuffled<<<GN / 256, 256>>>(table, random, out, GN); });
  measure("gather_sorted", out, GN, [=] { gather_sorted<<<GN / 256, 256>>>(table, sorted, out, GN); });
}

// ---- input left in pinned host memory ------------------------------------------------------------------------------
__device__ __forceinline__ void normalize(const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = (in[i] - 0.75f) * 6.9282f;
}
__global__ void normalize_pinned(const float* __restrict__ in, float* __restrict__ out, int n) { normalize(in, out, n); }
__global__ void normalize_device(const float* __restrict__ in, float* __restrict__ out, int n) { normalize(in, out, n); }
CASE(normalize) {
  size_t bytes = 128 * MiB;
  int n = bytes / 4;
  float *host = (float*)host_bytes(bytes), *in = device_floats(bytes), *out = device_floats(bytes);
  measure("normalize_pinned", out, n, [=] { normalize_pinned<<<1056, 256>>>(host, out, n); });
  measure("normalize_device", out, n, [=] { normalize_device<<<1056, 256>>>(in, out, n); });
}

// ---- every block compares its query with the whole database -----------------------------------------------------------
__device__ __forceinline__ void scan_database(const float4* __restrict__ db, float* out, int n, int start) {
  float q = 0.5f + 0.5f * blockIdx.x / gridDim.x, sum = 0;
  int at = start + threadIdx.x;
#pragma unroll 4
  for (int i = threadIdx.x; i < n; i += blockDim.x, at += blockDim.x) {
    if (at >= n) at -= n;
    float4 v = __ldcg(db + at);
    sum += (fabsf(v.x - q) + fabsf(v.y - q)) + (fabsf(v.z - q) + fabsf(v.w - q));
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void __launch_bounds__(1024) distances_rotated(const float4* __restrict__ db, float* out, int n) {
  scan_database(db, out, n, (int)((ll)n * blockIdx.x / gridDim.x));
}
__global__ void __launch_bounds__(1024) distances_together(const float4* __restrict__ db, float* out, int n) {
  scan_database(db, out, n, 0);
}
CASE(distances) {
  size_t bytes = 128 * MiB;
  float4* db = (float4*)device_bytes(bytes);
  int n = bytes / 16, blocks = 2 * sm_count();
  float* out = device_floats((size_t)blocks * 1024 * 4);
  measure("distances_rotated", out, (size_t)blocks * 1024, [=] { distances_rotated<<<blocks, 1024>>>(db, out, n); });
  measure("distances_together", out, (size_t)blocks * 1024, [=] { distances_together<<<blocks, 1024>>>(db, out, n); });
}

// ---- at a roof -----------------------------------------------------------------------------------------------------------
__global__ void roof_triad(const float4* __restrict__ a, const float4* __restrict__ b, float4* __restrict__ c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 x = a[i], y = b[i];
  c[i] = make_float4(x.x + 3 * y.x, x.y + 3 * y.y, x.z + 3 * y.z, x.w + 3 * y.w);
}
CASE(triad) {
  size_t bytes = 512 * MiB;
  float4 *a = (float4*)device_bytes(bytes), *b = (float4*)device_bytes(bytes), *c = (float4*)device_bytes(bytes);
  int n = bytes / 16;
  measure("roof_triad", (float*)c, bytes / 4, [=] { roof_triad<<<n / 512, 512>>>(a, b, c, n); });
}
__global__ void roof_sum(const float4* __restrict__ in, float* __restrict__ out, int n) {
  float s = 0;
  int step = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (; i + 3 * step < n; i += 4 * step) {
    float4 v[4];
#pragma unroll
    for (int k = 0; k < 4; k++) v[k] = in[i + k * step];
#pragma unroll
    for (int k = 0; k < 4; k++) s += (v[k].x + v[k].y) + (v[k].z + v[k].w);
  }
  for (; i < n; i += step) s += (in[i].x + in[i].y) + (in[i].z + in[i].w);
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
CASE(sum) {
  size_t bytes = 2 * GiB;
  float4* in = (float4*)device_bytes(bytes);
  int threads = sm_count() * 8 * 256;
  float* out = device_floats((size_t)threads * 4);
  measure("roof_sum", out, threads, [=] { roof_sum<<<threads / 256, 256>>>(in, out, bytes / 16); });
}
// A table that fits in L2, read by every block past the L1.
__global__ void __launch_bounds__(512) roof_l2(const float4* __restrict__ in, float* __restrict__ out, int n, int turns) {
  float s = 0;
  for (int t = 0; t < turns; t++) {
    int at = (blockIdx.x * 7919 + t * 1024) % (n / 512) * 512 + threadIdx.x;
#pragma unroll 8
    for (int k = 0; k < 64; k++) {
      float4 v = __ldcg(in + at);
      s += (v.x + v.y) + (v.z + v.w);
      at += 512;
      if (at >= n) at -= n;
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
CASE(l2_table) {
  size_t bytes = 16 * MiB;
  float4* in = (float4*)device_bytes(bytes);
  int blocks = 4 * sm_count();
  float* out = device_floats((size_t)blocks * 512 * 4);
  measure("roof_l2", out, (size_t)blocks * 512, [=] { roof_l2<<<blocks, 512>>>(in, out, bytes / 16, 32); });
}
