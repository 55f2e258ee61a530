// CUDA twin of bench/coordination.ts: coordination numbers with derivatives and box derivatives, f32, at water's density of
// atoms (33.4 nm^-3, R_0 0.3, D_MAX 0.6), positions in no order and moved before each frame.
//
//   all pairs    positions as 32-bit fractions of the box, whose differences wrap to the nearest image; a thread a particle,
//                tiles of 128 in shared memory, four distances to a test, tiles shared out over several blocks
//   cell lists   counting sort into cells of D_MAX, a thread a particle over 27 cells, made anew in every frame
//
//   nvcc -O3 -arch=native -o coordination bench/cuda/coordination.cu && ./coordination [counts …]
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/scan.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    cudaError_t error_ = (call);                                                           \
    if (error_ != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (0)

constexpr int TILE = 128;
constexpr int SUMS = 7;  // value and six box derivatives
constexpr float R0 = 0.3f, D_MAX = 0.6f;
constexpr double DENSITY = 33.4;

struct Switch {
  float range2, inverse2, stretch, shift;
};

struct Sums {
  float cn = 0, x = 0, y = 0, z = 0, xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
  __device__ void pair(float dx, float dy, float dz, float r2, Switch s) {
    float q = fminf(r2 * s.inverse2, 1e8f), q2 = q * q;
    float f = 1.0f / (1.0f + q2 * q);
    float g = -6.0f * q2 * f * f * s.inverse2 * s.stretch;
    cn += f * s.stretch + s.shift;
    float gx = g * dx, gy = g * dy, gz = g * dz;
    x += gx, y += gy, z += gz;
    xx -= gx * dx, yy -= gy * dy, zz -= gz * dz, xy -= gx * dy, xz -= gx * dz, yz -= gy * dz;
  }
  __device__ void add(const Sums& o) {
    cn += o.cn, x += o.x, y += o.y, z += o.z;
    xx += o.xx, yy += o.yy, zz += o.zz, xy += o.xy, xz += o.xz, yz += o.yz;
  }
};

/** Sums of a block, in doubles from the warp on. */
__device__ void leave(const Sums& own, double* totals) {
  __shared__ double parts[SUMS][TILE / 32];
  float values[SUMS] = {own.cn, own.xx, own.yy, own.zz, own.xy, own.xz, own.yz};
  for (int k = 0; k < SUMS; k++) {
    double v = values[k];
    for (int reach = 16; reach > 0; reach >>= 1) v += __shfl_down_sync(0xffffffffu, v, reach);
    if ((threadIdx.x & 31) == 0) parts[k][threadIdx.x / 32] = v;
  }
  __syncthreads();
  if (threadIdx.x < SUMS) {
    double sum = 0;
    for (int w = 0; w < TILE / 32; w++) sum += parts[threadIdx.x][w];
    atomicAdd(&totals[threadIdx.x], sum);
  }
}

__global__ void stir(int n, float4* r, float by) {
  int i = blockIdx.x * TILE + threadIdx.x;
  if (i < n) r[i].x += by;
}

__global__ void pack(int n, int padded, const float4* r, uint4* u, float inverse) {
  int i = blockIdx.x * TILE + threadIdx.x;
  if (i >= padded) return;
  if (i >= n) {
    u[i] = make_uint4(0, 0, 0, 0xffffffffu);
    return;
  }
  auto turn = [&](float x) {
    double s = (double)x * inverse;
    return (unsigned)(long long)rint((s - floor(s)) * 4294967296.0);
  };
  u[i] = make_uint4(turn(r[i].x), turn(r[i].y), turn(r[i].z), i);
}

template <bool LIMITED>
__global__ void allPairs(int n, int tiles, int tilesPerSplit, int centralGroups, const uint4* __restrict__ u, float scale,
                         Switch s, float4* partial, double* totals) {
  __shared__ uint4 tile[TILE];
  int group = blockIdx.x % centralGroups, split = blockIdx.x / centralGroups;
  int i = group * TILE + threadIdx.x;
  uint4 own = u[i];
  float reach = i < n ? s.range2 : -1.0f;
  Sums sums;
  int last = min((split + 1) * tilesPerSplit, tiles);
  auto axis = [&](unsigned a, unsigned b) { return (float)(int)(a - b) * scale; };
  auto square = [&](uint4 q) {
    float dx = axis(own.x, q.x), dy = axis(own.y, q.y), dz = axis(own.z, q.z);
    return dx * dx + dy * dy + dz * dz;
  };
  for (int t = split * tilesPerSplit; t < last; t++) {
    __syncthreads();
    tile[threadIdx.x] = u[t * TILE + threadIdx.x];
    __syncthreads();
    Sums part;
    auto meet = [&](uint4 q) {
      float dx = axis(own.x, q.x), dy = axis(own.y, q.y), dz = axis(own.z, q.z);
      float r2 = dx * dx + dy * dy + dz * dz;
      if (r2 <= reach && q.w != own.w && q.w != 0xffffffffu) part.pair(dx, dy, dz, r2, s);
    };
    for (int k = 0; k < TILE; k += 4) {
      if (LIMITED) {
        float a = square(tile[k]), b = square(tile[k + 1]), c = square(tile[k + 2]), d = square(tile[k + 3]);
        if (fminf(fminf(a, b), fminf(c, d)) > reach) continue;
      }
      meet(tile[k]);
      meet(tile[k + 1]);
      meet(tile[k + 2]);
      meet(tile[k + 3]);
    }
    sums.add(part);
  }
  if (i < n) partial[split * n + i] = make_float4(sums.x, sums.y, sums.z, sums.cn);
  leave(sums, totals);
}

__global__ void gather(int n, int splits, const float4* partial, float4* out) {
  int i = blockIdx.x * TILE + threadIdx.x;
  if (i >= n) return;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int k = 0; k < splits; k++) {
    float4 p = partial[k * n + i];
    sum.x += p.x, sum.y += p.y, sum.z += p.z, sum.w += p.w;
  }
  out[i] = sum;
}

__device__ int cellOf(float x, float inverse, int cells) {
  float s = x * inverse;
  s -= floorf(s);
  return min((int)(s * cells), cells - 1);
}

__global__ void bin(int n, const float4* r, int* cell, int* arrival, int* counts, float inverse, int cells) {
  int i = blockIdx.x * TILE + threadIdx.x;
  if (i >= n) return;
  float4 x = r[i];
  int c = (cellOf(x.z, inverse, cells) * cells + cellOf(x.y, inverse, cells)) * cells + cellOf(x.x, inverse, cells);
  cell[i] = c;
  arrival[i] = atomicAdd(&counts[c], 1);
}

__global__ void place(int n, const float4* r, const int* cell, const int* arrival, const int* starts, float4* sorted) {
  int i = blockIdx.x * TILE + threadIdx.x;
  if (i >= n) return;
  float4 x = r[i];
  x.w = __int_as_float(i);
  sorted[starts[cell[i]] + arrival[i]] = x;
}

__global__ void cellLists(int n, const float4* __restrict__ sorted, const int* __restrict__ starts, float length,
                          float inverse, int cells, Switch s, float4* out, double* totals) {
  int k = blockIdx.x * TILE + threadIdx.x;
  Sums sums;
  if (k < n) {
    float4 x = sorted[k];
    int cx = cellOf(x.x, inverse, cells), cy = cellOf(x.y, inverse, cells), cz = cellOf(x.z, inverse, cells);
    for (int dz = -1; dz <= 1; dz++)
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
          int c = ((cz + dz + cells) % cells * cells + (cy + dy + cells) % cells) * cells + (cx + dx + cells) % cells;
          int end = starts[c + 1];
          for (int j = starts[c]; j < end; j++) {
            float4 y = sorted[j];
            float ax = x.x - y.x, ay = x.y - y.y, az = x.z - y.z;
            ax -= length * rintf(ax * inverse);
            ay -= length * rintf(ay * inverse);
            az -= length * rintf(az * inverse);
            float r2 = ax * ax + ay * ay + az * az;
            if (r2 <= s.range2 && j != k) sums.pair(ax, ay, az, r2, s);
          }
        }
    out[__float_as_int(x.w)] = make_float4(sums.x, sums.y, sums.z, sums.cn);
  }
  leave(sums, totals);
}

template <typename T>
T* device(size_t count) {
  T* pointer;
  CHECK(cudaMalloc(&pointer, count * sizeof(T)));
  CHECK(cudaMemset(pointer, 0, count * sizeof(T)));
  return pointer;
}

void bench(int n, bool cellular, bool limited) {
  const double length = std::cbrt(n / DENSITY);
  const int sites = (int)std::ceil(std::cbrt((double)n));
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit;
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  std::vector<float4> host(n);
  for (int k = 0; k < n; k++) {
    auto at = [&](int site) { return (float)((site + 0.6 * unit(random)) * length / sites); };
    host[order[k]] = make_float4(at(k % sites), at(k / sites % sites), at(k / (sites * sites)), 0);
  }
  const int groups = (n + TILE - 1) / TILE, padded = groups * TILE, tiles = groups;
  const int wanted = std::min(tiles, std::max(1, (int)std::lround(2048.0 / groups)));
  const int tilesPerSplit = (tiles + wanted - 1) / wanted, splits = (tiles + tilesPerSplit - 1) / tilesPerSplit;
  const int cells = std::max(1, (int)(length / (D_MAX * 1.0001))), total = cells * cells * cells;
  float4 *r = device<float4>(n), *sorted = device<float4>(n), *out = device<float4>(n);
  float4* partial = device<float4>(cellular ? 1 : (size_t)splits * n);
  uint4* u = device<uint4>(padded);
  int *cell = device<int>(n), *arrival = device<int>(n), *starts = device<int>(total + 1);
  double *totals = device<double>(SUMS), result[SUMS];
  CHECK(cudaMemcpy(r, host.data(), n * sizeof(float4), cudaMemcpyHostToDevice));
  const double last = 1 / (1 + std::pow(D_MAX / R0, 6)), stretch = limited ? 1 / (1 - last) : 1;
  const Switch s = {limited ? D_MAX * D_MAX : 1e30f, 1 / (R0 * R0), (float)stretch, limited ? (float)(-last * stretch) : 0};
  const float inverse = (float)(1 / length), scale = (float)(length / 4294967296.0);
  auto run = [&] {
    CHECK(cudaMemsetAsync(totals, 0, SUMS * sizeof(double)));
    if (cellular) {
      CHECK(cudaMemsetAsync(starts, 0, (total + 1) * sizeof(int)));
      bin<<<groups, TILE>>>(n, r, cell, arrival, starts, inverse, cells);
      thrust::device_ptr<int> first(starts);
      thrust::exclusive_scan(thrust::cuda::par_nosync, first, first + total + 1, first);
      place<<<groups, TILE>>>(n, r, cell, arrival, starts, sorted);
      cellLists<<<groups, TILE>>>(n, sorted, starts, (float)length, inverse, cells, s, out, totals);
    } else {
      pack<<<groups, TILE>>>(n, padded, r, u, inverse);
      auto kernel = limited ? allPairs<true> : allPairs<false>;
      kernel<<<groups * splits, TILE>>>(n, tiles, tilesPerSplit, groups, u, scale, s, partial, totals);
      gather<<<groups, TILE>>>(n, splits, partial, out);
    }
    CHECK(cudaMemcpy(result, totals, sizeof(result), cudaMemcpyDeviceToHost));
  };
  std::vector<double> times, kernels;
  cudaEvent_t before, after;
  CHECK(cudaEventCreate(&before));
  CHECK(cudaEventCreate(&after));
  for (int k = 0; k < 38; k++) {
    stir<<<groups, TILE>>>(n, r, k % 2 ? -1e-4f : 1e-4f);
    CHECK(cudaDeviceSynchronize());
    auto start = std::chrono::steady_clock::now();
    CHECK(cudaEventRecord(before));
    run();
    CHECK(cudaEventRecord(after));
    double time = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    CHECK(cudaDeviceSynchronize());
    float own;
    CHECK(cudaEventElapsedTime(&own, before, after));
    if (k >= 8) times.push_back(time), kernels.push_back(own);
  }
  std::sort(times.begin(), times.end());
  std::sort(kernels.begin(), kernels.end());
  std::printf("CUDA %8d %-22s best %8.3f ms  median %8.3f ms  events %8.3f ms  value %.9g\n", n,
              cellular ? "cell lists" : limited ? "all pairs" : "all pairs, no d_max", times[0], times[times.size() / 2],
              kernels[0], result[0] / 2);
  for (void* pointer : {(void*)r, (void*)sorted, (void*)out, (void*)partial, (void*)u, (void*)cell, (void*)arrival,
                        (void*)starts, (void*)totals})
    CHECK(cudaFree(pointer));
}

int main(int argc, char** argv) {
  std::vector<int> sizes;
  for (int k = 1; k < argc; k++) sizes.push_back(std::atoi(argv[k]));
  if (sizes.empty()) sizes = {20000, 100000, 1000000};
  for (int n : sizes) {
    if (n <= 200000) {
      bench(n, false, true);
      bench(n, false, false);
    }
    bench(n, true, true);
  }
}
