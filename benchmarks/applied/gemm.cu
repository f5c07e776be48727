// Matrix products, attention, normalization; the roof_ kernels are meant to run at a compute or shared-memory roof.
#include "harness.cuh"
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
using namespace nvcuda;

// ---- C = A B in fp32 ---------------------------------------------------------------------------------------------
constexpr int N = 3072;
__global__ void sgemm_naive(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}
// 128 x 128 a block, 8 x 8 a thread, the next slice prefetched into registers.
__device__ __forceinline__ void sgemm_tile(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  __shared__ __align__(16) float as[2][8][132], bs[2][8][128];
  int t = threadIdx.x, tx = t % 16, ty = t / 16;
  const float* ap = a + (size_t)(blockIdx.y * 128 + t / 2) * n + t % 2 * 4;
  const float* bp = b + (size_t)(t / 32) * n + blockIdx.x * 128 + t % 32 * 4;
  float acc[8][8];
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int j = 0; j < 8; j++) acc[i][j] = 0;
  float4 av = *(const float4*)ap, bv = *(const float4*)bp;
  int stage = 0;
  for (int k = 0; k < n; k += 8) {
    as[stage][t % 2 * 4 + 0][t / 2] = av.x;
    as[stage][t % 2 * 4 + 1][t / 2] = av.y;
    as[stage][t % 2 * 4 + 2][t / 2] = av.z;
    as[stage][t % 2 * 4 + 3][t / 2] = av.w;
    *(float4*)&bs[stage][t / 32][t % 32 * 4] = bv;
    __syncthreads();
    if (k + 8 < n) {
      av = *(const float4*)(ap + k + 8);
      bv = *(const float4*)(bp + (size_t)(k + 8) * n);
    }
#pragma unroll
    for (int kk = 0; kk < 8; kk++) {
      float x[8], y[8];
      *(float4*)&x[0] = *(float4*)&as[stage][kk][ty * 4];
      *(float4*)&x[4] = *(float4*)&as[stage][kk][64 + ty * 4];
      *(float4*)&y[0] = *(float4*)&bs[stage][kk][tx * 4];
      *(float4*)&y[4] = *(float4*)&bs[stage][kk][64 + tx * 4];
#pragma unroll
      for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) acc[i][j] += x[i] * y[j];
    }
    stage ^= 1;
  }
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int j = 0; j < 8; j += 4) {
      int row = blockIdx.y * 128 + i / 4 * 64 + ty * 4 + i % 4, col = blockIdx.x * 128 + j / 4 * 64 + tx * 4;
      *(float4*)(c + (size_t)row * n + col) = make_float4(acc[i][j], acc[i][j + 1], acc[i][j + 2], acc[i][j + 3]);
    }
}
__global__ void __launch_bounds__(256, 2) sgemm_tiled(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  sgemm_tile(a, b, c, n);
}
// "More blocks an SM are faster": 40 registers are left for 64 accumulators.
__global__ void __launch_bounds__(256, 6) sgemm_bounded(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  sgemm_tile(a, b, c, n);
}
CASE(sgemm) {
  size_t n = (size_t)N * N;
  float *a = device_floats(n * 4), *b = device_floats(n * 4), *c = device_floats(n * 4);
  measure("sgemm_naive", c, n, [=] { sgemm_naive<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(a, b, c, N); });
  measure("sgemm_bounded", c, n, [=] { sgemm_bounded<<<dim3(N / 128, N / 128), 256>>>(a, b, c, N); });
  measure("sgemm_tiled", c, n, [=] { sgemm_tiled<<<dim3(N / 128, N / 128), 256>>>(a, b, c, N); });
}

// ---- C = A B with half inputs ----------------------------------------------------------------------------------------
constexpr int HN = 4096;
__global__ void __launch_bounds__(256) hgemm_cuda_cores(const half* __restrict__ a, const half* __restrict__ b, float* __restrict__ c, int n) {
  __shared__ __align__(16) float as[16][68], bs[16][64];
  int t = threadIdx.x, tx = t % 16, ty = t / 16, row = blockIdx.y * 64, col = blockIdx.x * 64;
  float acc[4][4] = {};
  for (int k = 0; k < n; k += 16) {
    const half2* ap = (const half2*)(a + (size_t)(row + t / 4) * n + k + t % 4 * 4);
    const half2* bp = (const half2*)(b + (size_t)(k + t / 16) * n + col + t % 16 * 4);
    float2 a0 = __half22float2(ap[0]), a1 = __half22float2(ap[1]), b0 = __half22float2(bp[0]), b1 = __half22float2(bp[1]);
    as[t % 4 * 4][t / 4] = a0.x, as[t % 4 * 4 + 1][t / 4] = a0.y, as[t % 4 * 4 + 2][t / 4] = a1.x, as[t % 4 * 4 + 3][t / 4] = a1.y;
    *(float4*)&bs[t / 16][t % 16 * 4] = make_float4(b0.x, b0.y, b1.x, b1.y);
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < 16; kk++) {
      float4 x = *(float4*)&as[kk][ty * 4], y = *(float4*)&bs[kk][tx * 4];
      float xs[4] = {x.x, x.y, x.z, x.w}, ys[4] = {y.x, y.y, y.z, y.w};
#pragma unroll
      for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) acc[i][j] += xs[i] * ys[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; i++) *(float4*)(c + (size_t)(row + ty * 4 + i) * n + col + tx * 4) = make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
}
typedef wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> FragA;
typedef wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> FragB;
typedef wmma::fragment<wmma::accumulator, 16, 16, 16, float> FragC;
// Fragments straight from global memory, 32 x 32 a warp.
__global__ void __launch_bounds__(128) hgemm_wmma_direct(const half* __restrict__ a, const half* __restrict__ b, float* __restrict__ c, int n) {
  int warp = threadIdx.x / 32, row = blockIdx.y * 64 + warp / 2 * 32, col = blockIdx.x * 64 + warp % 2 * 32;
  FragC acc[2][2];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) wmma::fill_fragment(acc[i][j], 0.f);
  for (int k = 0; k < n; k += 16) {
    FragA x[2];
    FragB y[2];
    for (int i = 0; i < 2; i++) wmma::load_matrix_sync(x[i], a + (size_t)(row + i * 16) * n + k, n);
    for (int j = 0; j < 2; j++) wmma::load_matrix_sync(y[j], b + (size_t)k * n + col + j * 16, n);
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++) wmma::mma_sync(acc[i][j], x[i], y[j], acc[i][j]);
  }
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) wmma::store_matrix_sync(c + (size_t)(row + i * 16) * n + col + j * 16, acc[i][j], n, wmma::mem_row_major);
}
// 128 x 128 a block of eight warps, slices of 32 through three stages of cp.async.
constexpr int LDA = 40, LDB = 136, STAGES = 3, STAGE_HALVES = 128 * LDA + 32 * LDB;
__global__ void __launch_bounds__(256) hgemm_wmma_staged(const half* __restrict__ a, const half* __restrict__ b, float* __restrict__ c, int n) {
  extern __shared__ __align__(128) half stages[];
  int t = threadIdx.x, warp = t / 32, row = blockIdx.y * 128, col = blockIdx.x * 128, wr = warp / 2 * 32, wc = warp % 2 * 64;
  auto fetch = [&](int k, int stage) {
    half *as = stages + stage * STAGE_HALVES, *bs = as + 128 * LDA;
    for (int i = t; i < 512; i += 256) __pipeline_memcpy_async(as + i / 4 * LDA + i % 4 * 8, a + (size_t)(row + i / 4) * n + k + i % 4 * 8, 16);
    for (int i = t; i < 512; i += 256) __pipeline_memcpy_async(bs + i / 16 * LDB + i % 16 * 8, b + (size_t)(k + i / 16) * n + col + i % 16 * 8, 16);
  };
  FragC acc[2][4];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 4; j++) wmma::fill_fragment(acc[i][j], 0.f);
  for (int s = 0; s < STAGES - 1; s++) {
    fetch(s * 32, s);
    __pipeline_commit();
  }
  for (int k = 0, stage = 0; k < n; k += 32, stage = (stage + 1) % STAGES) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (k + (STAGES - 1) * 32 < n) fetch(k + (STAGES - 1) * 32, (stage + STAGES - 1) % STAGES);
    __pipeline_commit();
    half *as = stages + stage * STAGE_HALVES, *bs = as + 128 * LDA;
#pragma unroll
    for (int kk = 0; kk < 32; kk += 16) {
      FragA x[2];
      FragB y[4];
      for (int i = 0; i < 2; i++) wmma::load_matrix_sync(x[i], as + (wr + i * 16) * LDA + kk, LDA);
      for (int j = 0; j < 4; j++) wmma::load_matrix_sync(y[j], bs + kk * LDB + wc + j * 16, LDB);
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4; j++) wmma::mma_sync(acc[i][j], x[i], y[j], acc[i][j]);
    }
  }
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 4; j++) wmma::store_matrix_sync(c + (size_t)(row + wr + i * 16) * n + col + wc + j * 16, acc[i][j], n, wmma::mem_row_major);
}
__global__ void fill_halves(half* p, ll n) {
  for (ll i = thread_id(); i < n; i += thread_count()) p[i] = __float2half(((unsigned)i * 2654435761u >> 16 & 1023) / 1024.f - 0.25f);
}
CASE(hgemm) {
  size_t n = (size_t)HN * HN;
  half *a = (half*)device_bytes(n * 2), *b = (half*)device_bytes(n * 2);
  float* c = device_floats(n * 4);
  fill_halves<<<2048, 256>>>(a, n);
  fill_halves<<<2048, 256>>>(b, n);
  CHECK(cudaDeviceSynchronize());
  int shared = STAGES * STAGE_HALVES * 2;
  allow_shared(hgemm_wmma_staged, shared);
  measure("hgemm_cuda_cores", c, n, [=] { hgemm_cuda_cores<<<dim3(HN / 64, HN / 64), 256>>>(a, b, c, HN); });
  measure("hgemm_wmma_direct", c, n, [=] { hgemm_wmma_direct<<<dim3(HN / 64, HN / 64), 128>>>(a, b, c, HN); });
  measure("hgemm_wmma_staged", c, n, [=] { hgemm_wmma_staged<<<dim3(HN / 128, HN / 128), 256, shared>>>(a, b, c, HN); });
}

// ---- a batch of 6 x 6 products: a block each, or seven a block ----------------------------------------------------------
__device__ __forceinline__ void product6(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, float* as, float* bs, size_t base, int t) {
  as[t] = a[base + t];
  bs[t] = b[base + t];
  __syncthreads();
  int m = t / 36 * 36, row = t % 36 / 6, col = t % 6;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 6; k++) sum += as[m + row * 6 + k] * bs[m + k * 6 + col];
  c[base + t] = sum;
}
__global__ void batch6_block_each(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
  __shared__ float as[36], bs[36];
  product6(a, b, c, as, bs, blockIdx.x * (size_t)36, threadIdx.y * 6 + threadIdx.x);
}
__global__ void batch6_seven(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {
  __shared__ float as[252], bs[252];
  product6(a, b, c, as, bs, blockIdx.x * (size_t)252, threadIdx.x);
}
CASE(batch6) {
  int batch = 1048572;
  size_t n = (size_t)batch * 36;
  float *a = device_floats(n * 4), *b = device_floats(n * 4), *c = device_floats(n * 4);
  measure("batch6_block_each", c, n, [=] { batch6_block_each<<<batch, dim3(6, 6)>>>(a, b, c); });
  measure("batch6_seven", c, n, [=] { batch6_seven<<<batch / 7, 252>>>(a, b, c); });
}

// ---- attention, a query a thread: one block a head, or one for each 128 queries --------------------------------------------
constexpr int HEADS = 32, SEQ = 1024, D = 64;
__device__ __forceinline__ void attend(const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v, float* __restrict__ o,
                                       int head, int query) {
  __shared__ __align__(16) float ks[32][D], vs[32][D];
  size_t base = (size_t)head * SEQ * D;
  float4 qr[D / 4], acc[D / 4];
#pragma unroll
  for (int d = 0; d < D / 4; d++) {
    qr[d] = *(const float4*)(q + base + (size_t)query * D + d * 4);
    acc[d] = make_float4(0, 0, 0, 0);
  }
  float top = -1e30f, sum = 0;
  for (int first = 0; first < SEQ; first += 32) {
    __syncthreads();
    for (int i = threadIdx.x; i < 32 * D / 4; i += blockDim.x) {
      ((float4*)ks)[i] = ((const float4*)(k + base + (size_t)first * D))[i];
      ((float4*)vs)[i] = ((const float4*)(v + base + (size_t)first * D))[i];
    }
    __syncthreads();
    for (int j = 0; j < 32; j++) {
      float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma unroll
      for (int d = 0; d < D / 4; d++) {
        float4 kv = *(float4*)&ks[j][d * 4];
        s0 += qr[d].x * kv.x, s1 += qr[d].y * kv.y, s2 += qr[d].z * kv.z, s3 += qr[d].w * kv.w;
      }
      float s = ((s0 + s1) + (s2 + s3)) * 0.125f;
      if (s > top) {
        float scale = __expf(top - s);
        top = s;
        sum *= scale;
#pragma unroll
        for (int d = 0; d < D / 4; d++) acc[d].x *= scale, acc[d].y *= scale, acc[d].z *= scale, acc[d].w *= scale;
      }
      float p = __expf(s - top);
      sum += p;
#pragma unroll
      for (int d = 0; d < D / 4; d++) {
        float4 vv = *(float4*)&vs[j][d * 4];
        acc[d].x += p * vv.x, acc[d].y += p * vv.y, acc[d].z += p * vv.z, acc[d].w += p * vv.w;
      }
    }
  }
  float scale = 1 / sum;
#pragma unroll
  for (int d = 0; d < D / 4; d++)
    *(float4*)(o + base + (size_t)query * D + d * 4) = make_float4(acc[d].x * scale, acc[d].y * scale, acc[d].z * scale, acc[d].w * scale);
}
__global__ void __launch_bounds__(128) attention_block_per_head(const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v,
                                                                float* __restrict__ o) {
  for (int first = 0; first < SEQ; first += 128) attend(q, k, v, o, blockIdx.x, first + threadIdx.x);
}
__global__ void __launch_bounds__(128) attention_split_queries(const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v,
                                                               float* __restrict__ o) {
  attend(q, k, v, o, blockIdx.y, blockIdx.x * 128 + threadIdx.x);
}
CASE(attention) {
  size_t n = (size_t)HEADS * SEQ * D;
  float *q = device_floats(n * 4), *k = device_floats(n * 4), *v = device_floats(n * 4), *o = device_floats(n * 4);
  measure("attention_block_per_head", o, n, [=] { attention_block_per_head<<<HEADS, 128>>>(q, k, v, o); });
  measure("attention_split_queries", o, n, [=] { attention_split_queries<<<dim3(SEQ / 128, HEADS), 128>>>(q, k, v, o); });
}

// ---- layer normalization of 32768 rows of 1024: 32 blocks, or a block a row ---------------------------------------------------
__device__ __forceinline__ float sum_of_block(float v, float* part) {
  for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);
  __syncthreads();
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  v = 0;
  for (int w = 0; w < 8; w++) v += part[w];
  return v;
}
__device__ __forceinline__ void normalize_row(const float4* __restrict__ in, float4* __restrict__ out, int row) {
  __shared__ float part[8];
  size_t at = (size_t)row * 256 + threadIdx.x;
  float4 v = in[at];
  float mean = sum_of_block((v.x + v.y) + (v.z + v.w), part) / 1024;
  v.x -= mean, v.y -= mean, v.z -= mean, v.w -= mean;
  float scale = rsqrtf(sum_of_block((v.x * v.x + v.y * v.y) + (v.z * v.z + v.w * v.w), part) / 1024 + 1e-5f);
  out[at] = make_float4(v.x * scale + 1, v.y * scale + 1, v.z * scale + 1, v.w * scale + 1);
}
__global__ void __launch_bounds__(256) layernorm_few_blocks(const float4* __restrict__ in, float4* __restrict__ out, int rows) {
  for (int row = blockIdx.x; row < rows; row += gridDim.x) normalize_row(in, out, row);
}
__global__ void __launch_bounds__(256) layernorm_block_per_row(const float4* __restrict__ in, float4* __restrict__ out, int rows) {
  normalize_row(in, out, blockIdx.x);
}
CASE(layernorm) {
  int rows = 32768;
  size_t n = (size_t)rows * 1024;
  float *in = device_floats(n * 4), *out = device_floats(n * 4);
  measure("layernorm_few_blocks", out, n, [=] { layernorm_few_blocks<<<32, 256>>>((float4*)in, (float4*)out, rows); });
  measure("layernorm_block_per_row", out, n, [=] { layernorm_block_per_row<<<rows, 256>>>((float4*)in, (float4*)out, rows); });
}

// ---- at a roof ----------------------------------------------------------------------------------------------------------------
template <class T>
__device__ __forceinline__ T fma_chains(T x, int turns) {
  T v[8];
#pragma unroll
  for (int k = 0; k < 8; k++) v[k] = x + (T)k;
  for (int t = 0; t < turns; t++)
#pragma unroll
    for (int u = 0; u < 16; u++)
#pragma unroll
      for (int k = 0; k < 8; k++) v[k] = v[k] * x + (T)0.25;
  return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}
__global__ void __launch_bounds__(256) roof_fma(const float* __restrict__ in, float* __restrict__ out, int turns) {
  int i = blockIdx.x * 256 + threadIdx.x;
  out[i] = fma_chains<float>(in[i] * 0.5f, turns);
}
__global__ void __launch_bounds__(256) roof_fp64(const float* __restrict__ in, float* __restrict__ out, int turns) {
  int i = blockIdx.x * 256 + threadIdx.x;
  out[i] = (float)fma_chains<double>(in[i] * 0.5, turns);
}
// Rounds of xorshift on four states: shifts and exclusive ors.
__global__ void __launch_bounds__(256) roof_xorshift(const unsigned* __restrict__ in, float* __restrict__ out, int turns) {
  int i = blockIdx.x * 256 + threadIdx.x;
  unsigned s[4];
#pragma unroll
  for (int k = 0; k < 4; k++) s[k] = in[i] + k;
#pragma unroll 8
  for (int t = 0; t < turns; t++)
#pragma unroll
    for (int k = 0; k < 4; k++) {
      s[k] ^= s[k] >> 13;
      s[k] ^= __funnelshift_l(s[k], s[k], 7);
      s[k] ^= s[k] >> 17;
    }
  out[i] = ((s[0] ^ s[1] ^ s[2] ^ s[3]) & 0xffff) / 65536.f;
}
// A 16 KiB table in shared memory, read 16 bytes a lane without conflicts.
__global__ void __launch_bounds__(256) roof_shared(const float4* __restrict__ in, float* __restrict__ out, int turns) {
  __shared__ float4 table[1024];
  for (int i = threadIdx.x; i < 1024; i += 256) table[i] = in[i];
  __syncthreads();
  float4 s = make_float4(0, 0, 0, 0);
  int at = threadIdx.x;
#pragma unroll 8
  for (int t = 0; t < turns; t++) {
    float4 v = table[at];
    s.x += v.x, s.y += v.y, s.z += v.z, s.w += v.w;
    at = (at + 96) & 1023;
  }
  out[blockIdx.x * 256 + threadIdx.x] = (s.x + s.y) + (s.z + s.w);
}
__global__ void __launch_bounds__(256) roof_mma(const unsigned* __restrict__ in, float* __restrict__ out, int turns) {
  unsigned a[4], b[2];
  int t = blockIdx.x * 256 + threadIdx.x;
  for (int k = 0; k < 4; k++) a[k] = 0x3f003f00u | (in[t] >> k & 0x003f003fu);  // bf16 in [0.5, 0.75)
  for (int k = 0; k < 2; k++) b[k] = 0x3d003d00u | (in[t] >> (4 + k) & 0x003f003fu);
  float c[8][4];
#pragma unroll
  for (int j = 0; j < 8; j++)
#pragma unroll
    for (int k = 0; k < 4; k++) c[j][k] = j;
  for (int i = 0; i < turns; i++)
#pragma unroll
    for (int j = 0; j < 8; j++)
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                   : "+f"(c[j][0]), "+f"(c[j][1]), "+f"(c[j][2]), "+f"(c[j][3])
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  float s = 0;
#pragma unroll
  for (int j = 0; j < 8; j++) s += (c[j][0] + c[j][1]) + (c[j][2] + c[j][3]);
  out[t] = s;
}
CASE(roofs) {
  int blocks = sm_count() * 8;
  size_t n = (size_t)blocks * 256;
  float *in = device_floats(n * 4), *out = device_floats(n * 4);
  measure("roof_fma", out, n, [=] { roof_fma<<<blocks, 256>>>(in, out, 512); });
  measure("roof_fp64", out, n, [=] { roof_fp64<<<blocks, 256>>>(in, out, 256); });
  measure("roof_xorshift", out, n, [=] { roof_xorshift<<<blocks, 256>>>((unsigned*)in, out, 2048); });
  measure("roof_shared", out, n, [=] { roof_shared<<<blocks, 256>>>((float4*)in, out, 4096); });
  measure("roof_mma", out, n, [=] { roof_mma<<<blocks / 2, 256>>>((unsigned*)in, out, 2048); });
}
