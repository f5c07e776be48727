// Warp specialisation: producer warps compute tiles that consumer warps wait for on shared-memory barriers.
#include <cstdint>
#include "harness.cuh"

constexpr int RING = 4, TILE = 512, CONSUMERS = 8;

__device__ __forceinline__ unsigned address(const uint64_t* barrier) {
  return (unsigned)__cvta_generic_to_shared(barrier);
}
__device__ __forceinline__ void prepare(uint64_t* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(barrier)), "r"(arrivals) : "memory");
}
__device__ __forceinline__ void arrive(uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(barrier)) : "memory");
}
__device__ __forceinline__ void wait_for(uint64_t* barrier, unsigned parity) {
  unsigned done = 0;
  while (!done)
    asm volatile(
        "{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
        : "=r"(done)
        : "r"(address(barrier)), "r"(parity)
        : "memory");
}
__device__ __forceinline__ float element(int tile, int i) {
  float v = (tile * 31 + i) & 63;
  for (int k = 0; k < 64; k++) v = v * 0.99f + 0.25f;
  return v;
}
// producer: one warp makes the tiles of eight consumers, against four.
template <int PRODUCERS>
__device__ __forceinline__ void specialised(float* o, int tiles) {
  __shared__ float ring[RING][TILE];
  __shared__ uint64_t full[RING], empty[RING];
  int warp = threadIdx.x / 32, lane = threadIdx.x & 31;
  if (threadIdx.x < RING) prepare(&full[threadIdx.x], 32), prepare(&empty[threadIdx.x], CONSUMERS);
  __syncthreads();
  if (warp >= CONSUMERS) {
    for (int t = warp - CONSUMERS; t < tiles; t += PRODUCERS) {
      wait_for(&empty[t % RING], (t / RING & 1) ^ 1);
      for (int i = lane; i < TILE; i += 32) ring[t % RING][i] = element(t, i);
      arrive(&full[t % RING]);
    }
    return;
  }
  float s = 0;
  for (int t = 0; t < tiles; t++) {
    wait_for(&full[t % RING], t / RING & 1);
    for (int i = threadIdx.x; i < TILE; i += CONSUMERS * 32) s += ring[t % RING][i];
    __syncwarp();
    if (lane == 0) arrive(&empty[t % RING]);
  }
  o[blockIdx.x * CONSUMERS * 32 + threadIdx.x] = s;
}
extern "C" __global__ void __launch_bounds__(288) producer(float* o, int tiles) { specialised<1>(o, tiles); }
extern "C" __global__ void __launch_bounds__(384) producer_fix(float* o, int tiles) { specialised<4>(o, tiles); }
CASE(producer) {
  int blocks = sm_count() * 2, threads = blocks * CONSUMERS * 32;
  float* o = device_floats(threads * 4);
  measure("producer", o, threads, [&] { producer<<<blocks, 288>>>(o, 200); });
  measure("producer_fix", o, threads, [&] { producer_fix<<<blocks, 384>>>(o, 200); });
}
