// Matrix products: on the wrong unit, by the older instructions, waiting for operands, or at the Tensor Cores' roof.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
#include <cstdint>
#include "harness.cuh"
using namespace nvcuda;

// ---- registers only: the older warp instruction, or the warpgroup's (each 8 warps, the same number of products) --------------------
// Shared-memory matrix descriptor: 128-byte swizzle, rows of 128 bytes, eight rows a group of 1024 bytes.
__device__ __forceinline__ uint64_t descriptor(const void* p) {
  uint64_t address = (uint64_t)__cvta_generic_to_shared(p);
  return ((address & 0x3ffff) >> 4) | (1ull << 16) | (64ull << 32) | (1ull << 62);
}
__device__ __forceinline__ void group_s8(int (&c)[64], uint64_t a, uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63 "
      "}, %64, %65, 1;"
      :
        "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]), "+r"(c[4]), "+r"(c[5]), "+r"(c[6]), "+r"(c[7]),
        "+r"(c[8]), "+r"(c[9]), "+r"(c[10]), "+r"(c[11]), "+r"(c[12]), "+r"(c[13]), "+r"(c[14]), "+r"(c[15]),
        "+r"(c[16]), "+r"(c[17]), "+r"(c[18]), "+r"(c[19]), "+r"(c[20]), "+r"(c[21]), "+r"(c[22]), "+r"(c[23]),
        "+r"(c[24]), "+r"(c[25]), "+r"(c[26]), "+r"(c[27]), "+r"(c[28]), "+r"(c[29]), "+r"(c[30]), "+r"(c[31]),
        "+r"(c[32]), "+r"(c[33]), "+r"(c[34]), "+r"(c[35]), "+r"(c[36]), "+r"(c[37]), "+r"(c[38]), "+r"(c[39]),
        "+r"(c[40]), "+r"(c[41]), "+r"(c[42]), "+r"(c[43]), "+r"(c[44]), "+r"(c[45]), "+r"(c[46]), "+r"(c[47]),
        "+r"(c[48]), "+r"(c[49]), "+r"(c[50]), "+r"(c[51]), "+r"(c[52]), "+r"(c[53]), "+r"(c[54]), "+r"(c[55]),
        "+r"(c[56]), "+r"(c[57]), "+r"(c[58]), "+r"(c[59]), "+r"(c[60]), "+r"(c[61]), "+r"(c[62]), "+r"(c[63])
      : "l"(a), "l"(b));
}
__device__ __forceinline__ void group_tf32(float (&c)[64], uint64_t a, uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63 "
      "}, %64, %65, 1, 1, 1;"
      :
        "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]),
        "+f"(c[8]), "+f"(c[9]), "+f"(c[10]), "+f"(c[11]), "+f"(c[12]), "+f"(c[13]), "+f"(c[14]), "+f"(c[15]),
        "+f"(c[16]), "+f"(c[17]), "+f"(c[18]), "+f"(c[19]), "+f"(c[20]), "+f"(c[21]), "+f"(c[22]), "+f"(c[23]),
        "+f"(c[24]), "+f"(c[25]), "+f"(c[26]), "+f"(c[27]), "+f"(c[28]), "+f"(c[29]), "+f"(c[30]), "+f"(c[31]),
        "+f"(c[32]), "+f"(c[33]), "+f"(c[34]), "+f"(c[35]), "+f"(c[36]), "+f"(c[37]), "+f"(c[38]), "+f"(c[39]),
        "+f"(c[40]), "+f"(c[41]), "+f"(c[42]), "+f"(c[43]), "+f"(c[44]), "+f"(c[45]), "+f"(c[46]), "+f"(c[47]),
        "+f"(c[48]), "+f"(c[49]), "+f"(c[50]), "+f"(c[51]), "+f"(c[52]), "+f"(c[53]), "+f"(c[54]), "+f"(c[55]),
        "+f"(c[56]), "+f"(c[57]), "+f"(c[58]), "+f"(c[59]), "+f"(c[60]), "+f"(c[61]), "+f"(c[62]), "+f"(c[63])
      : "l"(a), "l"(b));
}
__device__ __forceinline__ void group_fp8(float (&c)[64], uint64_t a, uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63 "
      "}, %64, %65, 1, 1, 1;"
      :
        "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]),
        "+f"(c[8]), "+f"(c[9]), "+f"(c[10]), "+f"(c[11]), "+f"(c[12]), "+f"(c[13]), "+f"(c[14]), "+f"(c[15]),
        "+f"(c[16]), "+f"(c[17]), "+f"(c[18]), "+f"(c[19]), "+f"(c[20]), "+f"(c[21]), "+f"(c[22]), "+f"(c[23]),
        "+f"(c[24]), "+f"(c[25]), "+f"(c[26]), "+f"(c[27]), "+f"(c[28]), "+f"(c[29]), "+f"(c[30]), "+f"(c[31]),
        "+f"(c[32]), "+f"(c[33]), "+f"(c[34]), "+f"(c[35]), "+f"(c[36]), "+f"(c[37]), "+f"(c[38]), "+f"(c[39]),
        "+f"(c[40]), "+f"(c[41]), "+f"(c[42]), "+f"(c[43]), "+f"(c[44]), "+f"(c[45]), "+f"(c[46]), "+f"(c[47]),
        "+f"(c[48]), "+f"(c[49]), "+f"(c[50]), "+f"(c[51]), "+f"(c[52]), "+f"(c[53]), "+f"(c[54]), "+f"(c[55]),
        "+f"(c[56]), "+f"(c[57]), "+f"(c[58]), "+f"(c[59]), "+f"(c[60]), "+f"(c[61]), "+f"(c[62]), "+f"(c[63])
      : "l"(a), "l"(b));
}
template <class T, class STEP>
__device__ __forceinline__ void by_warpgroup(float* out, unsigned fill, int turns, STEP step) {
  extern __shared__ __align__(1024) unsigned tile[];  // A and B: 128 rows of 128 bytes each
  for (int i = threadIdx.x; i < 256 * 32; i += 256) tile[i] = fill;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  T c[64];
#pragma unroll
  for (int k = 0; k < 64; k++) c[k] = 0;
  uint64_t a = descriptor(tile + threadIdx.x / 128 * 64 * 32), b = descriptor(tile + 128 * 32);
  for (int i = 0; i < turns; i++) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int k = 0; k < 4; k++) step(c, a + k * 2, b + k * 2);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  T sum = 0;
#pragma unroll
  for (int k = 0; k < 64; k++) sum += c[k];
  out[thread_id()] = (float)sum;
}
__global__ void __launch_bounds__(256, 2) products_s8_group(float* out, unsigned fill, int turns) {
  by_warpgroup<int>(out, fill, turns, [](int(&c)[64], uint64_t a, uint64_t b) { group_s8(c, a, b); });
}
__global__ void __launch_bounds__(256, 2) products_tf32_group(float* out, unsigned fill, int turns) {
  by_warpgroup<float>(out, fill, turns, [](float(&c)[64], uint64_t a, uint64_t b) { group_tf32(c, a, b); });
}
__global__ void __launch_bounds__(256, 2) products_fp8_group(float* out, unsigned fill, int turns) {
  by_warpgroup<float>(out, fill, turns, [](float(&c)[64], uint64_t a, uint64_t b) { group_fp8(c, a, b); });
}
#define WARP_PRODUCT(SHAPE, LETTER)                                                                                     \
  asm volatile("mma.sync.aligned." SHAPE " {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%4, %4}, {%0, %1, %2, %3};"           \
               : "+" LETTER(c[k][0]), "+" LETTER(c[k][1]), "+" LETTER(c[k][2]), "+" LETTER(c[k][3]) : "r"(fill))
// 64 tiles of 16 x 8 are as much as 64 x 128, the share of a warpgroup: 16 tiles a warp, in two rounds of eight.
#define WARP_KERNEL(NAME, TYPE, SHAPE, LETTER)                                                       \
  __global__ void __launch_bounds__(256, 2) NAME(float* out, unsigned fill, int turns) {              \
    TYPE c[16][4] = {};                                                                               \
    for (int i = 0; i < turns * 4; i++)                                                               \
      _Pragma("unroll") for (int k = 0; k < 16; k++) WARP_PRODUCT(SHAPE, LETTER);                     \
    TYPE sum = 0;                                                                                     \
    _Pragma("unroll") for (int k = 0; k < 16; k++) sum += c[k][0] + c[k][1] + c[k][2] + c[k][3];      \
    out[thread_id()] = (float)sum;                                                                    \
  }
WARP_KERNEL(products_s8_warp, int, "m16n8k32.row.col.s32.s8.s8.s32", "r")
WARP_KERNEL(products_tf32_warp, float, "m16n8k8.row.col.f32.tf32.tf32.f32", "f")
WARP_KERNEL(products_fp8_warp, float, "m16n8k32.row.col.f32.e4m3.e4m3.f32", "f")
CASE(products) {
  int blocks = sm_count() * 4, n = blocks * 256, shared = 33 * 1024, turns = 500;
  float* out = device_floats(n * 4);
  allow_shared(products_s8_group, shared);
  allow_shared(products_tf32_group, shared);
  allow_shared(products_fp8_group, shared);
  measure("products_s8_warp", out, n, [=] { products_s8_warp<<<blocks, 256>>>(out, 0x01010101, turns); });
  measure("products_s8_group", out, n, [=] { products_s8_group<<<blocks, 256, shared>>>(out, 0x01010101, turns); });
  measure("products_tf32_warp", out, n, [=] { products_tf32_warp<<<blocks, 256>>>(out, 0x3f000000, turns); });
  measure("products_tf32_group", out, n, [=] { products_tf32_group<<<blocks, 256, shared>>>(out, 0x3f000000, turns); });
  measure("products_fp8_warp", out, n, [=] { products_fp8_warp<<<blocks, 256>>>(out, 0x28282828, turns); });
  measure("products_fp8_group", out, n, [=] { products_fp8_group<<<blocks, 256, shared>>>(out, 0x28282828, turns); });
}

// ---- double precision has no other Tensor instruction: at its roof --------------------------------------------------------------------
__global__ void __launch_bounds__(256) roof_double_products(float* out, double fill, int turns) {
  double c[4][4] = {};
#pragma unroll 1
  for (int i = 0; i < turns; i++)
#pragma unroll
    for (int k = 0; k < 4; k++)
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %4, %4, %4, %4, %4, %4, %4}, {%4, %4, %4, %4}, {%0, %1, %2, %3};"
          : "+d"(c[k][0]), "+d"(c[k][1]), "+d"(c[k][2]), "+d"(c[k][3])
          : "d"(fill));
  double sum = 0;
#pragma unroll
  for (int k = 0; k < 4; k++) sum += c[k][0] + c[k][1] + c[k][2] + c[k][3];
  out[thread_id()] = (float)sum;
}
CASE(double_products) {
  int blocks = sm_count() * 4;
  float* out = device_floats(blocks * 1024);
  measure("roof_double_products", nullptr, 0, [=] { roof_double_products<<<blocks, 256>>>(out, 0.01, 1000); });
}

// ---- C = A B for bytes, bfloat16 and doubles in tiles of 64 x 64 (K by 64 bytes): on the ordinary units, or on Tensor Cores -------------
// A is M x K by rows, B is N x K by rows (B transposed), 16 x 16 threads with 4 x 4 results each.
template <class WORD, class SUM, class MADD>
__device__ __forceinline__ void plain_product(const WORD* __restrict__ a, const WORD* __restrict__ b, SUM* __restrict__ c, int n, int words, MADD madd) {
  constexpr int K = 64 / sizeof(WORD);
  __shared__ WORD as[K][65], bs[K][65];
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  SUM sum[4][4] = {};
  for (int k0 = 0; k0 < words; k0 += K) {
    for (int i = threadIdx.x; i < 64 * K; i += 256) {
      as[i % K][i / K] = a[(size_t)(blockIdx.y * 64 + i / K) * words + k0 + i % K];
      bs[i % K][i / K] = b[(size_t)(blockIdx.x * 64 + i / K) * words + k0 + i % K];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < K; k++) {
      WORD u[4], v[4];
#pragma unroll
      for (int i = 0; i < 4; i++) u[i] = as[k][ty + i * 16], v[i] = bs[k][tx + i * 16];
#pragma unroll
      for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) madd(sum[i][j], u[i], v[j]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; i++)
#pragma unroll
    for (int j = 0; j < 4; j++) c[(size_t)(blockIdx.y * 64 + ty + i * 16) * n + blockIdx.x * 64 + tx + j * 16] = sum[i][j];
}
// The same tile for 4 warps of 32 x 32 (doubles: 8 warps of 16 x 32), fragments from shared memory.
template <class T, class SUM, int M, int K, int WARPS_Y>
__device__ __forceinline__ void tensor_product(const T* __restrict__ a, const T* __restrict__ b, SUM* __restrict__ c, int n, int depth) {
  constexpr int KS = 128 / sizeof(T), PITCH = KS + 16 / sizeof(T), ROWS = 64 / WARPS_Y, THREADS = WARPS_Y * 64;
  __shared__ __align__(128) T as[64 * PITCH];
  __shared__ __align__(128) T bs[64 * PITCH];
  int warp = threadIdx.x / 32, wy = warp / 2 * ROWS, wx = warp % 2 * 32;
  wmma::fragment<wmma::accumulator, M, M, K, SUM> sum[ROWS / M][32 / M];
#pragma unroll
  for (int i = 0; i < ROWS / M; i++)
#pragma unroll
    for (int j = 0; j < 32 / M; j++) wmma::fill_fragment(sum[i][j], SUM(0));
  constexpr int VECTORS = 128 / 16;
  for (int k0 = 0; k0 < depth; k0 += KS) {
    for (int i = threadIdx.x; i < 64 * VECTORS; i += THREADS) {
      int row = i / VECTORS, column = i % VECTORS * (16 / sizeof(T));
      *(int4*)(as + row * PITCH + column) = *(const int4*)(a + (size_t)(blockIdx.y * 64 + row) * depth + k0 + column);
      *(int4*)(bs + row * PITCH + column) = *(const int4*)(b + (size_t)(blockIdx.x * 64 + row) * depth + k0 + column);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < KS; k += K) {
      wmma::fragment<wmma::matrix_a, M, M, K, T, wmma::row_major> u[ROWS / M];
      wmma::fragment<wmma::matrix_b, M, M, K, T, wmma::col_major> v[32 / M];
#pragma unroll
      for (int i = 0; i < ROWS / M; i++) wmma::load_matrix_sync(u[i], as + (wy + i * M) * PITCH + k, PITCH);
#pragma unroll
      for (int j = 0; j < 32 / M; j++) wmma::load_matrix_sync(v[j], bs + (wx + j * M) * PITCH + k, PITCH);
#pragma unroll
      for (int i = 0; i < ROWS / M; i++)
#pragma unroll
        for (int j = 0; j < 32 / M; j++) wmma::mma_sync(sum[i][j], u[i], v[j], sum[i][j]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < ROWS / M; i++)
#pragma unroll
    for (int j = 0; j < 32 / M; j++)
      wmma::store_matrix_sync(c + (size_t)(blockIdx.y * 64 + wy + i * M) * n + blockIdx.x * 64 + wx + j * M, sum[i][j], n, wmma::mem_row_major);
}
__global__ void __launch_bounds__(256) bytes_dp4a(const int* a, const int* b, int* c, int n, int k) {
  plain_product(a, b, c, n, k / 4, [](int& s, int u, int v) { s = __dp4a(u, v, s); });
}
__global__ void __launch_bounds__(128) bytes_tensor(const signed char* a, const signed char* b, int* c, int n, int k) { tensor_product<signed char, int, 16, 16, 2>(a, b, c, n, k); }
__global__ void __launch_bounds__(256) brain_plain(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, int n, int k) {
  plain_product(a, b, c, n, k, [](float& s, __nv_bfloat16 u, __nv_bfloat16 v) { s = fmaf(__bfloat162float(u), __bfloat162float(v), s); });
}
__global__ void __launch_bounds__(128) brain_tensor(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, int n, int k) { tensor_product<__nv_bfloat16, float, 16, 16, 2>(a, b, c, n, k); }
__global__ void __launch_bounds__(256) doubles_plain(const double* a, const double* b, double* c, int n, int k) {
  plain_product(a, b, c, n, k, [](double& s, double u, double v) { s = fma(u, v, s); });
}
__global__ void __launch_bounds__(256) doubles_tensor(const double* a, const double* b, double* c, int n, int k) { tensor_product<double, double, 8, 4, 4>(a, b, c, n, k); }
template <class T>
__global__ void fill_as(T* p, ll n) {
  for (ll i = thread_id(); i < n; i += thread_count()) p[i] = T(float((i * 7 + i / 64) % 5));
}
CASE(plain_units) {
  int n = 2048;
  size_t count = (size_t)n * n;
  auto *sa = (signed char*)device_bytes(count), *sb = (signed char*)device_bytes(count);
  auto *ha = (__nv_bfloat16*)device_bytes(count * 2), *hb = (__nv_bfloat16*)device_bytes(count * 2);
  auto *da = (double*)device_bytes(count * 8), *db = (double*)device_bytes(count * 8), *dc = (double*)device_bytes(count * 8);
  fill_as<<<1024, 256>>>(sa, count), fill_as<<<1024, 256>>>(sb, count);
  fill_as<<<1024, 256>>>(ha, count), fill_as<<<1024, 256>>>(hb, count);
  fill_as<<<1024, 256>>>(da, count), fill_as<<<1024, 256>>>(db, count);
  CHECK(cudaDeviceSynchronize());
  dim3 grid(n / 64, n / 64);
  float* fc = (float*)dc;
  measure("bytes_dp4a", nullptr, 0, [=] { bytes_dp4a<<<grid, 256>>>((int*)sa, (int*)sb, (int*)dc, n, n); });
  measure("bytes_tensor", nullptr, 0, [=] { bytes_tensor<<<grid, 128>>>(sa, sb, (int*)dc, n, n); });
  measure("brain_plain", fc, count, [=] { brain_plain<<<grid, 256>>>(ha, hb, fc, n, n); });
  measure("brain_tensor", fc, count, [=] { brain_tensor<<<grid, 128>>>(ha, hb, fc, n, n); });
  measure("doubles_plain", nullptr, 0, [=] { doubles_plain<<<grid, 256>>>(da, db, dc, n, n); });
  measure("doubles_tensor", nullptr, 0, [=] { doubles_tensor<<<grid, 256>>>(da, db, dc, n, n); });
}

// ---- products of half-precision tiles that wait for their operands in global memory: fragments loaded for each product, or for four -----
__global__ void __launch_bounds__(128) strips_from_memory(const __half* __restrict__ a, const __half* __restrict__ b, float* __restrict__ c, int depth) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> u;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> v;
  wmma::fill_fragment(sum, 0.f);
  ll warp = thread_id() / 32;
  const __half *p = a + warp % 512 * 16 * depth, *q = b + warp / 512 * 16 * depth;
  for (int k = 0; k < depth; k += 16) {
    wmma::load_matrix_sync(u, p + k, depth), wmma::load_matrix_sync(v, q + k, depth);
    wmma::mma_sync(sum, u, v, sum);
  }
  wmma::store_matrix_sync(c + warp * 256, sum, 16, wmma::mem_row_major);
}
// Sixteen tiles a warp from the same strips: an operand is loaded once for four products.
__global__ void __launch_bounds__(128) strips_shared_operands(const __half* __restrict__ a, const __half* __restrict__ b, float* __restrict__ c, int depth) {
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4][4];
#pragma unroll
  for (int i = 0; i < 16; i++) wmma::fill_fragment(sum[i / 4][i % 4], 0.f);
  ll warp = thread_id() / 32;
  const __half *p = a + warp % 128 * 64 * depth, *q = b + warp / 128 * 64 * depth;
  for (int k = 0; k < depth; k += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> u[4];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> v[4];
#pragma unroll
    for (int i = 0; i < 4; i++) wmma::load_matrix_sync(u[i], p + i * 16 * depth + k, depth), wmma::load_matrix_sync(v[i], q + i * 16 * depth + k, depth);
#pragma unroll
    for (int i = 0; i < 16; i++) wmma::mma_sync(sum[i / 4][i % 4], u[i / 4], v[i % 4], sum[i / 4][i % 4]);
  }
#pragma unroll
  for (int i = 0; i < 16; i++) {
    ll tile = (warp / 128 * 4 + i % 4) * 512 + warp % 128 * 4 + i / 4;
    wmma::store_matrix_sync(c + tile * 256, sum[i / 4][i % 4], 16, wmma::mem_row_major);
  }
}
CASE(strips) {
  int depth = 1024, warps = 512 * 128;  // C is 8192 x 2048
  __half *a = (__half*)device_bytes(512 * 16 * depth * 2), *b = (__half*)device_bytes(128 * 16 * depth * 2);
  float* c = device_floats((size_t)warps * 1024);
  fill_as<<<1024, 256>>>(a, 512 * 16 * depth), fill_as<<<1024, 256>>>(b, 128 * 16 * depth);
  CHECK(cudaDeviceSynchronize());
  measure("strips_from_memory", c, warps * 256, [=] { strips_from_memory<<<warps / 4, 128>>>(a, b, c, depth); });
  measure("strips_shared_operands", c, warps * 256, [=] { strips_shared_operands<<<warps / 64, 128>>>(a, b, c, depth); });
}
