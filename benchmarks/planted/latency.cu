// Kernels whose schedulers wait: too few warps, uneven blocks, tails, barriers, fences, sleep, chains.
#include "harness.cuh"

// A walk over a table of rows: each row holds the number of the next one, a warp reads a whole row (128 bytes).
__global__ void fill_rows(int* next, ll rows) {
  for (ll i = thread_id(); i < rows * 32; i += thread_count())
    next[i] = (int)(((i / 32 * 1640531527ll + 12345) % rows) * 32);
}
static int* row_table(ll rows) {
  int* next = (int*)device_bytes(rows * 128);
  fill_rows<<<2048, 256>>>(next, rows);
  CHECK(cudaDeviceSynchronize());
  return next;
}
__device__ __forceinline__ int walk(const int* next, ll rows, int steps) {
  int lane = threadIdx.x & 31;
  int at = (int)((thread_id() / 32 * 977) % rows) * 32;
  for (int s = 0; s < steps; s++) at = next[at + lane];
  return at;
}
constexpr ll ROWS = 2 << 20;  // 256 MiB

// registers: a branch that is not taken holds 180 values, so one block of 8 warps fits an SM.
template <int R>
__device__ __forceinline__ void rare(const int* next, float* o, int turns) {
  float v[R];
#pragma unroll
  for (int k = 0; k < R; k++) v[k] = next[k * 64 + threadIdx.x];
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int k = 0; k < R; k++) v[k] = v[k] * 0.5f + v[(k + 17) % R];
  }
  float s = 0;
#pragma unroll
  for (int k = 0; k < R; k++) s += v[k] * k;
  o[thread_id()] = s;
}
extern "C" __global__ void __launch_bounds__(256, 1) registers(const int* __restrict__ next, float* o, ll rows,
                                                               int steps, int turns) {
  int at = walk(next, rows, steps);
  o[thread_id()] = (at >> 5) & 1023;
  if (turns) rare<180>(next, o, turns);
}
extern "C" __global__ void __launch_bounds__(256, 8) registers_fix(const int* __restrict__ next, float* o, ll rows,
                                                                   int steps, int turns) {
  int at = walk(next, rows, steps);
  o[thread_id()] = (at >> 5) & 1023;
  if (turns) rare<180>(next, o, turns);
}
CASE(registers) {
  int* next = row_table(ROWS);
  int blocks = sm_count() * 8;
  float* o = device_floats(blocks * 256 * 4);
  measure("registers", o, blocks * 256, [&] { registers<<<blocks, 256>>>(next, o, ROWS, 120, 0); });
  measure("registers_fix", o, blocks * 256, [&] { registers_fix<<<blocks, 256>>>(next, o, ROWS, 120, 0); });
}

// block_slots: blocks of one warp run into the 32 blocks an SM holds.
extern "C" __global__ void block_slots(const int* __restrict__ next, float* o, ll rows, int steps) {
  o[thread_id()] = (walk(next, rows, steps) >> 5) & 1023;
}
extern "C" __global__ void block_slots_fix(const int* __restrict__ next, float* o, ll rows, int steps) {
  o[thread_id()] = (walk(next, rows, steps) >> 5) & 1023;
}
CASE(block_slots) {
  int* next = row_table(ROWS);
  int warps = sm_count() * 64 * 4;
  float* o = device_floats(warps * 128);
  measure("block_slots", o, warps * 32, [&] { block_slots<<<warps, 32>>>(next, o, ROWS, 60); });
  measure("block_slots_fix", o, warps * 32, [&] { block_slots_fix<<<warps / 8, 256>>>(next, o, ROWS, 60); });
}

// shared_size: 72 KiB of shared memory a block that the work does not need.
extern "C" __global__ void shared_size(const int* __restrict__ next, float* o, ll rows, int steps) {
  extern __shared__ int scratch[];
  int at = walk(next, rows, steps);
  if (at == -1) scratch[threadIdx.x] = at;
  o[thread_id()] = (at >> 5) & 1023;
}
extern "C" __global__ void shared_size_fix(const int* __restrict__ next, float* o, ll rows, int steps) {
  extern __shared__ int scratch[];
  int at = walk(next, rows, steps);
  if (at == -1) scratch[threadIdx.x] = at;
  o[thread_id()] = (at >> 5) & 1023;
}
CASE(shared_size) {
  int* next = row_table(ROWS);
  int blocks = sm_count() * 16 * 2, small = 4096, large = 72 * 1024;
  float* o = device_floats(blocks * 128 * 4);
  allow_shared(shared_size, large);
  measure("shared_size", o, blocks * 128, [&] { shared_size<<<blocks, 128, large>>>(next, o, ROWS, 60); });
  measure("shared_size_fix", o, blocks * 128, [&] { shared_size_fix<<<blocks, 128, small>>>(next, o, ROWS, 60); });
}

// uneven: one wave in which every eighth block has eight times the work, against equal shares.
extern "C" __global__ void __launch_bounds__(1024, 1) uneven(float* o, int unit) {
  int turns = blockIdx.x % 8 == 0 ? unit * 8 : unit;
  o[thread_id()] = fma_work(threadIdx.x, turns) > 0;
}
extern "C" __global__ void __launch_bounds__(1024, 1) uneven_fix(float* o, int turns) {
  o[thread_id()] = fma_work(threadIdx.x, turns) > 0;
}
CASE(uneven) {
  int blocks = sm_count(), unit = 400, total = 0;
  for (int b = 0; b < blocks; b++) total += b % 8 == 0 ? unit * 8 : unit;
  float* o = device_floats(blocks * 1024 * 4);
  measure("uneven", o, blocks * 1024, [&] { uneven<<<blocks, 1024>>>(o, unit); });
  measure("uneven_fix", o, blocks * 1024, [&] { uneven_fix<<<blocks, 1024>>>(o, total / blocks); });
}

// long_row: a block sums a row, and the last row is 128 times longer; the fix hands out equal pieces.
constexpr int ROW = 16384, LONG = 128, SHORT_ROWS = 4096;
__device__ __forceinline__ float sum_range(const float* a, ll begin, ll end) {
  float s = 0;
#pragma unroll 4
  for (ll i = begin + threadIdx.x; i < end; i += blockDim.x) s += a[i];
  return s;
}
__device__ __forceinline__ void add_to(float* o, float s) {
  for (int k = 16; k; k >>= 1) s += __shfl_xor_sync(~0u, s, k);
  if ((threadIdx.x & 31) == 0) atomicAdd(o, s);
}
extern "C" __global__ void __launch_bounds__(256) long_row(const float* __restrict__ a, float* o) {
  ll begin = (ll)blockIdx.x * ROW, end = begin + (blockIdx.x == SHORT_ROWS ? (ll)ROW * LONG : ROW);
  add_to(o + blockIdx.x, sum_range(a, begin, end));
}
extern "C" __global__ void __launch_bounds__(256) long_row_fix(const float* __restrict__ a, float* o) {
  ll begin = (ll)blockIdx.x * ROW;
  add_to(o + min(blockIdx.x, SHORT_ROWS), sum_range(a, begin, begin + ROW));
}
CASE(long_row) {
  size_t n = (size_t)ROW * (SHORT_ROWS + LONG);
  float *a = device_floats(n * 4), *o = device_floats((SHORT_ROWS + 1) * 4);
  measure("long_row", o, SHORT_ROWS + 1, [&] { long_row<<<SHORT_ROWS + 1, 256>>>(a, o); });
  measure("long_row_fix", o, SHORT_ROWS + 1, [&] { long_row_fix<<<SHORT_ROWS + LONG, 256>>>(a, o); });
}

// last_wave: three full waves and ten blocks, against three waves of slightly longer blocks.
extern "C" __global__ void __launch_bounds__(512) last_wave(float* o, int turns) {
  o[thread_id()] = fma_work(threadIdx.x, turns) > 0;
}
extern "C" __global__ void __launch_bounds__(512) last_wave_fix(float* o, int turns) {
  o[thread_id()] = fma_work(threadIdx.x, turns) > 0;
}
CASE(last_wave) {
  int full = sm_count() * 3, over = full + 10, shared = 200 * 1024;
  float* o = device_floats(over * 512 * 4);
  allow_shared(last_wave, shared);
  allow_shared(last_wave_fix, shared);
  measure("last_wave", nullptr, 0, [&] { last_wave<<<over, 512, shared>>>(o, full * 2); });
  measure("last_wave_fix", nullptr, 0, [&] { last_wave_fix<<<full, 512, shared>>>(o, over * 2); });
}

// few_blocks: arithmetic on a quarter of the SMs, against the same work on all.
extern "C" __global__ void __launch_bounds__(1024) few_blocks(float* o, int turns) {
  o[thread_id()] = fma_work(threadIdx.x, turns) > 0;
}
extern "C" __global__ void __launch_bounds__(1024) few_blocks_fix(float* o, int turns) {
  o[thread_id()] = fma_work(threadIdx.x, turns) > 0;
}
CASE(few_blocks) {
  int blocks = sm_count();
  float* o = device_floats(blocks * 1024 * 4);
  measure("few_blocks", nullptr, 0, [&] { few_blocks<<<blocks / 4, 1024>>>(o, 2400); });
  measure("few_blocks_fix", nullptr, 0, [&] { few_blocks_fix<<<blocks, 1024>>>(o, 600); });
}

// tree: a shared-memory reduction with a barrier each halving, against warp shuffles.
extern "C" __global__ void __launch_bounds__(1024) tree(float* o, int rounds) {
  __shared__ float part[1024];
  float total = 0;
  for (int r = 0; r < rounds; r++) {
    part[threadIdx.x] = threadIdx.x + r;
    __syncthreads();
    for (int k = 512; k; k >>= 1) {
      if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
      __syncthreads();
    }
    total += part[0];
    __syncthreads();
  }
  o[thread_id()] = total;
}
extern "C" __global__ void __launch_bounds__(1024) tree_fix(float* o, int rounds) {
  __shared__ float part[2][32];
  float total = 0;
  for (int r = 0; r < rounds; r++) {
    float s = threadIdx.x + r;
    for (int k = 16; k; k >>= 1) s += __shfl_xor_sync(~0u, s, k);
    if ((threadIdx.x & 31) == 0) part[r & 1][threadIdx.x >> 5] = s;
    __syncthreads();
    s = part[r & 1][threadIdx.x & 31];
    for (int k = 16; k; k >>= 1) s += __shfl_xor_sync(~0u, s, k);
    total += s;
  }
  o[thread_id()] = total;
}
CASE(tree) {
  int blocks = sm_count() * 2;
  float* o = device_floats(blocks * 1024 * 4);
  measure("tree", o, blocks * 1024, [&] { tree<<<blocks, 1024>>>(o, 300); });
  measure("tree_fix", o, blocks * 1024, [&] { tree_fix<<<blocks, 1024>>>(o, 300); });
}

// fence: a device-wide fence after each store, against one after the last.
extern "C" __global__ void fence(float* o, int stores) {
  for (int i = 0; i < stores; i++) {
    o[i * thread_count() + thread_id()] = i;
    __threadfence();
  }
}
extern "C" __global__ void fence_fix(float* o, int stores) {
  for (int i = 0; i < stores; i++) o[i * thread_count() + thread_id()] = i;
  __threadfence();
}
CASE(fence) {
  int blocks = sm_count() * 8, stores = 64;
  size_t n = (size_t)blocks * 256 * stores;
  float* o = device_floats(n * 4);
  measure("fence", o, n, [&] { fence<<<blocks, 256>>>(o, stores); });
  measure("fence_fix", o, n, [&] { fence_fix<<<blocks, 256>>>(o, stores); });
}

// sleep: warps poll a flag of their block's first warp with a coarse back-off, against a barrier.
__device__ __forceinline__ float lead(float s, int steps) {
  for (int i = 0; i < steps; i++) s = s * 0.999f + 0.5f;
  return s;
}
extern "C" __global__ void __launch_bounds__(256) sleep(float* o, int rounds, int steps) {
  __shared__ volatile int ready;
  __shared__ volatile float value;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  float s = threadIdx.x & 31, total = 0;
  for (int r = 1; r <= rounds; r++) {
    if (threadIdx.x < 32) {
      s = lead(s, steps);
      if (threadIdx.x == 0) {
        value = s;
        __threadfence_block();
        ready = r;
      }
    } else {
      while (ready < r) __nanosleep(4000);
    }
    __syncwarp();
    total += value * (1.f / 500);
    __syncthreads();
  }
  o[thread_id()] = total;
}
extern "C" __global__ void __launch_bounds__(256) sleep_fix(float* o, int rounds, int steps) {
  __shared__ volatile float value;
  float s = threadIdx.x & 31, total = 0;
  for (int r = 1; r <= rounds; r++) {
    if (threadIdx.x < 32) {
      s = lead(s, steps);
      if (threadIdx.x == 0) value = s;
    }
    __syncthreads();
    total += value * (1.f / 500);
    __syncthreads();
  }
  o[thread_id()] = total;
}
CASE(sleep) {
  int blocks = sm_count() * 4;
  float* o = device_floats(blocks * 256 * 4);
  measure("sleep", o, blocks * 256, [&] { sleep<<<blocks, 256>>>(o, 60, 300); });
  measure("sleep_fix", o, blocks * 256, [&] { sleep_fix<<<blocks, 256>>>(o, 60, 300); });
}

// automaton: one chain of dependent shared-memory reads a thread, against eight.
constexpr int STATES = 256;
template <int CHAINS>
__device__ __forceinline__ void step_states(float* o, int steps) {
  extern __shared__ int table[];  // [state][lane]: no bank conflict
  for (int i = threadIdx.x; i < STATES * 32; i += blockDim.x) table[i] = ((i / 32) * 77 + 13) % STATES;
  __syncthreads();
  int lane = threadIdx.x & 31, state[CHAINS];
#pragma unroll
  for (int c = 0; c < CHAINS; c++) state[c] = (threadIdx.x * CHAINS + c) % STATES;
  for (int i = 0; i < steps / CHAINS; i++) {
#pragma unroll
    for (int c = 0; c < CHAINS; c++) state[c] = table[state[c] * 32 + lane];
  }
  int s = 0;
#pragma unroll
  for (int c = 0; c < CHAINS; c++) s += state[c];
  o[thread_id()] = s;
}
extern "C" __global__ void __launch_bounds__(128) automaton(float* o, int steps) { step_states<1>(o, steps); }
extern "C" __global__ void __launch_bounds__(128) automaton_fix(float* o, int steps) { step_states<8>(o, steps); }
CASE(automaton) {
  int blocks = sm_count(), bytes = STATES * 128;
  float* o = device_floats(blocks * 128 * 4);
  measure("automaton", nullptr, 0, [&] { automaton<<<blocks, 128, bytes>>>(o, 16384); });
  measure("automaton_fix", nullptr, 0, [&] { automaton_fix<<<blocks, 128, bytes>>>(o, 16384); });
}

// branches: odd and even lanes take different branches, against odd and even warps.
__device__ __forceinline__ float branch(bool odd, float x, int turns) {
  float s = x, r = x + 1;
  if (odd) {
    for (int i = 0; i < turns; i++) s = s * 0.9f + 0.1f, r = r * 0.8f + 0.3f;
  } else {
    for (int i = 0; i < turns; i++) s = s * 0.7f - 0.2f, r = r * 0.6f - 0.4f;
  }
  return s + r;
}
extern "C" __global__ void branches(float* o, int turns) {
  o[thread_id()] = branch(threadIdx.x & 1, threadIdx.x, turns);
}
extern "C" __global__ void branches_fix(float* o, int turns) {
  o[thread_id()] = branch(threadIdx.x & 32, threadIdx.x, turns);
}
CASE(branches) {
  int blocks = sm_count() * 32;
  float* o = device_floats(blocks * 256 * 4);
  measure("branches", o, blocks * 256, [&] { branches<<<blocks, 256>>>(o, 4000); });
  measure("branches_fix", o, blocks * 256, [&] { branches_fix<<<blocks, 256>>>(o, 4000); });
}

// half_warp: blocks of 48 threads leave half of each second warp empty, against blocks of 96.
extern "C" __global__ void half_warp(float* o, int turns) { o[thread_id()] = fma_work(threadIdx.x % 48, turns); }
extern "C" __global__ void half_warp_fix(float* o, int turns) { o[thread_id()] = fma_work(threadIdx.x % 48, turns); }
CASE(half_warp) {
  int blocks = sm_count() * 32 * 8, threads = blocks * 48;
  float* o = device_floats(threads * 4);
  measure("half_warp", o, threads, [&] { half_warp<<<blocks, 48>>>(o, 100); });
  measure("half_warp_fix", o, threads, [&] { half_warp_fix<<<blocks / 2, 96>>>(o, 100); });
}

// too_small: a thousand elements.
extern "C" __global__ void too_small(const float* __restrict__ a, float* __restrict__ o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) o[i] = a[i] + 1;
}
CASE(too_small) {
  float *a = device_floats(4096), *o = device_floats(4096);
  measure("too_small", o, 1000, [&] { too_small<<<4, 256>>>(a, o, 1000); });
}
