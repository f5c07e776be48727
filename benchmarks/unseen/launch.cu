// How the work is laid out: grids, waves, blocks, warps, lanes, and what limits the warps on an SM.
#include "harness.cuh"

__global__ void fill_cycle(int* next, ll n, ll step) {
  for (ll i = thread_id(); i < n; i += thread_count()) next[i] = (int)((i * step + 12345) % n);
}
// Steps along a permutation: each load depends on the one before.
__device__ __forceinline__ int follow(const int* next, int at, int steps) {
  for (int s = 0; s < steps; s++) asm volatile("ld.global.b32 %0, [%1];" : "=r"(at) : "l"(next + at));
  return at;
}
constexpr ll PLACES = 4 << 20;
static int* places() {
  int* next = (int*)device_bytes(PLACES * 4);
  fill_cycle<<<1024, 256>>>(next, PLACES, 1664525);
  CHECK(cudaDeviceSynchronize());
  return next;
}

// ---- parameters that are loaded before a walk and used after it, or loaded when they are used: 112 of them, and 40 ------------
template <int N, bool EARLY>
__device__ __forceinline__ void walk_with(const int* next, const float* parameters, float* out, int steps) {
  float p[N], sum = 0;
  auto load = [&] {
#pragma unroll
    for (int k = 0; k < N; k++) asm volatile("ld.global.f32 %0, [%1];" : "=f"(p[k]) : "l"(parameters + k * 32 + (threadIdx.x & 31)));
  };
  if (EARLY) load();
  int at = follow(next, thread_id() % PLACES, steps);
  if (!EARLY) load();
#pragma unroll
  for (int k = 0; k < N; k++) sum = sum * 0.5f + p[k];
  out[thread_id()] = sum + (at & 255);
}
__global__ void __launch_bounds__(128) walk_112_early(const int* next, const float* p, float* out, int steps) { walk_with<112, true>(next, p, out, steps); }
__global__ void __launch_bounds__(128) walk_112_late(const int* next, const float* p, float* out, int steps) { walk_with<112, false>(next, p, out, steps); }
__global__ void __launch_bounds__(128) walk_40_early(const int* next, const float* p, float* out, int steps) { walk_with<40, true>(next, p, out, steps); }
__global__ void __launch_bounds__(128) walk_40_late(const int* next, const float* p, float* out, int steps) { walk_with<40, false>(next, p, out, steps); }
CASE(walks) {
  int blocks = sm_count() * 48, n = blocks * 128;
  int* next = places();
  float *p = device_floats(112 * 128), *out = device_floats(n * 4);
  measure("walk_112_early", nullptr, 0, [=] { walk_112_early<<<blocks, 128>>>(next, p, out, 24); });
  measure("walk_112_late", nullptr, 0, [=] { walk_112_late<<<blocks, 128>>>(next, p, out, 24); });
  measure("walk_40_early", nullptr, 0, [=] { walk_40_early<<<blocks, 128>>>(next, p, out, 24); });
  measure("walk_40_late", nullptr, 0, [=] { walk_40_late<<<blocks, 128>>>(next, p, out, 24); });
}

// ---- a scratch area in shared memory: 72 KiB a block of 128 threads, or 2 KiB; 18 KiB for streaming ------------------------------
__device__ __forceinline__ void follow_with_scratch(const int* next, float* out, int steps) {
  extern __shared__ int scratch[];
  int at = follow(next, thread_id() % PLACES, steps);
  scratch[threadIdx.x] = at;
  __syncwarp();
  out[thread_id()] = scratch[threadIdx.x ^ 1] & 1023;
}
__global__ void __launch_bounds__(128) scratch_72k(const int* next, float* out, int steps) { follow_with_scratch(next, out, steps); }
__global__ void __launch_bounds__(128) scratch_2k(const int* next, float* out, int steps) { follow_with_scratch(next, out, steps); }
__device__ __forceinline__ void stream_with_scratch(const double* __restrict__ in, float* __restrict__ out, int per) {
  extern __shared__ double kept[];
  double sum = 0;
#pragma unroll 1
  for (int j = 0; j < per; j++) {
    double v = in[(blockIdx.x * (ll)per + j) * 128 + threadIdx.x];
    kept[threadIdx.x] = v;
    sum = sum * 0.5 + v;
  }
  out[thread_id()] = (float)(sum + kept[threadIdx.x]);
}
__global__ void __launch_bounds__(128) stream_18k(const double* in, float* out, int per) { stream_with_scratch(in, out, per); }
__global__ void __launch_bounds__(128) stream_2k(const double* in, float* out, int per) { stream_with_scratch(in, out, per); }
CASE(scratches) {
  int blocks = sm_count() * 48, n = blocks * 128, per = 64;
  int* next = places();
  float* out = device_floats(n * 4);
  double* in = (double*)device_bytes((size_t)n * per * 8);
  allow_shared(scratch_72k, 72 * 1024);
  measure("scratch_72k", out, n, [=] { scratch_72k<<<blocks, 128, 72 * 1024>>>(next, out, 24); });
  measure("scratch_2k", out, n, [=] { scratch_2k<<<blocks, 128, 2048>>>(next, out, 24); });
  measure("stream_18k", nullptr, 0, [=] { stream_18k<<<blocks, 128, 18 * 1024>>>(in, out, per); });
  measure("stream_2k", nullptr, 0, [=] { stream_2k<<<blocks, 128, 2048>>>(in, out, per); });
}

// ---- blocks of one warp, of which an SM holds 32, or of eight: a walk, and a stream ------------------------------------------------
__global__ void walk_lone_warps(const int* next, float* out, int steps) { out[thread_id()] = follow(next, thread_id() % PLACES, steps) & 1023; }
__global__ void walk_eight_warps(const int* next, float* out, int steps) { out[thread_id()] = follow(next, thread_id() % PLACES, steps) & 1023; }
__device__ __forceinline__ void stream_pairs(const int2* __restrict__ in, float* __restrict__ out, int per) {
  int sum = 0;
#pragma unroll 1
  for (int j = 0; j < per; j++) {
    int2 v = in[j * thread_count() + thread_id()];
    sum = (sum >> 1) + (v.x ^ v.y);
  }
  out[thread_id()] = sum & 1023;
}
__global__ void stream_lone_warps(const int2* in, float* out, int per) { stream_pairs(in, out, per); }
__global__ void stream_eight_warps(const int2* in, float* out, int per) { stream_pairs(in, out, per); }
CASE(lone_warps) {
  int warps = sm_count() * 64 * 4, n = warps * 32, per = 64;
  int* next = places();
  float* out = device_floats(n * 4);
  int2* in = (int2*)device_bytes((size_t)n * per * 8);
  measure("walk_lone_warps", out, n, [=] { walk_lone_warps<<<warps, 32>>>(next, out, 32); });
  measure("walk_eight_warps", out, n, [=] { walk_eight_warps<<<warps / 8, 256>>>(next, out, 32); });
  measure("stream_lone_warps", out, n, [=] { stream_lone_warps<<<warps, 32>>>(in, out, per); });
  measure("stream_eight_warps", out, n, [=] { stream_eight_warps<<<warps / 8, 256>>>(in, out, per); });
}

// ---- histogram equalisation of 12 planes: a block a plane, or 60 ---------------------------------------------------------------------
template <bool WHOLE>
__device__ __forceinline__ void plane_sum(const uchar4* __restrict__ in, float* out, int n) {
  int first = WHOLE ? 0 : n / gridDim.x * blockIdx.x, last = WHOLE ? n : first + n / gridDim.x;
  const uchar4* plane = in + (size_t)blockIdx.y * n;
  unsigned sum = 0;
#pragma unroll 8
  for (int i = first + threadIdx.x; i < last; i += 512) {
    uchar4 v = plane[i];
    sum += v.x + v.y + v.z + v.w;
  }
  sum = __reduce_add_sync(~0u, sum);
  if (threadIdx.x % 32 == 0) atomicAdd(out + blockIdx.y, (float)(sum & 0xfff));
}
__global__ void __launch_bounds__(512) planes_block_each(const uchar4* in, float* out, int n) { plane_sum<true>(in, out, n); }
__global__ void __launch_bounds__(512) planes_many_blocks(const uchar4* in, float* out, int n) { plane_sum<false>(in, out, n); }
CASE(planes) {
  int n = 60 * 512 * 32;
  uchar4* in = (uchar4*)device_bytes((size_t)12 * n * 4);
  float* out = device_floats(64);
  measure("planes_block_each", nullptr, 0, [=] { planes_block_each<<<dim3(1, 12), 512>>>(in, out, n); });
  measure("planes_many_blocks", nullptr, 0, [=] { planes_many_blocks<<<dim3(60, 12), 512>>>(in, out, n); });
}

// ---- arithmetic in 104 blocks of 1024 threads, or 1664 of 64; and 5, 2 and many waves ----------------------------------------------------
__global__ void __launch_bounds__(1024, 1) grid_104_blocks(float* out, int turns) { out[thread_id()] = fma_work(thread_id() & 15, turns); }
__global__ void __launch_bounds__(64) grid_1664_blocks(float* out, int turns) { out[thread_id()] = fma_work(thread_id() & 15, turns); }
CASE(grids) {
  float* out = device_floats(104 * 4096);
  measure("grid_104_blocks", out, 104 * 1024, [=] { grid_104_blocks<<<104, 1024>>>(out, 2000); });
  measure("grid_1664_blocks", out, 104 * 1024, [=] { grid_1664_blocks<<<104 * 16, 64>>>(out, 2000); });
}

template <class T>
__device__ __forceinline__ float polynomial_sum(int turns) {
  T v[8];
#pragma unroll
  for (int k = 0; k < 8; k++) v[k] = T(threadIdx.x & 15) + k;
  for (int i = 0; i < turns; i++)
#pragma unroll
    for (int j = 0; j < 4; j++)
#pragma unroll
      for (int k = 0; k < 8; k++) v[k] = v[k] * T(0.99) + T(0.5);
  T sum = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) sum += v[k];
  return sum;
}
__global__ void __launch_bounds__(1024, 1) tail_of_five_waves(float* out, int turns) {
  extern __shared__ int unused[];
  out[thread_id()] = polynomial_sum<float>(turns);
}
__global__ void __launch_bounds__(64) tail_spread(float* out, int turns) { out[thread_id()] = polynomial_sum<float>(turns); }
__global__ void __launch_bounds__(512, 2) tail_of_two_waves(float* out, int turns) {
  extern __shared__ int unused[];
  out[thread_id()] = polynomial_sum<double>(turns);
}
__global__ void __launch_bounds__(64) tail_doubles_spread(float* out, int turns) { out[thread_id()] = polynomial_sum<double>(turns); }
CASE(tails) {
  int sms = sm_count(), blocks = sms * 4 + 12, pairs = sms * 2 + 8;
  float* out = device_floats((size_t)blocks * 4096);
  allow_shared(tail_of_five_waves, 120 * 1024);
  allow_shared(tail_of_two_waves, 80 * 1024);
  measure("tail_of_five_waves", out, blocks * 1024, [=] { tail_of_five_waves<<<blocks, 1024, 120 * 1024>>>(out, 1000); });
  measure("tail_spread", out, blocks * 1024, [=] { tail_spread<<<blocks * 16, 64>>>(out, 1000); });
  measure("tail_of_two_waves", out, pairs * 512, [=] { tail_of_two_waves<<<pairs, 512, 80 * 1024>>>(out, 1000); });
  measure("tail_doubles_spread", out, pairs * 512, [=] { tail_doubles_spread<<<pairs * 8, 64>>>(out, 1000); });
}

// ---- buckets of very different size: a block each, or a queue of equal pieces; and a gentle slope ---------------------------------------------
__global__ void __launch_bounds__(256) buckets_block_each(float* out, int turns) {
  int size = max(1, turns / (blockIdx.x / 4 + 1));  // four of each size: the first the largest
  out[thread_id()] = fma_work(threadIdx.x, size);
}
__global__ void __launch_bounds__(256) buckets_equal(float* out, int turns, int blocks) {
  float total = 0;
  for (int b = 0; b < blocks; b++) total += max(1, turns / (b / 4 + 1));
  out[thread_id()] = fma_work(threadIdx.x, (int)(total / blocks + 0.5f));
}
__global__ void __launch_bounds__(256) slope_in_order(float* out, int turns) {
  out[thread_id()] = fma_work(threadIdx.x, turns * (gridDim.x + blockIdx.x) / gridDim.x);
}
__global__ void __launch_bounds__(256) slope_level(float* out, int turns) { out[thread_id()] = fma_work(threadIdx.x, turns + turns / 2); }
// Blocks 0 to 131 go to the 132 SMs: each fourth row of blocks is heavy.
__global__ void __launch_bounds__(1024, 1) halves_uneven(float* out, int turns) {
  out[thread_id()] = fma_work(threadIdx.x, blockIdx.x & 1 ? turns : turns / 3);
}
__global__ void __launch_bounds__(1024, 1) halves_even(float* out, int turns) { out[thread_id()] = fma_work(threadIdx.x, turns * 2 / 3); }
CASE(shares) {
  int blocks = sm_count() * 4;
  float* out = device_floats((size_t)blocks * 4096);
  measure("buckets_block_each", nullptr, 0, [=] { buckets_block_each<<<blocks, 256>>>(out, 6000); });
  measure("buckets_equal", nullptr, 0, [=] { buckets_equal<<<blocks, 256>>>(out, 6000, blocks); });
  measure("slope_in_order", nullptr, 0, [=] { slope_in_order<<<blocks, 256>>>(out, 600); });
  measure("slope_level", nullptr, 0, [=] { slope_level<<<blocks, 256>>>(out, 600); });
  measure("halves_uneven", nullptr, 0, [=] { halves_uneven<<<blocks / 4, 1024>>>(out, 1500); });
  measure("halves_even", nullptr, 0, [=] { halves_even<<<blocks / 4, 1024>>>(out, 1500); });
}

// ---- blocks whose last warp is mostly empty: 33 threads against 96, 72 (of three warps) against 288 -----------------------------------------------
__device__ __forceinline__ unsigned mix(unsigned x, int turns) {
  unsigned a = x, b = x * 3, c = x * 5, d = x * 7;
  for (int i = 0; i < turns; i++) a = (a ^ a >> 3) + b, b = (b ^ b << 5) + c, c = (c ^ c >> 7) + d, d = (d ^ d << 9) + a;
  return a ^ b ^ c ^ d;
}
__device__ __forceinline__ ll flat_thread() {
  return (blockIdx.y * (ll)gridDim.x + blockIdx.x) * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x;
}
__global__ void blocks_of_33(unsigned* out, int turns) { out[flat_thread()] = mix(flat_thread() & 1023, turns); }
__global__ void blocks_of_96(unsigned* out, int turns) { out[flat_thread()] = mix(flat_thread() & 1023, turns); }
__global__ void blocks_of_72(unsigned* out, int turns) { out[flat_thread()] = mix(flat_thread() & 1023, turns); }
__global__ void blocks_of_288(unsigned* out, int turns) { out[flat_thread()] = mix(flat_thread() & 1023, turns); }
CASE(odd_blocks) {
  int threads = sm_count() * 2048 * 9, few = threads / 72 / 16 * 16 * 72, pairs = threads / 1056 * 1056;
  unsigned* out = (unsigned*)device_bytes((size_t)threads * 4);
  measure("blocks_of_33", nullptr, 0, [=] { blocks_of_33<<<dim3(pairs / 33 / 32, 32), dim3(11, 3)>>>(out, 400); });
  measure("blocks_of_96", nullptr, 0, [=] { blocks_of_96<<<pairs / 96, 96>>>(out, 400); });
  measure("blocks_of_72", nullptr, 0, [=] { blocks_of_72<<<dim3(few / 72 / 16, 16), dim3(9, 8)>>>(out, 400); });
  measure("blocks_of_288", nullptr, 0, [=] { blocks_of_288<<<few / 288, 288>>>(out, 400); });
}

// ---- Collatz steps of numbers as they come, or sorted by their number of steps; a rare long path, apart or together --------------------------------
__device__ __forceinline__ unsigned collatz(unsigned n) {
  unsigned steps = 0;
  while (n != 1) n = n & 1 ? 3 * n + 1 : n / 2, steps++;
  return steps;
}
__global__ void collatz_sort_keys(unsigned* key, int n) {
  for (int i = thread_id(); i < n; i += thread_count()) key[i] = collatz(i % 100000 + 1);
}
__global__ void __launch_bounds__(256) collatz_as_given(const unsigned* __restrict__ in, unsigned* __restrict__ out) {
  unsigned sum = 0;
  for (int k = 0; k < 8; k++) sum += collatz(in[k * thread_count() + thread_id()]);
  out[thread_id()] = sum;
}
__global__ void __launch_bounds__(256) collatz_sorted(const unsigned* __restrict__ in, unsigned* __restrict__ out) {
  unsigned sum = 0;
  for (int k = 0; k < 8; k++) sum += collatz(in[k * thread_count() + thread_id()]);
  out[thread_id()] = sum;
}
template <bool TOGETHER>
__device__ __forceinline__ void clipped(float* out, int rounds, int turns) {
  float v = threadIdx.x & 31, sum = 0;
  for (int r = 0; r < rounds; r++) {
    v = fma_work(v, 4) * 0.01f;
    bool rare = TOGETHER ? (threadIdx.x / 32 + r & 15) == 0 : (threadIdx.x + r & 15) == 0;
    if (rare) v += fma_work(v, turns) * 0.01f;
    sum += v;
  }
  out[thread_id()] = sum;
}
__global__ void __launch_bounds__(512) rare_path_apart(float* out, int rounds, int turns) { clipped<false>(out, rounds, turns); }
__global__ void __launch_bounds__(512) rare_path_together(float* out, int rounds, int turns) { clipped<true>(out, rounds, turns); }
CASE(paths) {
  int n = 1 << 21, threads = n / 8, blocks = sm_count() * 16;
  unsigned *in = (unsigned*)device_bytes(n * 4), *out = (unsigned*)device_bytes(n * 4);
  std::vector<unsigned> steps(n), sorted(n), first(1024, 0);
  collatz_sort_keys<<<1024, 256>>>(out, n);
  CHECK(cudaMemcpy(steps.data(), out, n * 4, cudaMemcpyDeviceToHost));
  for (unsigned s : steps) first[s + 1]++;
  for (int k = 1; k < 1024; k++) first[k] += first[k - 1];
  for (int i = 0; i < n; i++) sorted[first[steps[i]]++] = i % 100000 + 1;
  for (int i = 0; i < n; i++) steps[i] = i % 100000 + 1;
  CHECK(cudaMemcpy(in, steps.data(), n * 4, cudaMemcpyHostToDevice));
  measure("collatz_as_given", nullptr, 0, [=] { collatz_as_given<<<threads / 256, 256>>>(in, out); });
  CHECK(cudaMemcpy(in, sorted.data(), n * 4, cudaMemcpyHostToDevice));
  measure("collatz_sorted", nullptr, 0, [=] { collatz_sorted<<<threads / 256, 256>>>(in, out); });
  measure("rare_path_apart", nullptr, 0, [=] { rare_path_apart<<<blocks, 512>>>((float*)out, 32, 8); });
  measure("rare_path_together", nullptr, 0, [=] { rare_path_together<<<blocks, 512>>>((float*)out, 32, 8); });
}

// ---- launches that are over at once ---------------------------------------------------------------------------------------------------------------------
__global__ void set_flag(int* flag) { *flag = 1; }
__global__ void dot_4096(const float4* __restrict__ a, const float4* __restrict__ b, float* out) {
  float4 u = a[thread_id()], v = b[thread_id()];
  float sum = u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
  for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
CASE(short_launches) {
  float *a = device_floats(16384), *b = device_floats(16384), *out = device_floats(4);
  measure("set_flag", nullptr, 0, [=] { set_flag<<<1, 1>>>((int*)out); });
  measure("dot_4096", nullptr, 0, [=] { dot_4096<<<8, 128>>>((float4*)a, (float4*)b, out); });
}
