// Irregular work: lists, sparse rows, histograms, atomics, hash tables, tables with per-thread indices.
#include "harness.cuh"

__host__ __device__ inline unsigned mix(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}
__device__ unsigned shuffle24(unsigned x) {  // a bijection on 24 bits
  const unsigned mask = (1u << 24) - 1;
  x = (x * 2654435761u) & mask;
  x ^= x >> 13;
  x = (x * 2246822519u) & mask;
  return x ^ (x >> 11);
}

// ---- linked lists: 16384 of 1024 nodes, scattered over 128 MiB ----------------------------------------------------
struct Node {
  int next;
  float value;
};
constexpr int LISTS = 16384, HOPS = 1024;
__global__ void make_lists(Node* nodes, int* entries) {
  for (ll i = thread_id(); i < (ll)LISTS * HOPS; i += thread_count()) {
    int hop = i / LISTS, list = i % LISTS;
    unsigned at = shuffle24((unsigned)i);
    nodes[at] = {hop + 1 < HOPS ? (int)shuffle24((unsigned)i + LISTS) : -1, 0.5f + (mix(at) & 1023) / 2048.f};
    if (hop % (HOPS / 8) == 0) entries[hop / (HOPS / 8) * LISTS + list] = at;
  }
}
__global__ void list_walk(const Node* __restrict__ nodes, const int* __restrict__ heads, float* __restrict__ out) {
  int list = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int at = heads[list]; at >= 0;) {
    Node node = nodes[at];
    sum += node.value;
    at = node.next;
  }
  out[list] = sum;
}
// With an entry point every 128 nodes, eight threads share a list.
__global__ void list_walk_entries(const Node* __restrict__ nodes, const int* __restrict__ heads, float* __restrict__ out) {
  int part = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  int at = heads[part];
  for (int hop = 0; hop < HOPS / 8; hop++) {
    Node node = nodes[at];
    sum += node.value;
    at = node.next;
  }
  out[part] = sum;
}
CASE(lists) {
  Node* nodes = (Node*)device_bytes((size_t)LISTS * HOPS * 8);
  int* entries = (int*)device_bytes(LISTS * 8 * 4);
  float* out = device_floats(LISTS * 8 * 4);
  make_lists<<<2048, 256>>>(nodes, entries);
  CHECK(cudaDeviceSynchronize());
  measure("list_walk", out, LISTS, [=] { list_walk<<<LISTS / 64, 64>>>(nodes, entries, out); });
  measure("list_walk_entries", out, LISTS * 8, [=] { list_walk_entries<<<LISTS * 8 / 64, 64>>>(nodes, entries, out); });
}

// ---- CSR sparse matrix times vector, a few long rows among many short ones ----------------------------------------
__global__ void fill_matrix(const int* start, int* column, float* value, int rows) {
  for (ll r = thread_id(); r < rows; r += thread_count())
    for (int k = start[r]; k < start[r + 1]; k++) {
      column[k] = min(rows - 1, max(0, (int)r - 2048 + (int)(mix(k) & 4095)));
      value[k] = 0.5f + (mix(k + 77) & 1023) / 2048.f;
    }
}
__global__ void spmv_scalar(const int* __restrict__ start, const int* __restrict__ column, const float* __restrict__ value,
                            const float* __restrict__ x, float* __restrict__ y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = start[row]; k < start[row + 1]; k++) sum += value[k] * x[column[k]];
  y[row] = sum;
}
__global__ void spmv_vector(const int* __restrict__ start, const int* __restrict__ column, const float* __restrict__ value,
                            const float* __restrict__ x, float* __restrict__ y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x % 8;
  if (row >= rows) return;
  float sum = 0;
  for (int k = start[row] + lane, end = start[row + 1]; k < end; k += 8) sum += value[k] * x[column[k]];
  for (int d = 4; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d, 8);
  if (lane == 0) y[row] = sum;
}
CASE(spmv) {
  int rows = 2 << 20;
  std::vector<int> first(rows + 1);
  for (int r = 0, total = 0; r < rows; r++) {
    unsigned u = mix(r + 12345) % 10000 + 1;  // row length 6 / u^0.7
    double len = 6.0 * __builtin_pow(u / 10000.0, -0.7);
    total += (int)len;
    first[r + 1] = total;
  }
  int nonzeros = first[rows];
  int *start = (int*)device_bytes((rows + 1) * 4), *column = (int*)device_bytes((size_t)nonzeros * 4);
  float *value = device_floats((size_t)nonzeros * 4), *x = device_floats(rows * 4), *y = device_floats(rows * 4);
  CHECK(cudaMemcpy(start, first.data(), (rows + 1) * 4, cudaMemcpyHostToDevice));
  fill_matrix<<<2048, 256>>>(start, column, value, rows);
  CHECK(cudaDeviceSynchronize());
  measure("spmv_scalar", y, rows, [=] { spmv_scalar<<<rows / 256, 256>>>(start, column, value, x, y, rows); });
  measure("spmv_vector", y, rows, [=] { spmv_vector<<<rows / 32, 256>>>(start, column, value, x, y, rows); });
}

// ---- weighted histograms (bin in the low byte, weight above it); half of the pixels fall into one bin --------------
__global__ void make_pixels(unsigned* p, ll n) {
  for (ll i = thread_id(); i < n; i += thread_count()) {
    unsigned h = mix((unsigned)i);
    p[i] = ((h >> 8) & 7) << 8 | ((h >> 31) ? 0 : h & 255);
  }
}
__global__ void hist_global(const unsigned* __restrict__ pixels, unsigned* hist, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned p = pixels[i];
    atomicAdd(&hist[p & 255], p >> 8);
  }
}
__device__ __forceinline__ void hist_in_block(const unsigned* __restrict__ pixels, unsigned* hist, int n) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned p = pixels[i];
    atomicAdd(&bins[p & 255], p >> 8);
  }
  __syncthreads();
  atomicAdd(&hist[threadIdx.x], bins[threadIdx.x]);
}
__global__ void hist_blocks(const unsigned* __restrict__ pixels, unsigned* hist, int n) { hist_in_block(pixels, hist, n); }
__global__ void hist_shared(const unsigned* __restrict__ pixels, unsigned* hist, int n) { hist_in_block(pixels, hist, n); }
// A copy of the bins for each lane: no two lanes meet on a bank.
__global__ void hist_lanes(const unsigned* __restrict__ pixels, unsigned* hist, int n) {
  __shared__ unsigned bins[256 * 32];
  int lane = threadIdx.x % 32;
  for (int i = threadIdx.x; i < 256 * 32; i += blockDim.x) bins[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned p = pixels[i];
    atomicAdd(&bins[(p & 255) * 32 + lane], p >> 8);
  }
  __syncthreads();
  unsigned sum = 0;
  if (threadIdx.x < 256) {
    for (int k = 0; k < 32; k++) sum += bins[threadIdx.x * 32 + (k + lane) % 32];
    atomicAdd(&hist[threadIdx.x], sum);
  }
}
CASE(histogram_small) {
  int n = 8 << 20;
  unsigned *pixels = (unsigned*)device_bytes((size_t)n * 4), *hist = (unsigned*)device_bytes(1024);
  make_pixels<<<2048, 256>>>(pixels, n);
  CHECK(cudaDeviceSynchronize());
  measure("hist_global", (float*)hist, 256, [=] { hist_global<<<1056, 256>>>(pixels, hist, n); });
  measure("hist_blocks", (float*)hist, 256, [=] { hist_blocks<<<1056, 256>>>(pixels, hist, n); });
}
CASE(histogram_large) {
  int n = 128 << 20;
  unsigned *pixels = (unsigned*)device_bytes((size_t)n * 4), *hist = (unsigned*)device_bytes(1024);
  make_pixels<<<2048, 256>>>(pixels, n);
  CHECK(cudaDeviceSynchronize());
  measure("hist_shared", (float*)hist, 256, [=] { hist_shared<<<1056, 256>>>(pixels, hist, n); });
  measure("hist_lanes", (float*)hist, 256, [=] { hist_lanes<<<264, 1024>>>(pixels, hist, n); });
}

// ---- maximum of each of 16 channels (a channel is a run of 1024 values) -----------------------------------------------
__device__ void atomic_max_float(float* address, float value) {
  int* bits = (int*)address;
  int old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
  } while (assumed != old);
}
__global__ void channel_max_cas(const float* __restrict__ in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomic_max_float(&out[i / 1024 % 16], in[i]);
}
__global__ void channel_max_reduce(const float* __restrict__ in, float* out, int n) {
  int i = blockIdx.x * 1024 + threadIdx.x;
  float best = 0;
#pragma unroll
  for (int k = 0; k < 1024; k += 256) best = fmaxf(best, in[i + k]);
  for (int d = 16; d; d /= 2) best = fmaxf(best, __shfl_xor_sync(~0u, best, d));
  __shared__ float warps[8];
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = best;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; w++) best = fmaxf(best, warps[w]);
    atomicMax((int*)&out[blockIdx.x % 16], __float_as_int(best));  // positive floats order like integers
  }
}
CASE(channel_max) {
  int n = 2 << 20;
  float *in = device_floats((size_t)n * 4), *out = device_floats(64);
  measure("channel_max_cas", out, 16, [=] { channel_max_cas<<<n / 256, 256>>>(in, out, n); });
  measure("channel_max_reduce", out, 16, [=] { channel_max_reduce<<<n / 1024, 256>>>(in, out, n); });
}

// ---- pairs j < i: two rows a thread, next to each other or one from each end -------------------------------------------
__device__ __forceinline__ float pair_row(const float* __restrict__ x, int i) {
  float xi = x[i], sum = 0;
#pragma unroll 4
  for (int j = 0; j < i; j++) sum += fmaxf(0.f, 0.125f - fabsf(x[j] - xi));
  return sum;
}
__global__ void __launch_bounds__(512) pairs_contiguous(const float* __restrict__ x, float* __restrict__ out, int threads) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = pair_row(x, 2 * t) + pair_row(x, 2 * t + 1);
}
__global__ void __launch_bounds__(512) pairs_balanced(const float* __restrict__ x, float* __restrict__ out, int threads) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = pair_row(x, t) + pair_row(x, 2 * threads - 1 - t);
}
CASE(pairs) {
  int blocks = sm_count(), threads = blocks * 512;
  float *x = device_floats((size_t)threads * 8), *out = device_floats((size_t)threads * 4);
  measure("pairs_contiguous", out, threads, [=] { pairs_contiguous<<<blocks, 512>>>(x, out, threads); });
  measure("pairs_balanced", out, threads, [=] { pairs_balanced<<<blocks, 512>>>(x, out, threads); });
}

// ---- a 4096-entry curve read at data-dependent places --------------------------------------------------------------------
__constant__ float curve[4096];
__global__ void curve_constant(const unsigned* __restrict__ in, float* __restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned b = in[i];
  out[i] = curve[b & 4095] + curve[(b >> 5) & 4095] + curve[(b >> 11) & 4095];
}
__global__ void curve_shared(const unsigned* __restrict__ in, float* __restrict__ out, int n) {
  __shared__ float table[4096];
  for (int i = threadIdx.x; i < 4096; i += blockDim.x) table[i] = curve[i];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned b = in[i];
    out[i] = table[b & 4095] + table[(b >> 5) & 4095] + table[(b >> 11) & 4095];
  }
}
CASE(curve_lookup) {
  int n = 64 << 20;
  std::vector<float> values(4096);
  for (int i = 0; i < 4096; i++) values[i] = 0.25f + i / 8192.f;
  CHECK(cudaMemcpyToSymbol(curve, values.data(), 16384));
  unsigned* in = (unsigned*)device_bytes((size_t)n * 4);
  float* out = device_floats((size_t)n * 4);
  measure("curve_constant", out, n, [=] { curve_constant<<<n / 256, 256>>>(in, out, n); });
  measure("curve_shared", out, n, [=] { curve_shared<<<1056, 256>>>(in, out, n); });
}

// ---- an embedding table: a block of one warp for each row, or eight rows a block ----------------------------------------
__device__ __forceinline__ void copy_row(const float2* __restrict__ table, const unsigned* __restrict__ ids, float2* __restrict__ out,
                                         int row, int lane) {
  float2 v = table[(size_t)(ids[row] & ((1 << 20) - 1)) * 32 + lane];
  out[(size_t)row * 32 + lane] = make_float2(v.x * 8, v.y * 8);
}
__global__ void embed_block_per_row(const float2* __restrict__ table, const unsigned* __restrict__ ids, float2* __restrict__ out) {
  copy_row(table, ids, out, blockIdx.x, threadIdx.x);
}
__global__ void embed_eight_rows(const float2* __restrict__ table, const unsigned* __restrict__ ids, float2* __restrict__ out) {
  copy_row(table, ids, out, blockIdx.x * 8 + threadIdx.x / 32, threadIdx.x % 32);
}
CASE(embedding) {
  int rows = 2 << 20;
  float2 *table = (float2*)device_bytes(256 * MiB), *out = (float2*)device_bytes((size_t)rows * 256);
  unsigned* ids = (unsigned*)device_bytes((size_t)rows * 4);
  measure("embed_block_per_row", (float*)out, (size_t)rows * 64, [=] { embed_block_per_row<<<rows, 32>>>(table, ids, out); });
  measure("embed_eight_rows", (float*)out, (size_t)rows * 64, [=] { embed_eight_rows<<<rows / 8, 256>>>(table, ids, out); });
}

// ---- open addressing: 64 Mi slots, 60% taken ------------------------------------------------------------------------------
struct Slot {
  unsigned key;
  float value;
};
constexpr unsigned SLOTS = 1u << 26, EMPTY = ~0u;
__global__ void hash_clear(Slot* table) {
  for (ll i = thread_id(); i < SLOTS; i += thread_count()) table[i] = {EMPTY, 0};
}
__global__ void hash_insert(Slot* table, unsigned keys) {
  for (ll i = thread_id(); i < keys; i += thread_count()) {
    unsigned key = (unsigned)i * 2, at = mix(key) & (SLOTS - 1);
    while (atomicCAS(&table[at].key, EMPTY, key) != EMPTY) at = (at + 1) & (SLOTS - 1);
    table[at].value = 0.5f + (key & 1023) / 2048.f;
  }
}
__global__ void hash_lookup(const Slot* __restrict__ table, float* __restrict__ out, int n, unsigned keys) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned key = mix(i + 99) % (keys * 2), at = mix(key) & (SLOTS - 1);  // every other one is there
  float found = 0;
  while (true) {
    Slot slot = table[at];
    if (slot.key == key) found = slot.value;
    if (slot.key == key || slot.key == EMPTY) break;
    at = (at + 1) & (SLOTS - 1);
  }
  out[i] = found;
}
CASE(hash_table) {
  unsigned keys = SLOTS / 10 * 6;
  int n = 16 << 20;
  Slot* table = (Slot*)device_bytes((size_t)SLOTS * 8);
  float* out = device_floats((size_t)n * 4);
  hash_clear<<<2048, 256>>>(table);
  hash_insert<<<2048, 256>>>(table, keys);
  CHECK(cudaDeviceSynchronize());
  measure("hash_lookup", out, n, [=] { hash_lookup<<<n / 256, 256>>>(table, out, n, keys); });
}
