// Kernels that are done: each at what one unit sustains, or held by the data that it must move.
#include <cuda_fp16.h>
#include <cstdint>
#include "harness.cuh"

// ---- DRAM: read, written, 1:1, 3:1, through textures, and by bulk copies ----------------------------------------------------------
__global__ void __launch_bounds__(512) roof_xor_read(const uint4* __restrict__ in, unsigned* __restrict__ out) {
  size_t at = blockIdx.x * 4096ull + threadIdx.x;
  uint4 v[8];
#pragma unroll
  for (int k = 0; k < 8; k++) v[k] = in[at + k * 512];
  unsigned x = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) x ^= v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
  x = __reduce_xor_sync(~0u, x);
  if (threadIdx.x % 32 == 0) out[thread_id() / 32] = x;
}
__global__ void __launch_bounds__(256) roof_double_fill(double2* __restrict__ out, double value) {
  size_t at = blockIdx.x * 1024ull + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; k++) out[at + k * 256] = make_double2(value, -value);
}
__global__ void __launch_bounds__(256) roof_half_axpy(const uint4* __restrict__ x, uint4* __restrict__ y, __half2 a) {
  size_t at = blockIdx.x * 512ull + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 2; k++) {
    uint4 u = x[at + k * 256], v = y[at + k * 256];
    __half2 *p = (__half2*)&u, *q = (__half2*)&v;
#pragma unroll
    for (int j = 0; j < 4; j++) q[j] = __hfma2(a, p[j], q[j]);
    y[at + k * 256] = v;
  }
}
__global__ void __launch_bounds__(256) roof_blend_bytes(const uint4* __restrict__ a, const uint4* __restrict__ b, const uint4* __restrict__ c, uint4* __restrict__ out) {
  size_t at = thread_id();
  uint4 x = a[at], y = b[at], z = c[at];
  auto blend = [](unsigned p, unsigned q, unsigned r) { return __vavgu4(__vmaxu4(p, q), r); };
  out[at] = make_uint4(blend(x.x, y.x, z.x), blend(x.y, y.y, z.y), blend(x.z, y.z, z.z), blend(x.w, y.w, z.w));
}
CASE(roof_dram) {
  size_t bytes = 512 * MiB;
  void *a = device_bytes(bytes), *b = device_bytes(bytes), *c = device_bytes(bytes), *d = device_bytes(bytes);
  measure("roof_xor_read", nullptr, 0, [=] { roof_xor_read<<<bytes / 65536, 512>>>((uint4*)a, (unsigned*)d); });
  measure("roof_double_fill", nullptr, 0, [=] { roof_double_fill<<<bytes / 16384, 256>>>((double2*)d, 0.5); });
  measure("roof_half_axpy", nullptr, 0, [=] { roof_half_axpy<<<bytes / 8192, 256>>>((uint4*)a, (uint4*)d, __float2half2_rn(0.01f)); });
  measure("roof_blend_bytes", nullptr, 0, [=] { roof_blend_bytes<<<bytes / 4096, 256>>>((uint4*)a, (uint4*)b, (uint4*)c, (uint4*)d); });
}

// Rows of eight floats, four rows a warp: four sectors a line are used by neighbours, and no byte is fetched in vain.
__global__ void roof_small_tiles(const float* __restrict__ in, float* __restrict__ out, int n) {
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 128 + threadIdx.y;
  float v[4];
#pragma unroll
  for (int k = 0; k < 4; k++) v[k] = in[(size_t)(y + k * 32) * n + x];
#pragma unroll
  for (int k = 0; k < 4; k++) out[(size_t)(y + k * 32) * n + x] = v[k] * 0.5f;
}
CASE(roof_tiles) {
  int n = 8192;
  float *in = device_floats((size_t)n * n * 4), *out = device_floats((size_t)n * n * 4);
  measure("roof_small_tiles", nullptr, 0, [=] { roof_small_tiles<<<dim3(n / 8, n / 128), dim3(8, 32)>>>(in, out, n); });
}

// A copy by the bulk engine alone: one thread a block, four tiles of 16 KiB in flight.
__device__ __forceinline__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__global__ void __launch_bounds__(32) roof_bulk_copy(const char* __restrict__ in, char* __restrict__ out, int tiles) {
  extern __shared__ __align__(128) char ring[];
  __shared__ uint64_t full[4];
  constexpr int SIZE = 16384;
  if (threadIdx.x) return;
  for (int s = 0; s < 4; s++) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&full[s])) : "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  auto fetch = [&](int k) {
    unsigned barrier = shared_address(&full[k % 4]);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(SIZE) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(ring + k % 4 * SIZE)),
                 "l"(in + ((size_t)k * gridDim.x + blockIdx.x) * SIZE), "r"(SIZE), "r"(barrier)
                 : "memory");
  };
  for (int k = 0; k < 3; k++) fetch(k);
  for (int k = 0; k < tiles; k++) {
    unsigned done = 0;
    while (!done)
      asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                   : "=r"(done)
                   : "r"(shared_address(&full[k % 4])), "r"(k / 4 & 1)
                   : "memory");
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + ((size_t)k * gridDim.x + blockIdx.x) * SIZE),
                 "r"(shared_address(ring + k % 4 * SIZE)), "r"(SIZE)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");  // the stage of the tile before may be filled again
    if (k + 3 < tiles) fetch(k + 3);
  }
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
CASE(roof_bulk) {
  int blocks = sm_count() * 3, tiles = 64;
  char *in = (char*)device_bytes((size_t)blocks * tiles * 16384), *out = (char*)device_bytes((size_t)blocks * tiles * 16384);
  size_t words = (size_t)blocks * tiles * 4096;
  allow_shared(roof_bulk_copy, 65536);
  measure("roof_bulk_copy", (float*)out, words, [=] { roof_bulk_copy<<<blocks, 32, 65536>>>(in, out, tiles); });
}

// ---- L2: a table of 20 MiB read 24 times; sums into 8 MiB by coalesced atomics; L1: 16 bytes a lane; textures with filtering ------------
__global__ void __launch_bounds__(512) roof_l2_bytes(const uint4* __restrict__ in, unsigned* __restrict__ out, int turns) {
  constexpr unsigned N = 20u << 16;
  unsigned x = 0, at = (blockIdx.x * 512u + threadIdx.x) % N;
  for (int t = 0; t < turns; t++) {
    uint4 v[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
      v[k] = __ldcg(in + at);
      at += 135168;
      at = at >= N ? at - N : at;
    }
#pragma unroll
    for (int k = 0; k < 4; k++) x ^= v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
  }
  out[thread_id()] = x;
}
__global__ void __launch_bounds__(256) roof_add_coalesced(unsigned* __restrict__ out, int turns) {
  unsigned at = thread_id();
  for (int t = 0; t < turns; t++) {
    atomicAdd(out + (at & (2 << 20) - 1), t);
    at += 270336;
  }
}
__global__ void __launch_bounds__(256) roof_l1_shorts(const uint4* __restrict__ in, unsigned* __restrict__ out, int turns) {
  const uint4* mine = in + blockIdx.x % 132 * 1024;
  unsigned x = 0;
  for (int t = 0; t < turns; t++)
#pragma unroll
    for (int k = 0; k < 4; k++) {
      uint4 v = mine[(threadIdx.x + k * 256 + t * 8) & 1023];
      x ^= v.x ^ v.y ^ v.z ^ v.w;
    }
  out[thread_id()] = x;
}
__global__ void __launch_bounds__(256) roof_texture(cudaTextureObject_t image, float* __restrict__ out, int turns) {
  float x = (threadIdx.x & 15) + 0.3f, y = threadIdx.x / 16 + 0.7f, sum = 0;
  for (int t = 0; t < turns; t++)
#pragma unroll
    for (int k = 0; k < 8; k++) sum += tex2D<float>(image, x + k, y + (t & 15));
  out[thread_id()] = sum;
}
CASE(roof_caches) {
  int blocks = sm_count() * 4;
  void *in = device_bytes(20 * MiB), *out = device_bytes(8 * MiB);
  measure("roof_l2_bytes", nullptr, 0, [=] { roof_l2_bytes<<<blocks, 512>>>((uint4*)in, (unsigned*)out, 30); });
  measure("roof_add_coalesced", nullptr, 0, [=] { roof_add_coalesced<<<blocks * 2, 256>>>((unsigned*)out, 100); });
  measure("roof_l1_shorts", nullptr, 0, [=] { roof_l1_shorts<<<blocks * 2, 256>>>((uint4*)in, (unsigned*)out, 200); });
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&array, &format, 64, 64));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, in, 256, 256, 64, cudaMemcpyDeviceToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.filterMode = cudaFilterModeLinear;
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t image;
  CHECK(cudaCreateTextureObject(&image, &resource, &description, nullptr));
  measure("roof_texture", nullptr, 0, [=] { roof_texture<<<blocks * 2, 256>>>(image, (float*)out, 60); });
  CHECK(cudaDestroyTextureObject(image));
  CHECK(cudaFreeArray(array));
}

// ---- shared memory: eight bytes a lane; shuffles ---------------------------------------------------------------------------------------------
__global__ void __launch_bounds__(256) roof_shared_pairs(unsigned* __restrict__ out, int turns) {
  __shared__ uint2 table[2048];
  for (int k = threadIdx.x; k < 2048; k += 256) table[k] = make_uint2(k, k * 3);
  __syncthreads();
  unsigned x = 0;
  for (int t = 0; t < turns; t++)
#pragma unroll
    for (int k = 0; k < 8; k++) {
      uint2 v = table[(threadIdx.x + k * 256 + t) & 2047];
      x += v.x ^ v.y;
    }
  out[thread_id()] = x;
}
__global__ void __launch_bounds__(256) roof_shuffles(unsigned* __restrict__ out, int turns) {
  unsigned v[8];
#pragma unroll
  for (int k = 0; k < 8; k++) v[k] = threadIdx.x * 8 + k;
  for (int t = 0; t < turns; t++)
#pragma unroll
    for (int k = 0; k < 8; k++) v[k] = __shfl_xor_sync(~0u, v[k], 1 + (k & 3) * 4) + 1;
  out[thread_id()] = v[0] ^ v[1] ^ v[2] ^ v[3] ^ v[4] ^ v[5] ^ v[6] ^ v[7];
}
CASE(roof_banks) {
  int blocks = sm_count() * 8;
  unsigned* out = (unsigned*)device_bytes(blocks * 1024);
  measure("roof_shared_pairs", nullptr, 0, [=] { roof_shared_pairs<<<blocks, 256>>>(out, 300); });
  measure("roof_shuffles", nullptr, 0, [=] { roof_shuffles<<<blocks, 256>>>(out, 300); });
}

// ---- pipes: packed halves, integer products, minima and maxima, square roots, adds and logic at four a cycle ------------------------------------
template <class T, class STEP>
__device__ __forceinline__ T turn_eight(T first, T by, int turns, STEP step) {
  T v[8];
#pragma unroll
  for (int k = 0; k < 8; k++) v[k] = first;
  for (int t = 0; t < turns; t++)
#pragma unroll
    for (int j = 0; j < 4; j++)
#pragma unroll
      for (int k = 0; k < 8; k++) v[k] = step(v[k], by);
  T sum = v[0];
#pragma unroll
  for (int k = 1; k < 8; k++) sum = sum + v[k];
  return sum;
}
__global__ void __launch_bounds__(256) roof_packed_halves(__half2* out, __half2 by, int turns) {
  out[thread_id()] = turn_eight(__float2half2_rn(threadIdx.x & 7), by, turns, [](__half2 v, __half2 a) { return __hfma2(v, a, a); });
}
__global__ void __launch_bounds__(256) roof_integer_products(unsigned* out, unsigned by, int turns) {
  out[thread_id()] = turn_eight((unsigned)thread_id(), by, turns, [](unsigned v, unsigned a) { return v * a + 12345u; });
}
__global__ void __launch_bounds__(256) roof_extrema(int* out, int by, int turns) {
  out[thread_id()] = turn_eight((int)thread_id(), by, turns, [](int v, int a) {
    asm volatile("max.s32 %0, %0, %1;" : "+r"(v) : "r"(a));
    asm volatile("min.s32 %0, %0, %1;" : "+r"(v) : "r"(a + 1));
    return v;
  });
}
__global__ void __launch_bounds__(256) roof_roots(float* out, float by, int turns) {
  out[thread_id()] = turn_eight(threadIdx.x + 2.f, by, turns, [](float v, float) {
    asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(v));
    return v;
  });
}
__global__ void __launch_bounds__(256) roof_issue(float* out, float by, int turns) {
  unsigned x[4] = {1, 2, 3, threadIdx.x};
  float v[4] = {by, by, by, by};
  for (int t = 0; t < turns; t++)
#pragma unroll
    for (int j = 0; j < 8; j++)
#pragma unroll
      for (int k = 0; k < 4; k++) {
        asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(v[k]) : "f"(by));
        asm volatile("xor.b32 %0, %0, %1;" : "+r"(x[k]) : "r"(t));
      }
  out[thread_id()] = v[0] + v[1] + v[2] + v[3] + (x[0] ^ x[1] ^ x[2] ^ x[3]);
}
CASE(roof_pipes) {
  int blocks = sm_count() * 16;
  void* out = device_bytes(blocks * 1024);
  measure("roof_packed_halves", nullptr, 0, [=] { roof_packed_halves<<<blocks, 256>>>((__half2*)out, __float2half2_rn(0.5f), 300); });
  measure("roof_integer_products", nullptr, 0, [=] { roof_integer_products<<<blocks, 256>>>((unsigned*)out, 7, 300); });
  measure("roof_extrema", nullptr, 0, [=] { roof_extrema<<<blocks, 256>>>((int*)out, 7, 150); });
  measure("roof_roots", nullptr, 0, [=] { roof_roots<<<blocks, 256>>>((float*)out, 7, 100); });
  measure("roof_issue", nullptr, 0, [=] { roof_issue<<<blocks, 256>>>((float*)out, 0.5f, 200); });
}

// ---- three elementwise kernels of one chain over 16-bit data: each at DRAM's roof -----------------------------------------------------------------
template <class STEP>
__device__ __forceinline__ void map_halves(uint4* data, STEP step) {
  uint4* p = data + blockIdx.x * 1024ull + threadIdx.x;
  uint4 v[4];
#pragma unroll
  for (int k = 0; k < 4; k++) v[k] = p[k * 256];
#pragma unroll
  for (int k = 0; k < 4; k++) {
    __half2* h = (__half2*)&v[k];
#pragma unroll
    for (int j = 0; j < 4; j++) h[j] = step(h[j]);
    p[k * 256] = v[k];
  }
}
__global__ void __launch_bounds__(256) chain_scale(uint4* data, __half2 a) { map_halves(data, [=](__half2 v) { return __hmul2(v, a); }); }
__global__ void __launch_bounds__(256) chain_shift(uint4* data, __half2 a) { map_halves(data, [=](__half2 v) { return __hadd2(v, a); }); }
__global__ void __launch_bounds__(256) chain_clip(uint4* data, __half2 a) { map_halves(data, [=](__half2 v) { return __hmin2(v, a); }); }
CASE(chain) {
  size_t bytes = 256 * MiB;
  uint4* data = (uint4*)device_bytes(bytes);
  __half2 a = __float2half2_rn(0.5f);
  measure("chain_scale", nullptr, 0, [=] { chain_scale<<<bytes / 16384, 256>>>(data, a); });
  measure("chain_shift", nullptr, 0, [=] { chain_shift<<<bytes / 16384, 256>>>(data, a); });
  measure("chain_clip", nullptr, 0, [=] { chain_clip<<<bytes / 16384, 256>>>(data, a); });
}
