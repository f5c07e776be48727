// Kernels that waste memory traffic or leave the memory idle, each with a fix that returns the same sums.
#include <cuda_pipeline.h>
#include <cstdint>
#include "harness.cuh"

// bytes: one byte per thread against 16.
extern "C" __global__ void bytes(const unsigned char* __restrict__ a, unsigned char* __restrict__ o) {
  ll i = thread_id();
  o[i] = a[i] & 0x3f;
}
extern "C" __global__ void bytes_fix(const uint4* __restrict__ a, uint4* __restrict__ o) {
  ll i = thread_id();
  uint4 v = a[i];
  v.x &= 0x3f3f3f3f, v.y &= 0x3f3f3f3f, v.z &= 0x3f3f3f3f, v.w &= 0x3f3f3f3f;
  o[i] = v;
}
CASE(bytes) {
  size_t n = 256 * MiB;
  void *a = device_bytes(n), *o = device_bytes(n);
  measure("bytes", (float*)o, n / 4, [&] { bytes<<<n / 256, 256>>>((unsigned char*)a, (unsigned char*)o); });
  measure("bytes_fix", (float*)o, n / 4, [&] { bytes_fix<<<n / 4096, 256>>>((uint4*)a, (uint4*)o); });
}

// stride_two: every second float is used, against the used floats packed.
extern "C" __global__ void stride_two(const float2* __restrict__ a, float* __restrict__ o, int per) {
  ll total = thread_count(), t = thread_id();
  float s = 0;
#pragma unroll 8
  for (int j = 0; j < per; j++) s += a[j * total + t].x;
  o[t] = s;
}
extern "C" __global__ void stride_two_fix(const float* __restrict__ a, float* __restrict__ o, int per) {
  ll total = thread_count(), t = thread_id();
  float s = 0;
#pragma unroll 8
  for (int j = 0; j < per; j++) s += a[j * total + t];
  o[t] = s;
}
template <class T>
__global__ void pack_first(const T* a, float* o, ll n) {
  for (ll i = thread_id(); i < n; i += thread_count()) o[i] = a[i].x;
}
CASE(stride_two) {
  size_t threads = 1 << 20, n = 128 * MiB;
  float *a = device_floats(n * 8), *packed = device_floats(n * 4), *o = device_floats(threads * 4);
  pack_first<<<2048, 256>>>((float2*)a, packed, (ll)n);
  CHECK(cudaDeviceSynchronize());
  int per = n / threads;
  measure("stride_two", o, threads, [&] { stride_two<<<threads / 256, 256>>>((float2*)a, o, per); });
  measure("stride_two_fix", o, threads, [&] { stride_two_fix<<<threads / 256, 256>>>(packed, o, per); });
}

// struct_field: one field of a 16-byte struct, against that field in its own array.
extern "C" __global__ void struct_field(const float4* __restrict__ a, float* __restrict__ o, int per) {
  ll total = thread_count(), t = thread_id();
  float s = 0;
#pragma unroll 8
  for (int j = 0; j < per; j++) s += a[j * total + t].x;
  o[t] = s;
}
extern "C" __global__ void struct_field_fix(const float* __restrict__ a, float* __restrict__ o, int per) {
  ll total = thread_count(), t = thread_id();
  float s = 0;
#pragma unroll 8
  for (int j = 0; j < per; j++) s += a[j * total + t];
  o[t] = s;
}
CASE(struct_field) {
  size_t threads = 1 << 20, n = 64 * MiB;
  float *a = device_floats(n * 16), *packed = device_floats(n * 4), *o = device_floats(threads * 4);
  pack_first<<<2048, 256>>>((float4*)a, packed, (ll)n);
  CHECK(cudaDeviceSynchronize());
  int per = n / threads;
  measure("struct_field", o, threads, [&] { struct_field<<<threads / 256, 256>>>((float4*)a, o, per); });
  measure("struct_field_fix", o, threads, [&] { struct_field_fix<<<threads / 256, 256>>>(packed, o, per); });
}

// struct_whole: all sixteen floats of a 64-byte struct by scalar loads, against one array a field.
struct Particle {
  float f[16];
};
extern "C" __global__ void struct_whole(const Particle* __restrict__ a, float* __restrict__ o) {
  ll t = thread_id();
  float s = 0;
#pragma unroll
  for (int k = 0; k < 16; k++) s += a[t].f[k] * (k + 1);
  o[t] = s;
}
extern "C" __global__ void struct_whole_fix(const float* __restrict__ a, float* __restrict__ o) {
  ll t = thread_id(), n = thread_count();
  float s = 0;
#pragma unroll
  for (int k = 0; k < 16; k++) s += a[k * n + t] * (k + 1);
  o[t] = s;
}
__global__ void to_arrays(const Particle* a, float* o, ll n) {
  for (ll i = thread_id(); i < n; i += thread_count())
    for (int k = 0; k < 16; k++) o[k * n + i] = a[i].f[k];
}
CASE(struct_whole) {
  size_t n = 16 * MiB;
  float *a = device_floats(n * 64), *arrays = device_floats(n * 64), *o = device_floats(n * 4);
  to_arrays<<<2048, 256>>>((Particle*)a, arrays, (ll)n);
  CHECK(cudaDeviceSynchronize());
  measure("struct_whole", o, n, [&] { struct_whole<<<n / 256, 256>>>((Particle*)a, o); });
  measure("struct_whole_fix", o, n, [&] { struct_whole_fix<<<n / 256, 256>>>(arrays, o); });
}

// gather: 4-byte reads at random places of a table that fits the L2, against the same reads in order.
extern "C" __global__ void gather(const float* __restrict__ table, const int* __restrict__ at, float* __restrict__ o,
                                  int per) {
  ll total = thread_count(), t = thread_id();
  float s = 0;
#pragma unroll 8
  for (int j = 0; j < per; j++) s += table[at[j * total + t]];
  o[t] = s;
}
extern "C" __global__ void gather_fix(const float* __restrict__ table, const int* __restrict__ at,
                                      float* __restrict__ o, int per) {
  ll total = thread_count(), t = thread_id();
  float s = 0;
#pragma unroll 8
  for (int j = 0; j < per; j++) s += table[at[j * total + t]];
  o[t] = s;
}
__global__ void fill_index(int* at, ll n, ll table, ll mul) {
  for (ll i = thread_id(); i < n; i += thread_count()) at[i] = (int)((i * mul + (i / table) * 7) % table);
}
CASE(gather) {
  size_t threads = 1 << 20, table = 6 * MiB, n = 64 * MiB;
  float *a = device_floats(table * 4), *o = device_floats(threads * 4);
  int *random = (int*)device_bytes(n * 4), *ordered = (int*)device_bytes(n * 4);
  fill_index<<<2048, 256>>>(random, n, table, 1640531527);
  fill_index<<<2048, 256>>>(ordered, n, table, 1);
  CHECK(cudaDeviceSynchronize());
  int per = n / threads;
  measure("gather", o, threads, [&] { gather<<<threads / 256, 256>>>(a, random, o, per); });
  measure("gather_fix", o, threads, [&] { gather_fix<<<threads / 256, 256>>>(a, ordered, o, per); });
}

// staged: a tile through registers with nothing else in flight, against cp.async eight tiles deep.
__device__ __forceinline__ float use_tile(const float4* tile) {
  float4 v = tile[(threadIdx.x + 37) & 255];
  return v.x + v.y + v.z + v.w;
}
extern "C" __global__ void __launch_bounds__(256) staged(const float4* __restrict__ a, float* __restrict__ o,
                                                         int tiles) {
  __shared__ float4 tile[256];
  float s = 0;
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    tile[threadIdx.x] = a[t * 256ll + threadIdx.x];
    __syncthreads();
    s += use_tile(tile);
    __syncthreads();
  }
  o[thread_id()] = s;
}
extern "C" __global__ void __launch_bounds__(256) staged_fix(const float4* __restrict__ a, float* __restrict__ o,
                                                             int tiles) {
  constexpr int DEPTH = 8;
  __shared__ float4 tile[DEPTH][256];
  float s = 0;
  auto fetch = [&](int t, int slot) {
    if (t < tiles) __pipeline_memcpy_async(&tile[slot][threadIdx.x], &a[t * 256ll + threadIdx.x], 16);
    __pipeline_commit();
  };
  for (int d = 0; d < DEPTH - 1; d++) fetch(blockIdx.x + d * gridDim.x, d);
  int slot = 0;
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    __pipeline_wait_prior(DEPTH - 2);
    __syncthreads();
    s += use_tile(tile[slot]);
    fetch(t + (DEPTH - 1) * gridDim.x, (slot + DEPTH - 1) % DEPTH);
    slot = (slot + 1) % DEPTH;
  }
  o[thread_id()] = s;
}
CASE(staged) {
  int blocks = sm_count() * 2, tiles = blocks * 512;
  float *a = device_floats((size_t)tiles * 4096), *o = device_floats(blocks * 256 * 4);
  measure("staged", o, blocks * 256, [&] { staged<<<blocks, 256>>>((float4*)a, o, tiles); });
  measure("staged_fix", o, blocks * 256, [&] { staged_fix<<<blocks, 256>>>((float4*)a, o, tiles); });
}

// bulk: the bulk copy engine with one tile in flight, against six.
__device__ __forceinline__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void await(uint64_t* barrier, unsigned parity) {
  unsigned done = 0;
  while (!done)
    asm volatile(
        "{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
        : "=r"(done)
        : "r"(shared_address(barrier)), "r"(parity)
        : "memory");
}
__device__ __forceinline__ void fetch_bulk(void* to, const void* from, unsigned bytes, uint64_t* barrier) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   shared_address(to)),
               "l"(from), "r"(bytes), "r"(shared_address(barrier))
               : "memory");
}
constexpr int BULK = 1024;  // float4 a tile: 16 KiB
template <int DEPTH>
__device__ __forceinline__ void bulk_sum(const float4* a, float* o, int tiles) {
  extern __shared__ __align__(128) float4 ring[];
  __shared__ uint64_t full[DEPTH];
  if (threadIdx.x == 0) {
    for (int d = 0; d < DEPTH; d++)
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&full[d])) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    for (int d = 0; d < DEPTH; d++) {
      ll t = blockIdx.x + d * (ll)gridDim.x;
      if (t < tiles) fetch_bulk(ring + d * BULK, a + t * BULK, BULK * 16, &full[d]);
    }
  }
  __syncthreads();
  float s = 0;
  int slot = 0;
  unsigned parity = 0;
  for (ll t = blockIdx.x; t < tiles; t += gridDim.x) {
    await(&full[slot], parity);
#pragma unroll
    for (int k = 0; k < BULK / 256; k++) {
      float4 v = ring[slot * BULK + k * 256 + threadIdx.x];
      s += v.x + v.y + v.z + v.w;
    }
    __syncthreads();
    ll next = t + DEPTH * (ll)gridDim.x;
    if (threadIdx.x == 0 && next < tiles) fetch_bulk(ring + slot * BULK, a + next * BULK, BULK * 16, &full[slot]);
    if (++slot == DEPTH) slot = 0, parity ^= 1;
  }
  o[thread_id()] = s;
}
extern "C" __global__ void __launch_bounds__(256) bulk(const float4* __restrict__ a, float* __restrict__ o,
                                                       int tiles) {
  bulk_sum<1>(a, o, tiles);
}
extern "C" __global__ void __launch_bounds__(256) bulk_fix(const float4* __restrict__ a, float* __restrict__ o,
                                                           int tiles) {
  bulk_sum<6>(a, o, tiles);
}
CASE(bulk) {
  int blocks = sm_count(), tiles = blocks * 400;
  float *a = device_floats((size_t)tiles * BULK * 16), *o = device_floats(blocks * 256 * 4);
  allow_shared(bulk, BULK * 16 * 6);
  allow_shared(bulk_fix, BULK * 16 * 6);
  measure("bulk", o, blocks * 256, [&] { bulk<<<blocks, 256, BULK * 16>>>((float4*)a, o, tiles); });
  measure("bulk_fix", o, blocks * 256, [&] { bulk_fix<<<blocks, 256, BULK * 16 * 6>>>((float4*)a, o, tiles); });
}

// host_table: a table left in pinned host memory, against the same table on the device.
extern "C" __global__ void host_table(const float4* __restrict__ table, float* __restrict__ o, int per) {
  ll total = thread_count(), t = thread_id();
  float s = 0;
  for (int j = 0; j < per; j++) {
    float4 v = table[j * total + t];
    s += v.x * v.y + v.z * v.w;
  }
  o[t] = s;
}
extern "C" __global__ void host_table_fix(const float4* __restrict__ table, float* __restrict__ o, int per) {
  ll total = thread_count(), t = thread_id();
  float s = 0;
  for (int j = 0; j < per; j++) {
    float4 v = table[j * total + t];
    s += v.x * v.y + v.z * v.w;
  }
  o[t] = s;
}
CASE(host_table) {
  size_t threads = 1 << 18, bytes = 64 * MiB;
  void *host = host_bytes(bytes), *device = device_bytes(bytes);
  float* o = device_floats(threads * 4);
  int per = bytes / 16 / threads;
  measure("host_table", o, threads, [&] { host_table<<<threads / 256, 256>>>((float4*)host, o, per); });
  measure("host_table_fix", o, threads, [&] { host_table_fix<<<threads / 256, 256>>>((float4*)device, o, per); });
}

// one_load: a full machine with one 4-byte load in flight a thread, against eight.
extern "C" __global__ void __launch_bounds__(256) one_load(const float* __restrict__ a, float* __restrict__ o,
                                                           int per) {
  ll total = thread_count(), t = thread_id();
  float s = 0;
#pragma unroll 1
  for (int j = 0; j < per; j++) {
    s += a[j * total + t];
    asm volatile("" : "+f"(s));
  }
  o[t] = s;
}
extern "C" __global__ void __launch_bounds__(256) one_load_fix(const float* __restrict__ a, float* __restrict__ o,
                                                               int per) {
  ll total = thread_count(), t = thread_id();
  float s = 0;
  for (int j = 0; j < per; j += 8) {
    float v[8];
#pragma unroll
    for (int k = 0; k < 8; k++) v[k] = a[(j + k) * total + t];
#pragma unroll
    for (int k = 0; k < 8; k++) s += v[k];
  }
  o[t] = s;
}
CASE(one_load) {
  int blocks = sm_count() * 8, per = 1024, threads = blocks * 256;
  float *a = device_floats((size_t)threads * per * 4), *o = device_floats(threads * 4);
  measure("one_load", o, threads, [&] { one_load<<<blocks, 256>>>(a, o, per); });
  measure("one_load_fix", o, threads, [&] { one_load_fix<<<blocks, 256>>>(a, o, per); });
}

// local_bins: bins in a thread-private array with a run-time index (local memory), against bins in shared memory.
extern "C" __global__ void __launch_bounds__(256) local_bins(const float* __restrict__ a, float* __restrict__ o,
                                                             int per) {
  ll total = thread_count(), t = thread_id();
  float bins[16];
#pragma unroll
  for (int k = 0; k < 16; k++) bins[k] = 0;
#pragma unroll 4
  for (int j = 0; j < per; j++) {
    float v = a[j * total + t];
    bins[(__float_as_uint(v) >> 9) & 15] += v;
  }
  float s = 0;
#pragma unroll
  for (int k = 0; k < 16; k++) s += bins[k] * (k + 1);
  o[t] = s;
}
extern "C" __global__ void __launch_bounds__(256) local_bins_fix(const float* __restrict__ a, float* __restrict__ o,
                                                                 int per) {
  __shared__ float bins[16][256];
  ll total = thread_count(), t = thread_id();
#pragma unroll
  for (int k = 0; k < 16; k++) bins[k][threadIdx.x] = 0;
#pragma unroll 4
  for (int j = 0; j < per; j++) {
    float v = a[j * total + t];
    bins[(__float_as_uint(v) >> 9) & 15][threadIdx.x] += v;
  }
  float s = 0;
#pragma unroll
  for (int k = 0; k < 16; k++) s += bins[k][threadIdx.x] * (k + 1);
  o[t] = s;
}
CASE(local_bins) {
  int blocks = sm_count() * 8, per = 256, threads = blocks * 256;
  float *a = device_floats((size_t)threads * per * 4), *o = device_floats(threads * 4);
  measure("local_bins", o, threads, [&] { local_bins<<<blocks, 256>>>(a, o, per); });
  measure("local_bins_fix", o, threads, [&] { local_bins_fix<<<blocks, 256>>>(a, o, per); });
}

// spill: a register cap that is too tight for the state, against one that fits.
template <int R>
__device__ __forceinline__ void recur(const float* a, float* o, int turns) {
  ll t = thread_id();
  float r[R];
#pragma unroll
  for (int k = 0; k < R; k++) r[k] = a[(t + k * 977) & 0xfffff];
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int k = 0; k < R; k++) r[k] = r[k] * 0.5f + r[(k + 11) % R] * 0.25f;
  }
  float s = 0;
#pragma unroll
  for (int k = 0; k < R; k++) s += r[k];
  o[t] = s;
}
extern "C" __global__ void __launch_bounds__(256, 6) spill(const float* __restrict__ a, float* __restrict__ o,
                                                           int turns) {
  recur<56>(a, o, turns);
}
extern "C" __global__ void __launch_bounds__(256, 2) spill_fix(const float* __restrict__ a, float* __restrict__ o,
                                                               int turns) {
  recur<56>(a, o, turns);
}
CASE(spill) {
  int blocks = sm_count() * 12;
  float *a = device_floats(4 * MiB), *o = device_floats(blocks * 256 * 4);
  measure("spill", o, blocks * 256, [&] { spill<<<blocks, 256>>>(a, o, 400); });
  measure("spill_fix", o, blocks * 256, [&] { spill_fix<<<blocks, 256>>>(a, o, 400); });
}

// taps: a 33-tap filter that loads each input for each tap, against eight outputs a thread from registers.
constexpr int TAPS = 33, OUTPUTS = 8;
struct Weights {
  float w[TAPS];
};
extern "C" __global__ void taps(const float* __restrict__ a, float* __restrict__ o, Weights weights) {
  ll t = thread_id();
  float s = 0;
#pragma unroll
  for (int k = 0; k < TAPS; k++) s += a[t + k] * weights.w[k];
  o[t] = s;
}
__device__ __forceinline__ constexpr int padded(int i) { return i + (i >> 3); }
extern "C" __global__ void __launch_bounds__(256) taps_fix(const float* __restrict__ a, float* __restrict__ o,
                                                           Weights weights) {
  __shared__ float in[padded(256 * OUTPUTS + TAPS + 7) + 1];
  ll first = blockIdx.x * 256ll * OUTPUTS;
  for (int i = threadIdx.x; i < 256 * OUTPUTS + TAPS - 1; i += 256) in[padded(i)] = a[first + i];
  __syncthreads();
  const float* mine = in + threadIdx.x * (OUTPUTS + 1);  // one word of padding each 8: lanes fall in 32 banks
  float window[OUTPUTS + TAPS - 1], s[OUTPUTS] = {};
#pragma unroll
  for (int k = 0; k < OUTPUTS + TAPS - 1; k++) window[k] = mine[padded(k)];
#pragma unroll
  for (int j = 0; j < OUTPUTS; j++) {
#pragma unroll
    for (int k = 0; k < TAPS; k++) s[j] += window[j + k] * weights.w[k];
  }
  float4* out = (float4*)(o + first + threadIdx.x * OUTPUTS);
  out[0] = make_float4(s[0], s[1], s[2], s[3]);
  out[1] = make_float4(s[4], s[5], s[6], s[7]);
}
CASE(taps) {
  size_t n = 32 * MiB;
  float *a = device_floats(n * 4 + 4096), *o = device_floats(n * 4);
  Weights weights;
  for (int k = 0; k < TAPS; k++) weights.w[k] = 1.f / (k + 1);
  measure("taps", o, n, [&] { taps<<<n / 256, 256>>>(a, o, weights); });
  measure("taps_fix", o, n, [&] { taps_fix<<<n / (256 * OUTPUTS), 256>>>(a, o, weights); });
}
