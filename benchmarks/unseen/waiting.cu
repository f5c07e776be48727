// Warps that wait: for their own results, for each other, for a fence, a lock, a flag or an atomic; and code and constants.
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <cstdint>
#include "harness.cuh"
namespace cg = cooperative_groups;

// ---- integer hashes of 8 messages a thread, four warps a scheduler at most: one after another, or together ------------------
__device__ __forceinline__ unsigned stir(unsigned h, unsigned word) { return (h ^ word) * 16777619u + (h >> 7); }
__global__ void __launch_bounds__(128) hash_in_turn(const unsigned* __restrict__ in, unsigned* __restrict__ out, int words) {
  unsigned all = 0;
#pragma unroll 1
  for (int m = 0; m < 8; m++) {
    unsigned h = in[thread_id() * 8 + m];
#pragma unroll 4
    for (unsigned w = 0; w < words; w++) h = stir(h, w);
    all += h & 0xffff;
  }
  out[thread_id()] = all;
}
__global__ void __launch_bounds__(128) hash_together(const unsigned* __restrict__ in, unsigned* __restrict__ out, int words) {
  unsigned h[8], all = 0;
#pragma unroll
  for (int m = 0; m < 8; m++) h[m] = in[thread_id() * 8 + m];
#pragma unroll 4
  for (unsigned w = 0; w < words; w++)
#pragma unroll
    for (int m = 0; m < 8; m++) h[m] = stir(h[m], w);
#pragma unroll
  for (int m = 0; m < 8; m++) all += h[m] & 0xffff;
  out[thread_id()] = all;
}
CASE(hashes) {
  int blocks = sm_count() * 2, n = blocks * 128;
  unsigned *in = (unsigned*)device_bytes(n * 32), *out = (unsigned*)device_bytes(n * 4);
  measure("hash_in_turn", nullptr, 0, [=] { hash_in_turn<<<blocks, 128>>>(in, out, 4096); });
  measure("hash_together", nullptr, 0, [=] { hash_together<<<blocks, 128>>>(in, out, 4096); });
}

// ---- Chebyshev sums in double precision, 8 warps an SM: one point at a time, or four ----------------------------------------
template <int POINTS>
__device__ __forceinline__ void chebyshev(float* out, int terms) {
  double all = 0;
#pragma unroll 1
  for (int first = 0; first < 4; first += POINTS) {
    double x[POINTS], b1[POINTS], b2[POINTS];
#pragma unroll
    for (int p = 0; p < POINTS; p++) x[p] = (threadIdx.x * 4 + first + p) * 1e-3 - 0.5, b1[p] = b2[p] = 0;
#pragma unroll 4
    for (int k = 0; k < terms; k++)
#pragma unroll
      for (int p = 0; p < POINTS; p++) {
        double b = fma(x[p], b1[p], 0.001 - b2[p]);
        b2[p] = b1[p] * 0.99, b1[p] = b;
      }
#pragma unroll
    for (int p = 0; p < POINTS; p++) all += b1[p];
  }
  out[thread_id()] = (float)all;
}
__global__ void __launch_bounds__(256) chebyshev_one(float* out, int terms) { chebyshev<1>(out, terms); }
__global__ void __launch_bounds__(256) chebyshev_four(float* out, int terms) { chebyshev<4>(out, terms); }
CASE(chebyshev_sums) {
  int blocks = sm_count();
  float* out = device_floats(blocks * 256 * 4);
  measure("chebyshev_one", out, blocks * 256, [=] { chebyshev_one<<<blocks, 256>>>(out, 4096); });
  measure("chebyshev_four", out, blocks * 256, [=] { chebyshev_four<<<blocks, 256>>>(out, 4096); });
}

// ---- a recurrence along diagonals of 512 columns: a block with a barrier a step, or a warp with shuffles ---------------------
__global__ void __launch_bounds__(512) diagonals_block(const float* __restrict__ in, float* __restrict__ out, int steps) {
  __shared__ float row[2][513];
  int t = threadIdx.x;
  float v = in[thread_id()];
  row[0][t + 1] = v;
  if (t == 0) row[0][0] = row[1][0] = 0;
  __syncthreads();
  for (int s = 0; s < steps; s++) {
    v = fmaxf(v * 0.998f, row[s & 1][t]) + 0.001f;
    row[s + 1 & 1][t + 1] = v;
    __syncthreads();
  }
  out[thread_id()] = v;
}
__global__ void __launch_bounds__(128) diagonals_warp(const float* __restrict__ in, float* __restrict__ out, int steps) {
  ll warp = thread_id() / 32;
  int lane = threadIdx.x & 31;
  float v[16];
#pragma unroll
  for (int k = 0; k < 16; k++) v[k] = in[warp * 512 + lane * 16 + k];
  for (int s = 0; s < steps; s++) {
    float left = __shfl_up_sync(~0u, v[15], 1);
    if (lane == 0) left = 0;
#pragma unroll
    for (int k = 15; k > 0; k--) v[k] = fmaxf(v[k] * 0.998f, v[k - 1]) + 0.001f;
    v[0] = fmaxf(v[0] * 0.998f, left) + 0.001f;
  }
#pragma unroll
  for (int k = 0; k < 16; k++) out[warp * 512 + lane * 16 + k] = v[k];
}
CASE(diagonals) {
  int problems = sm_count() * 16, n = problems * 512;
  float *in = device_floats(n * 4), *out = device_floats(n * 4);
  measure("diagonals_block", out, n, [=] { diagonals_block<<<problems, 512>>>(in, out, 2000); });
  measure("diagonals_warp", out, n, [=] { diagonals_warp<<<problems / 4, 128>>>(in, out, 2000); });
}

// ---- tiles of 16 KiB through shared memory, one block of 32 warps an SM: fetched between barriers, or a tile ahead ------------
template <bool AHEAD>
__device__ __forceinline__ void tile_sums(const float4* __restrict__ in, float* __restrict__ out, int tiles) {
  extern __shared__ float4 tile[];  // two tiles of 1024
  int t = threadIdx.x;
  const float4* p = in + (size_t)blockIdx.x * tiles * 1024 + t;
  float sum = 0;
  float4 next = p[0];
  for (int k = 0; k < tiles; k++) {
    float4* here = tile + (AHEAD ? (k & 1) * 1024 : 0);
    if (!AHEAD) next = p[k * 1024];
    here[t] = next;
    __syncthreads();
    if (AHEAD && k + 1 < tiles) next = p[(k + 1) * 1024];
#pragma unroll
    for (int j = 0; j < 12; j++) {
      float4 v = here[(t + j * 32) & 1023];
      sum = fmaf(v.x, v.y, sum) + v.z * v.w;
    }
    if (!AHEAD) __syncthreads();
  }
  out[thread_id()] = sum;
}
__global__ void __launch_bounds__(1024, 1) tiles_between(const float4* in, float* out, int tiles) { tile_sums<false>(in, out, tiles); }
__global__ void __launch_bounds__(1024, 1) tiles_ahead(const float4* in, float* out, int tiles) { tile_sums<true>(in, out, tiles); }
CASE(tile_order) {
  int blocks = sm_count(), tiles = 400, shared = 120 * 1024;
  float4* in = (float4*)device_bytes((size_t)blocks * tiles * 16384);
  float* out = device_floats(blocks * 1024 * 4);
  allow_shared(tiles_between, shared);
  allow_shared(tiles_ahead, shared);
  measure("tiles_between", out, blocks * 1024, [=] { tiles_between<<<blocks, 1024, shared>>>(in, out, tiles); });
  measure("tiles_ahead", out, blocks * 1024, [=] { tiles_ahead<<<blocks, 1024, shared>>>(in, out, tiles); });
}

// ---- a sum over a cluster of four blocks: exchanged each round, or once ----------------------------------------------------
__device__ __forceinline__ float round_value(int round) { return ((thread_id() + round) & 255) * (1.f / 256); }
__global__ void __cluster_dims__(4, 1, 1) __launch_bounds__(256) cluster_each_round(float* out, int rounds) {
  __shared__ float part[2][8];
  cg::cluster_group cluster = cg::this_cluster();
  float total = 0;
  for (int r = 0; r < rounds; r++) {
    float sum = round_value(r);
    for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0) part[r & 1][threadIdx.x / 32] = sum;
    cluster.sync();
    const float* there = cluster.map_shared_rank(part[r & 1], threadIdx.x / 8 % 4);
    float v = there[threadIdx.x % 8];
    for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);
    total += v;
  }
  cluster.sync();
  out[thread_id()] = total;
}
__global__ void __cluster_dims__(4, 1, 1) __launch_bounds__(256) cluster_once(float* out, int rounds) {
  __shared__ float part[8];
  cg::cluster_group cluster = cg::this_cluster();
  float sum = 0;
  for (int r = 0; r < rounds; r++) sum += round_value(r);
  for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  cluster.sync();
  float v = cluster.map_shared_rank(part, threadIdx.x / 8 % 4)[threadIdx.x % 8];
  for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);
  cluster.sync();
  out[thread_id()] = v;
}
CASE(cluster_sums) {
  int blocks = sm_count() / 4 * 4 * 4;
  float* out = device_floats(blocks * 256 * 4);
  measure("cluster_each_round", out, blocks * 256, [=] { cluster_each_round<<<blocks, 256>>>(out, 800); });
  measure("cluster_once", out, blocks * 256, [=] { cluster_once<<<blocks, 256>>>(out, 800); });
}

// ---- records of a log: a system-wide fence after each, or one at the end; and a fence each sixteenth amid arithmetic ----------
template <int EACH, bool SYSTEM>
__device__ __forceinline__ void log_records(int2* out, int records, int turns) {
  for (int r = 0; r < records; r++) {
    float v = fma_work(threadIdx.x, turns);
    out[r * thread_count() + thread_id()] = make_int2(r, (int)v);
    if (EACH && r % EACH == EACH - 1) {
      if (SYSTEM) __threadfence_system();
      else __threadfence();
    }
  }
  __threadfence();
}
__global__ void __launch_bounds__(128) log_fence_system(int2* out, int records) { log_records<1, true>(out, records, 0); }
__global__ void __launch_bounds__(128) log_fence_none(int2* out, int records) { log_records<0, false>(out, records, 0); }
__global__ void __launch_bounds__(128) trace_fence_each(int2* out, int records) { log_records<4, false>(out, records, 3); }
__global__ void __launch_bounds__(128) trace_fence_none(int2* out, int records) { log_records<0, false>(out, records, 3); }
CASE(logs) {
  int blocks = sm_count() * 8, records = 48;
  size_t n = (size_t)blocks * 128 * records;
  int2* out = (int2*)device_bytes(n * 8);
  measure("log_fence_system", nullptr, 0, [=] { log_fence_system<<<blocks, 128>>>(out, records); });
  measure("log_fence_none", nullptr, 0, [=] { log_fence_none<<<blocks, 128>>>(out, records); });
  measure("trace_fence_each", nullptr, 0, [=] { trace_fence_each<<<blocks, 128>>>(out, records); });
  measure("trace_fence_none", nullptr, 0, [=] { trace_fence_none<<<blocks, 128>>>(out, records); });
}

// ---- a running total over blocks that wait for the one before: with a long sleep, or polling -----------------------------------
template <int SLEEP>
__device__ __forceinline__ void running(const float* __restrict__ in, float* out, float* totals, volatile int* ready, int generation) {
  __shared__ float before;
  float v = in[thread_id()];
  float sum = v;
  for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (threadIdx.x == 0) {
    before = 0;
    if (blockIdx.x) {
      while (ready[blockIdx.x - 1] != generation)
        if (SLEEP) __nanosleep(SLEEP);
      __threadfence();
      before = *(volatile float*)&totals[blockIdx.x - 1];
    }
    totals[blockIdx.x] = before + sum;
    __threadfence();
    ready[blockIdx.x] = generation;
  }
  __syncthreads();
  out[thread_id()] = v + before;
}
__global__ void __launch_bounds__(256) running_sleeps(const float* in, float* out, float* totals, int* ready, int generation) {
  running<6000>(in, out, totals, ready, generation);
}
__global__ void __launch_bounds__(256) running_polls(const float* in, float* out, float* totals, int* ready, int generation) {
  running<0>(in, out, totals, ready, generation);
}
CASE(running_totals) {
  int blocks = sm_count() * 4;
  float *in = device_floats(blocks * 1024), *out = device_floats(blocks * 1024), *totals = device_floats(blocks * 4);
  int* ready = (int*)device_bytes(blocks * 4);
  static int generation;
  generation = 0;
  // A profiler replays a launch with its number: the flags are cleared in between by the order of the numbers.
  measure("running_sleeps", out, blocks * 256, [=] { running_sleeps<<<blocks, 256>>>(in, out, totals, ready, ++generation); });
  measure("running_polls", out, blocks * 256, [=] { running_polls<<<blocks, 256>>>(in, out, totals, ready, ++generation); });
}

// ---- two warps a scheduler that rest for a moment after each step, or do not ----------------------------------------------
__global__ void __launch_bounds__(256) steps_with_rest(float* out, int steps) {
  float sum = 0;
  for (int s = 0; s < steps; s++) {
    sum += fma_work(threadIdx.x + s, 6);
    __nanosleep(150);
  }
  out[thread_id()] = sum;
}
__global__ void __launch_bounds__(256) steps_without_rest(float* out, int steps) {
  float sum = 0;
  for (int s = 0; s < steps; s++) sum += fma_work(threadIdx.x + s, 6);
  out[thread_id()] = sum;
}
CASE(steps) {
  int blocks = sm_count();
  float* out = device_floats(blocks * 1024);
  measure("steps_with_rest", out, blocks * 256, [=] { steps_with_rest<<<blocks, 256>>>(out, 300); });
  measure("steps_without_rest", out, blocks * 256, [=] { steps_without_rest<<<blocks, 256>>>(out, 300); });
}

// ---- the energy of a state in one double: added by each thread, or once a block ------------------------------------------------
__global__ void __launch_bounds__(256) energy_by_thread(const float4* __restrict__ in, double* total) {
  float4 v = in[thread_id()];
  atomicAdd(total, (double)(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w));
}
__global__ void __launch_bounds__(256) energy_by_block(const float4* __restrict__ in, double* total) {
  __shared__ double part[8];
  float4 v = in[thread_id()];
  double sum = v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x) return;
  for (int w = 1; w < 8; w++) sum += part[w];
  atomicAdd(total, sum);
}
CASE(energies) {
  int n = 4 << 20;
  float4* in = (float4*)device_bytes((size_t)n * 16);
  double* total = (double*)device_bytes(8);
  measure("energy_by_thread", nullptr, 0, [=] { energy_by_thread<<<n / 256, 256>>>(in, total); });
  measure("energy_by_block", nullptr, 0, [=] { energy_by_block<<<n / 256, 256>>>(in, total); });
}

// ---- a queue of small jobs: a ticket for each, or for 16 of them ----------------------------------------------------------------
template <int JOBS>
__device__ __forceinline__ void serve(unsigned* next, float* out, unsigned jobs) {
  int lane = threadIdx.x & 31;
  while (true) {
    unsigned first = 0;
    if (lane == 0) first = atomicAdd(next, JOBS);
    first = __shfl_sync(~0u, first, 0);
    if (first >= jobs) break;
#pragma unroll 1
    for (unsigned j = first; j < first + JOBS; j++) out[j * 32 + lane] = fma_work(j & 15, 8);
  }
}
__global__ void __launch_bounds__(256) tickets_for_one(unsigned* next, float* out, unsigned jobs) { serve<1>(next, out, jobs); }
__global__ void __launch_bounds__(256) tickets_for_sixteen(unsigned* next, float* out, unsigned jobs) { serve<16>(next, out, jobs); }
CASE(tickets) {
  int blocks = sm_count() * 8;
  unsigned jobs = 1 << 19;
  unsigned* next = (unsigned*)device_bytes(4);
  float* out = device_floats((size_t)jobs * 128 + 65536);
  auto reset = [=] { CHECK(cudaMemset(next, 0, 4)); };
  measure("tickets_for_one", out, jobs * 32, [=] { reset(); tickets_for_one<<<blocks, 256>>>(next, out, jobs); });
  measure("tickets_for_sixteen", out, jobs * 32, [=] { reset(); tickets_for_sixteen<<<blocks, 256>>>(next, out, jobs); });
}

// ---- votes for 64 candidates in global memory: one count each, or one each for a block ----------------------------------------------
__global__ void __launch_bounds__(256) votes_shared_by_all(const uchar4* __restrict__ in, int* counts, int n) {
  for (int i = thread_id(); i < n; i += thread_count()) {
    uchar4 v = in[i];
    atomicAdd(&counts[v.x & 63], v.y & 7);
    atomicAdd(&counts[v.y & 63], v.x & 7);
  }
}
__global__ void __launch_bounds__(256) votes_by_block(const uchar4* __restrict__ in, int* counts, int n) {
  __shared__ int here[8][64];
  for (int i = threadIdx.x; i < 512; i += 256) here[i / 64][i % 64] = 0;
  __syncthreads();
  int* mine = here[threadIdx.x / 32];
  for (int i = thread_id(); i < n; i += thread_count()) {
    uchar4 v = in[i];
    atomicAdd(&mine[v.x & 63], v.y & 7);
    atomicAdd(&mine[v.y & 63], v.x & 7);
  }
  __syncthreads();
  if (threadIdx.x >= 64) return;
  int sum = 0;
  for (int w = 0; w < 8; w++) sum += here[w][threadIdx.x];
  atomicAdd(&counts[threadIdx.x], sum);
}
CASE(votes) {
  int n = 8 << 20, blocks = sm_count() * 8;
  uchar4* in = (uchar4*)device_bytes((size_t)n * 4);
  int* counts = (int*)device_bytes(256);
  measure("votes_shared_by_all", nullptr, 0, [=] { votes_shared_by_all<<<blocks, 256>>>(in, counts, n); });
  measure("votes_by_block", nullptr, 0, [=] { votes_by_block<<<blocks, 256>>>(in, counts, n); });
}

// ---- weights of sorted keys: each lane adds to its key's word, or the warp's sum goes in once ---------------------------------------
template <bool COMBINE>
__device__ __forceinline__ void add_weights(const unsigned* __restrict__ in, unsigned* out, int per) {
  __shared__ unsigned sums[256];
  sums[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll 4
  for (int j = 0; j < per; j++) {
    ll i = (blockIdx.x * (ll)per + j) * 256 + threadIdx.x;
    unsigned key = i / 96 & 255, weight = in[i] >> 8 & 1023;
    if (COMBINE && __all_sync(~0u, key == __shfl_sync(~0u, key, 0))) {
      weight = __reduce_add_sync(~0u, weight);
      if ((threadIdx.x & 31) == 0) atomicAdd(&sums[key], weight);
    } else {
      atomicAdd(&sums[key], weight);
    }
  }
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = sums[threadIdx.x];
}
__global__ void __launch_bounds__(256) weights_by_lane(const unsigned* in, unsigned* out, int per) { add_weights<false>(in, out, per); }
__global__ void __launch_bounds__(256) weights_by_warp(const unsigned* in, unsigned* out, int per) { add_weights<true>(in, out, per); }
CASE(weights) {
  int blocks = sm_count() * 8, per = 256;
  unsigned *in = (unsigned*)device_bytes((size_t)blocks * per * 1024), *out = (unsigned*)device_bytes(blocks * 1024);
  measure("weights_by_lane", nullptr, 0, [=] { weights_by_lane<<<blocks, 256>>>(in, out, per); });
  measure("weights_by_warp", nullptr, 0, [=] { weights_by_warp<<<blocks, 256>>>(in, out, per); });
}

// ---- the nearest of many points for each of 8 centres: 64-bit minima in shared memory, or in registers first -------------------------
template <bool EARLY>
__device__ __forceinline__ void nearest(const float2* __restrict__ in, float* out, int per) {
  __shared__ unsigned long long best[8];
  if (threadIdx.x < 8) best[threadIdx.x] = ~0ull;
  __syncthreads();
  unsigned long long mine[8];
#pragma unroll
  for (int c = 0; c < 8; c++) mine[c] = ~0ull;
  for (int j = 0; j < per; j++) {
    ll i = (blockIdx.x * (ll)per + j) * 256 + threadIdx.x;
    float2 p = in[i];
#pragma unroll
    for (int c = 0; c < 8; c++) {
      float dx = p.x - c * 0.1f, dy = p.y - 0.7f;
      unsigned long long key = (unsigned long long)__float_as_uint(dx * dx + dy * dy) << 32 | (unsigned)i;
      if (EARLY) atomicMin(&best[c], key);
      else mine[c] = min(mine[c], key);
    }
  }
  if (!EARLY)
#pragma unroll
    for (int c = 0; c < 8; c++) {
      for (int d = 16; d; d /= 2) mine[c] = min(mine[c], __shfl_xor_sync(~0u, mine[c], d));
      if ((threadIdx.x & 31) == 0) atomicMin(&best[c], mine[c]);
    }
  __syncthreads();
  if (threadIdx.x < 8) out[blockIdx.x * 8 + threadIdx.x] = __uint_as_float(best[threadIdx.x] >> 32);
}
__global__ void __launch_bounds__(256) nearest_each_point(const float2* in, float* out, int per) { nearest<true>(in, out, per); }
__global__ void __launch_bounds__(256) nearest_each_thread(const float2* in, float* out, int per) { nearest<false>(in, out, per); }
CASE(nearest_points) {
  int blocks = sm_count() * 8, per = 32;
  float2* in = (float2*)device_bytes((size_t)blocks * per * 2048);
  float* out = device_floats(blocks * 32);
  measure("nearest_each_point", out, blocks * 8, [=] { nearest_each_point<<<blocks, 256>>>(in, out, per); });
  measure("nearest_each_thread", out, blocks * 8, [=] { nearest_each_thread<<<blocks, 256>>>(in, out, per); });
}

// ---- a permutation of 12288 integer steps written out in full, or as a loop; one warp a scheduler, and eight ---------------------------
template <int N>
__device__ __forceinline__ unsigned scramble(unsigned x, unsigned y, int turns) {
  for (int t = 0; t < turns; t++) {
#pragma unroll N
    for (int k = 0; k < 4096; k++) {
      asm volatile("mad.lo.u32 %0, %0, 5, %1;" : "+r"(x) : "r"(y));
      asm volatile("xor.b32 %0, %0, %1;" : "+r"(y) : "r"(x));
      asm volatile("add.u32 %0, %0, 77;" : "+r"(x));
    }
  }
  return x ^ y;
}
__global__ void __launch_bounds__(128) scramble_written_out(unsigned* out, int turns) { out[thread_id()] = scramble<4096>(thread_id(), 3, turns); }
__global__ void __launch_bounds__(128) scramble_looped(unsigned* out, int turns) { out[thread_id()] = scramble<16>(thread_id(), 3, turns); }
__global__ void __launch_bounds__(1024) scramble_wide_written_out(unsigned* out, int turns) { out[thread_id()] = scramble<4096>(thread_id(), 3, turns); }
__global__ void __launch_bounds__(1024) scramble_wide_looped(unsigned* out, int turns) { out[thread_id()] = scramble<16>(thread_id(), 3, turns); }
CASE(scrambles) {
  int blocks = sm_count();
  unsigned* out = (unsigned*)device_bytes(blocks * 4096);
  measure("scramble_written_out", nullptr, 0, [=] { scramble_written_out<<<blocks, 128>>>(out, 20); });
  measure("scramble_looped", nullptr, 0, [=] { scramble_looped<<<blocks, 128>>>(out, 20); });
  measure("scramble_wide_written_out", nullptr, 0, [=] { scramble_wide_written_out<<<blocks, 1024>>>(out, 12); });
  measure("scramble_wide_looped", nullptr, 0, [=] { scramble_wide_looped<<<blocks, 1024>>>(out, 12); });
}

// ---- a palette of 256 colours passed as a kernel parameter: looked up there by each lane, or in shared memory ---------------------------
struct Palette {
  unsigned colour[256];
};
__global__ void __launch_bounds__(256) palette_parameter(const uchar4* __restrict__ in, unsigned* __restrict__ out, const __grid_constant__ Palette palette, int n) {
  for (int i = thread_id(); i < n; i += thread_count()) {
    uchar4 v = in[i];
    out[i] = palette.colour[v.x] + palette.colour[v.y] + palette.colour[v.z];
  }
}
__global__ void __launch_bounds__(256) palette_shared(const uchar4* __restrict__ in, unsigned* __restrict__ out, const __grid_constant__ Palette palette, int n) {
  __shared__ unsigned colour[256];
  colour[threadIdx.x] = palette.colour[threadIdx.x];
  __syncthreads();
  for (int i = thread_id(); i < n; i += thread_count()) {
    uchar4 v = in[i];
    out[i] = colour[v.x] + colour[v.y] + colour[v.z];
  }
}
CASE(palettes) {
  int n = 8 << 20, blocks = sm_count() * 8;
  uchar4* in = (uchar4*)device_bytes((size_t)n * 4);
  unsigned* out = (unsigned*)device_bytes((size_t)n * 4);
  Palette palette;
  for (int k = 0; k < 256; k++) palette.colour[k] = k * 40503u;
  measure("palette_parameter", nullptr, 0, [=] { palette_parameter<<<blocks, 256>>>(in, out, palette, n); });
  measure("palette_shared", nullptr, 0, [=] { palette_shared<<<blocks, 256>>>(in, out, palette, n); });
}

// ---- filters in constant memory: four different ones in a warp, or one -------------------------------------------------------------------
__constant__ float filters[64][32];
__device__ __forceinline__ float filtered(float x, int filter, int turns) {
  float sum = 0;
  for (int t = 0; t < turns; t++) {
#pragma unroll
    for (int k = 0; k < 32; k++) sum = fmaf(sum, 0.5f, x * filters[filter][k]), x += 0.25f;
    filter = filter + 5 & 63;
  }
  return sum;
}
__global__ void __launch_bounds__(256) filters_four(float* out, int turns) { out[thread_id()] = filtered(threadIdx.x, threadIdx.x / 8 & 63, turns); }
__global__ void __launch_bounds__(256) filters_one(float* out, int turns) { out[thread_id()] = filtered(threadIdx.x, threadIdx.x / 32 & 63, turns); }
CASE(filter_banks) {
  int blocks = sm_count() * 8;
  float* out = device_floats(blocks * 1024);
  float values[64][32];
  for (int k = 0; k < 2048; k++) values[k / 32][k % 32] = k * 1e-3f;
  CHECK(cudaMemcpyToSymbol(filters, values, sizeof values));
  measure("filters_four", nullptr, 0, [=] { filters_four<<<blocks, 256>>>(out, 100); });
  measure("filters_one", nullptr, 0, [=] { filters_one<<<blocks, 256>>>(out, 100); });
}
