// A registry of cases and the two ways to run one kernel: timed with events, or once inside a profiler range.
#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#define CHECK(call)                                                                                  \
  do {                                                                                               \
    cudaError_t status = (call);                                                                     \
    if (status != cudaSuccess) {                                                                     \
      fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(status));                 \
      exit(3);                                                                                       \
    }                                                                                                \
  } while (0)

typedef long long ll;
constexpr size_t MiB = size_t(1) << 20;
constexpr size_t GiB = size_t(1) << 30;

struct Case {
  const char* name;
  void (*run)();
};
std::vector<Case>& cases();
struct Register {
  Register(const char* name, void (*run)()) { cases().push_back({name, run}); }
};
#define CASE(name)                          \
  static void name##_case();                \
  static Register name##_reg(#name, name##_case); \
  static void name##_case()

int sm_count();
// Device memory that is freed when the case ends; filled with floats in [0.5, 1) unless raw.
float* device_floats(size_t bytes);
void* device_bytes(size_t bytes);
void* host_bytes(size_t bytes);
// Time (or profile) one launch; `out` is summed afterwards so that a slow kernel and its fix can be compared.
void measure(const char* kernel, const float* out, size_t count, std::function<void()> launch);

template <class K>
void allow_shared(K* kernel, int bytes) {
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
}

__device__ __forceinline__ ll thread_id() { return blockIdx.x * (ll)blockDim.x + threadIdx.x; }
__device__ __forceinline__ ll thread_count() { return gridDim.x * (ll)blockDim.x; }

// Eight independent FMA chains: 64 FMAs a turn.
__device__ __forceinline__ float fma_work(float x, int turns) {
  float v[8];
#pragma unroll
  for (int k = 0; k < 8; k++) v[k] = x + k;
  for (int i = 0; i < turns; i++) {
#pragma unroll
    for (int j = 0; j < 8; j++)
#pragma unroll
      for (int k = 0; k < 8; k++) v[k] = v[k] * 0.999f + 0.5f;
  }
  float s = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) s += v[k];
  return s;
}
