// Contended atomics and shared-memory bank conflicts.
#include "harness.cuh"

// shared_counts: all lanes add into four words of shared memory, against a word a lane.
extern "C" __global__ void __launch_bounds__(256) shared_counts(const uint4* __restrict__ a, float* o, ll n) {
  __shared__ unsigned counts[4];
  if (threadIdx.x < 4) counts[threadIdx.x] = 0;
  __syncthreads();
  for (ll i = thread_id(); i < n; i += thread_count()) {
    uint4 v = a[i];
    atomicAdd(&counts[v.x & 3], v.x >> 4 & 15);
    atomicAdd(&counts[v.y & 3], v.y >> 4 & 15);
    atomicAdd(&counts[v.z & 3], v.z >> 4 & 15);
    atomicAdd(&counts[v.w & 3], v.w >> 4 & 15);
  }
  __syncthreads();
  if (threadIdx.x < 4) o[blockIdx.x * 4 + threadIdx.x] = counts[threadIdx.x];
}
extern "C" __global__ void __launch_bounds__(256) shared_counts_fix(const uint4* __restrict__ a, float* o, ll n) {
  __shared__ unsigned counts[4][256];
  for (int k = 0; k < 4; k++) counts[k][threadIdx.x] = 0;
  unsigned t = threadIdx.x;
  for (ll i = thread_id(); i < n; i += thread_count()) {
    uint4 v = a[i];
    counts[v.x & 3][t] += v.x >> 4 & 15;
    counts[v.y & 3][t] += v.y >> 4 & 15;
    counts[v.z & 3][t] += v.z >> 4 & 15;
    counts[v.w & 3][t] += v.w >> 4 & 15;
  }
  __syncthreads();
  if (threadIdx.x >= 128) return;
  unsigned bin = threadIdx.x / 32, s = 0;
  for (int k = threadIdx.x & 31; k < 256; k += 32) s += counts[bin][k];
  s = __reduce_add_sync(~0u, s);
  if ((threadIdx.x & 31) == 0) o[blockIdx.x * 4 + bin] = s;
}
CASE(shared_counts) {
  int blocks = sm_count() * 8;
  ll n = 16 * MiB / 4;
  uint4* a = (uint4*)device_bytes(n * 16);
  float* o = device_floats(blocks * 16);
  measure("shared_counts", o, blocks * 4, [&] { shared_counts<<<blocks, 256>>>(a, o, n); });
  measure("shared_counts_fix", o, blocks * 4, [&] { shared_counts_fix<<<blocks, 256>>>(a, o, n); });
}

// shared_sum: float adds of a whole block into one word of shared memory (a compare-and-swap loop).
extern "C" __global__ void __launch_bounds__(256) shared_sum(const float* __restrict__ a, float* o, int per) {
  __shared__ float total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  for (int j = 0; j < per; j++) atomicAdd(&total, a[j * thread_count() + thread_id()]);
  __syncthreads();
  if (threadIdx.x == 0) o[blockIdx.x] = total;
}
extern "C" __global__ void __launch_bounds__(256) shared_sum_fix(const float* __restrict__ a, float* o, int per) {
  __shared__ float total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  float s = 0;
#pragma unroll 8
  for (int j = 0; j < per; j++) s += a[j * thread_count() + thread_id()];
  for (int k = 16; k; k >>= 1) s += __shfl_xor_sync(~0u, s, k);
  if ((threadIdx.x & 31) == 0) atomicAdd(&total, s);
  __syncthreads();
  if (threadIdx.x == 0) o[blockIdx.x] = total;
}
CASE(shared_sum) {
  int blocks = sm_count() * 8, per = 32;
  float *a = device_floats((size_t)blocks * 256 * per * 4), *o = device_floats(blocks * 4);
  measure("shared_sum", o, blocks, [&] { shared_sum<<<blocks, 256>>>(a, o, per); });
  measure("shared_sum_fix", o, blocks, [&] { shared_sum_fix<<<blocks, 256>>>(a, o, per); });
}

// global_counts: a histogram of 32 bins by global atomics, against one histogram a block in shared memory.
extern "C" __global__ void global_counts(const unsigned* __restrict__ a, unsigned* o, int n) {
  for (int i = thread_id(); i < n; i += thread_count()) atomicAdd(&o[a[i] >> 5 & 31], 1);
}
extern "C" __global__ void __launch_bounds__(256) global_counts_fix(const unsigned* __restrict__ a, unsigned* o,
                                                                    int n) {
  __shared__ unsigned counts[8][33];
  for (int i = threadIdx.x; i < 8 * 33; i += 256) counts[0][i] = 0;
  __syncthreads();
  for (int i = thread_id(); i < n; i += thread_count()) atomicAdd(&counts[threadIdx.x / 32][a[i] >> 5 & 31], 1);
  __syncthreads();
  if (threadIdx.x >= 32) return;
  unsigned s = 0;
  for (int k = 0; k < 8; k++) s += counts[k][threadIdx.x];
  atomicAdd(&o[threadIdx.x], s);
}
CASE(global_counts) {
  int n = 16 << 20, blocks = sm_count() * 8;
  unsigned *a = (unsigned*)device_bytes(n * 4ll), *o = (unsigned*)device_bytes(4096);
  measure("global_counts", (float*)o, 32, [&] { global_counts<<<blocks, 256>>>(a, o, n); });
  measure("global_counts_fix", (float*)o, 32, [&] { global_counts_fix<<<blocks, 256>>>(a, o, n); });
}

// two_way: shared reads two words apart, against neighbours.
template <int STRIDE>
__device__ __forceinline__ float read_shared(int turns) {
  __shared__ float data[4096];
  for (int i = threadIdx.x; i < 4096; i += blockDim.x) data[i] = 1;
  __syncthreads();
  float s[4] = {};
  const float* lane = data + (threadIdx.x & 31) * STRIDE;
  for (int i = 0; i < turns; i++) {
    const float* p = lane + (i * 5 & 1023);
#pragma unroll
    for (int k = 0; k < 16; k++) s[k & 3] += p[k * 64];
  }
  return s[0] + s[1] + s[2] + s[3];
}
extern "C" __global__ void __launch_bounds__(256) two_way(float* o, int turns) { o[thread_id()] = read_shared<2>(turns); }
extern "C" __global__ void __launch_bounds__(256) two_way_fix(float* o, int turns) {
  o[thread_id()] = read_shared<1>(turns);
}
CASE(two_way) {
  int blocks = sm_count() * 8;
  float* o = device_floats(blocks * 256 * 4);
  measure("two_way", o, blocks * 256, [&] { two_way<<<blocks, 256>>>(o, 500); });
  measure("two_way_fix", o, blocks * 256, [&] { two_way_fix<<<blocks, 256>>>(o, 500); });
}

// eight_way: each thread stores eight neighbouring words of shared memory, against nine-word rows.
template <int ROW>
__device__ __forceinline__ float store_shared(int turns) {
  __shared__ volatile float rows[256 * ROW];
  volatile float* mine = rows + threadIdx.x * ROW;
  float s = 0;
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int k = 0; k < 8; k++) mine[k] = i + k;
    s += mine[i & 7];
  }
  return s;
}
extern "C" __global__ void __launch_bounds__(256) eight_way(float* o, int turns) {
  o[thread_id()] = store_shared<8>(turns);
}
extern "C" __global__ void __launch_bounds__(256) eight_way_fix(float* o, int turns) {
  o[thread_id()] = store_shared<9>(turns);
}
CASE(eight_way) {
  int blocks = sm_count() * 8;
  float* o = device_floats(blocks * 256 * 4);
  measure("eight_way", o, blocks * 256, [&] { eight_way<<<blocks, 256>>>(o, 500); });
  measure("eight_way_fix", o, blocks * 256, [&] { eight_way_fix<<<blocks, 256>>>(o, 500); });
}
