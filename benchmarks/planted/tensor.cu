// Tensor Core work by the warp-level mma.sync, against the warpgroup-level wgmma, from registers and shared memory.
#include <cuda_bf16.h>
#include <cstdint>
#include "harness.cuh"

constexpr int MMA_CHAINS = 8;

extern "C" __global__ void __launch_bounds__(256, 2) warp_mma(float* o, unsigned a0, unsigned b0, int turns) {
  float c[MMA_CHAINS][4] = {};
  unsigned a[4] = {a0, a0, a0, a0}, b[2] = {b0, b0};
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int k = 0; k < MMA_CHAINS; k++)
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
          "{%0, %1, %2, %3};"
          : "+f"(c[k][0]), "+f"(c[k][1]), "+f"(c[k][2]), "+f"(c[k][3])
          : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
  float s = 0;
#pragma unroll
  for (int k = 0; k < MMA_CHAINS; k++) s += c[k][0] + c[k][1] + c[k][2] + c[k][3];
  o[thread_id()] = s;
}

// Shared-memory matrix descriptor: 128-byte swizzle, rows of 128 bytes, eight rows a group of 1024 bytes.
__device__ __forceinline__ uint64_t descriptor(const void* p) {
  uint64_t address = (uint64_t)__cvta_generic_to_shared(p);
  return ((address & 0x3ffff) >> 4) | (1ull << 16) | (64ull << 32) | (1ull << 62);
}
__device__ __forceinline__ void wgmma_64x256x16(float (&c)[128], uint64_t a, uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
      "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
      "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
      "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
      "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127 "
      "}, %128, %129, 1, 1, 1, 0, 0;"
      :
        "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]),
        "+f"(c[8]), "+f"(c[9]), "+f"(c[10]), "+f"(c[11]), "+f"(c[12]), "+f"(c[13]), "+f"(c[14]), "+f"(c[15]),
        "+f"(c[16]), "+f"(c[17]), "+f"(c[18]), "+f"(c[19]), "+f"(c[20]), "+f"(c[21]), "+f"(c[22]), "+f"(c[23]),
        "+f"(c[24]), "+f"(c[25]), "+f"(c[26]), "+f"(c[27]), "+f"(c[28]), "+f"(c[29]), "+f"(c[30]), "+f"(c[31]),
        "+f"(c[32]), "+f"(c[33]), "+f"(c[34]), "+f"(c[35]), "+f"(c[36]), "+f"(c[37]), "+f"(c[38]), "+f"(c[39]),
        "+f"(c[40]), "+f"(c[41]), "+f"(c[42]), "+f"(c[43]), "+f"(c[44]), "+f"(c[45]), "+f"(c[46]), "+f"(c[47]),
        "+f"(c[48]), "+f"(c[49]), "+f"(c[50]), "+f"(c[51]), "+f"(c[52]), "+f"(c[53]), "+f"(c[54]), "+f"(c[55]),
        "+f"(c[56]), "+f"(c[57]), "+f"(c[58]), "+f"(c[59]), "+f"(c[60]), "+f"(c[61]), "+f"(c[62]), "+f"(c[63]),
        "+f"(c[64]), "+f"(c[65]), "+f"(c[66]), "+f"(c[67]), "+f"(c[68]), "+f"(c[69]), "+f"(c[70]), "+f"(c[71]),
        "+f"(c[72]), "+f"(c[73]), "+f"(c[74]), "+f"(c[75]), "+f"(c[76]), "+f"(c[77]), "+f"(c[78]), "+f"(c[79]),
        "+f"(c[80]), "+f"(c[81]), "+f"(c[82]), "+f"(c[83]), "+f"(c[84]), "+f"(c[85]), "+f"(c[86]), "+f"(c[87]),
        "+f"(c[88]), "+f"(c[89]), "+f"(c[90]), "+f"(c[91]), "+f"(c[92]), "+f"(c[93]), "+f"(c[94]), "+f"(c[95]),
        "+f"(c[96]), "+f"(c[97]), "+f"(c[98]), "+f"(c[99]), "+f"(c[100]), "+f"(c[101]), "+f"(c[102]), "+f"(c[103]),
        "+f"(c[104]), "+f"(c[105]), "+f"(c[106]), "+f"(c[107]), "+f"(c[108]), "+f"(c[109]), "+f"(c[110]), "+f"(c[111]),
        "+f"(c[112]), "+f"(c[113]), "+f"(c[114]), "+f"(c[115]), "+f"(c[116]), "+f"(c[117]), "+f"(c[118]), "+f"(c[119]),
        "+f"(c[120]), "+f"(c[121]), "+f"(c[122]), "+f"(c[123]), "+f"(c[124]), "+f"(c[125]), "+f"(c[126]), "+f"(c[127])
      : "l"(a), "l"(b));
}
extern "C" __global__ void __launch_bounds__(256, 1) warp_mma_fix(float* o, unsigned a0, unsigned b0, int turns) {
  extern __shared__ __align__(1024) unsigned tile[];  // A: 128 rows of 64 bf16, B: 256 rows of 64 bf16
  unsigned* base = tile;
  for (int i = threadIdx.x; i < 384 * 32; i += 256) base[i] = i < 128 * 32 ? a0 : b0;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  float c[128];
#pragma unroll
  for (int k = 0; k < 128; k++) c[k] = 0;
  uint64_t a = descriptor(base + threadIdx.x / 128 * 64 * 32), b = descriptor(base + 128 * 32);
  for (int i = 0; i < turns; i += 4) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int k = 0; k < 4; k++) wgmma_64x256x16(c, a + k * 2, b + k * 2);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  float s = 0;
#pragma unroll
  for (int k = 0; k < 128; k++) s += c[k];
  o[thread_id()] = s;
}
CASE(warp_mma) {
  unsigned a = 0x3f803f80, b = 0x3c003c00;  // pairs of bf16 1.0 and 2^-7
  int blocks = sm_count(), turns = 8192, bytes = 384 * 128;
  float* o = device_floats(blocks * 512 * 4);
  allow_shared(warp_mma_fix, bytes);
  // 16 warps of 8 m16n8k16 a turn are as many multiply-adds as 2 warpgroups of half an m64n256k16.
  measure("warp_mma", o, blocks * 512, [&] { warp_mma<<<blocks * 2, 256>>>(o, a, b, turns); });
  measure("warp_mma_fix", o, blocks * 256, [&] { warp_mma_fix<<<blocks, 256, bytes>>>(o, a, b, turns / 2); });
}
