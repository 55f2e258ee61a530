// CUDA twin of bench/lj-gpu.ts: the Lennard-Jones melt, whole NVE steps, f32, full neighbor lists in columns of four,
// rows of cells as wide as the radius and an eighth of it long, counting sort, a search that tests in words of bits, two
// to eight threads a particle for the forces, which kick and move the particle in the same kernel. Lists are rebuilt at an
// interval that follows the fastest particle; the host waits about every 16 steps for its displacement, and counts the
// intervals that proved too long (which our engine repeats). Our engine compares the pairs of fast particles to use lists
// beyond half the skin; here they are used so without comparing anything.
//
//   nvcc -O3 -arch=native -o lj bench/cuda/lj.cu && ./lj [atoms …]
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#define CHECK(call)                                                                              \
  do {                                                                                           \
    cudaError_t error_ = (call);                                                                 \
    if (error_ != cudaSuccess) {                                                                 \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_));       \
      std::exit(1);                                                                              \
    }                                                                                            \
  } while (0)

constexpr int LANES = 128;
constexpr int CAPACITY = 112;
constexpr int PARTS = 8;   // cells in a radius along x; one along y and z
constexpr int WORDS = 32;  // of tested bits that a thread keeps
constexpr float RCUT = 2.5f, SKIN = 0.3f, RADIUS = RCUT + SKIN, DT = 0.005f;
constexpr float LIMIT = 0.6f * SKIN;  // how far the fastest particle may go

struct Box {
  float length, inverse, edgeX, edge;  // edges of a cell: along x, and along y and z
  int cellsX, cells;
};

__device__ float wrapped(float d, Box box) { return d - box.length * rintf(d * box.inverse); }

// T threads share a particle: thread t takes vectors t, t + T, … of its list. With MOVE, two half kicks follow in one (the
// last half of this step, the first of the next) and the drift; new positions go to another buffer.
template <int T, bool MOVE>
__global__ void forces(int n, int stride, const float4* __restrict__ r, const int* __restrict__ counts,
                       const int4* __restrict__ list, float4* f, Box box, float4* next, float4* v,
                       const float4* reference, unsigned* farthest) {
  constexpr int EACH = LANES / T;
  __shared__ float sums[T > 1 ? LANES - EACH : 1][3];
  int i = blockIdx.x * EACH + threadIdx.x % EACH, share = threadIdx.x / EACH;
  float fx = 0, fy = 0, fz = 0;
  if (i < n) {
    float4 x = r[i];
    int listed = counts[i];
    const int4* at = list + i + (size_t)share * stride;
    auto add = [&](int j) {
      float4 y = r[j];
      float dx = wrapped(x.x - y.x, box), dy = wrapped(x.y - y.y, box), dz = wrapped(x.z - y.z, box);
      float r2 = dx * dx + dy * dy + dz * dz;
      if (r2 < RCUT * RCUT) {
        float inverse = 1.0f / r2, s6 = inverse * inverse * inverse;
        float g = 24.0f * s6 * (2.0f * s6 - 1.0f) * inverse;
        fx += g * dx;
        fy += g * dy;
        fz += g * dz;
      }
    };
    for (int k = 4 * share; k < listed; k += 4 * T, at += (size_t)T * stride) {
      int4 four = *at;
      add(four.x);
      add(four.y);
      add(four.z);
      add(four.w);
    }
  }
  if constexpr (T > 1) {
    if (share > 0) {
      float* own = sums[threadIdx.x - EACH];
      own[0] = fx, own[1] = fy, own[2] = fz;
    }
    __syncthreads();
    if (share == 0)
      for (int s = 0; s < T - 1; s++) {
        float* other = sums[s * EACH + threadIdx.x];
        fx += other[0], fy += other[1], fz += other[2];
      }
  }
  float moved = 0;
  if (i < n && share == 0) {
    f[i] = make_float4(fx, fy, fz, 0);
    if constexpr (MOVE) {
      float4 x = r[i], u = v[i], x0 = reference[i];
      u.x += DT * fx;
      u.y += DT * fy;
      u.z += DT * fz;
      x.x += DT * u.x;
      x.y += DT * u.y;
      x.z += DT * u.z;
      next[i] = x;
      v[i] = u;
      float dx = x.x - x0.x, dy = x.y - x0.y, dz = x.z - x0.z;
      moved = dx * dx + dy * dy + dz * dz;
    }
  }
  if (MOVE && farthest) {
    unsigned most = __reduce_max_sync(0xffffffffu, __float_as_uint(moved));
    if ((threadIdx.x & 31) == 0 && most > *farthest) atomicMax(farthest, most);
  }
}

__device__ int cellOf(float x, float edge, int cells) { return min(max((int)(x / edge), 0), cells - 1); }

__global__ void bin(int n, float4* r, int* cell, int* arrival, int* counts, Box box) {
  int i = blockIdx.x * LANES + threadIdx.x;
  if (i >= n) return;
  float4 x = r[i];
  x.x -= box.length * floorf(x.x * box.inverse);
  x.y -= box.length * floorf(x.y * box.inverse);
  x.z -= box.length * floorf(x.z * box.inverse);
  r[i] = x;
  int y = cellOf(x.y, box.edge, box.cells), z = cellOf(x.z, box.edge, box.cells);
  int c = (z * box.cells + y) * box.cellsX + cellOf(x.x, box.edgeX, box.cellsX);
  cell[i] = c;
  arrival[i] = atomicAdd(&counts[c], 1);
}

__global__ void scanTiles(int n, int* values, int* totals) {
  __shared__ int sums[256];
  int first = blockIdx.x * 2048 + threadIdx.x * 8, own[8], sum = 0;
  for (int k = 0; k < 8; k++) {
    own[k] = sum;
    if (first + k < n) sum += values[first + k];
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int reach = 1; reach < 256; reach <<= 1) {
    int before = threadIdx.x >= reach ? sums[threadIdx.x - reach] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }
  int base = sums[threadIdx.x] - sum;
  for (int k = 0; k < 8; k++)
    if (first + k < n) values[first + k] = base + own[k];
  if (threadIdx.x == 255) totals[blockIdx.x] = sums[255];
}

__global__ void addTotals(int n, int* values, const int* totals) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) values[i] += totals[i / 2048];
}

__global__ void members(int n, const int* cell, const int* start, const int* arrival, int* member) {
  int i = blockIdx.x * LANES + threadIdx.x;
  if (i < n) member[start[cell[i]] + arrival[i]] = i;
}

__global__ void permute(int n, const int* cell, const int* start, const int* member, const float4* r, const float4* v,
                        const float4* f, float4* r2, float4* v2, float4* f2, float4* reference) {
  int i = blockIdx.x * LANES + threadIdx.x;
  if (i >= n) return;
  int c = cell[i], to = start[c], end = start[c + 1];
  for (int k = start[c]; k < end; k++) to += member[k] < i;
  r2[to] = r[i];
  v2[to] = v[i];
  f2[to] = f[i];
  reference[to] = r[i];
}

__global__ void build(int n, int stride, const float4* __restrict__ r, const int* __restrict__ start, int* counts,
                      int4* list, int* longest, Box box) {
  int i = blockIdx.x * LANES + threadIdx.x;
  if (i >= n) return;
  float4 x = r[i];
  uint2 words[WORDS + 1];  // tested bits, and the row of the first of them; the last one is for dummies
  int filled = 0, found = 0, stored = 0;
  // Bits become entries, four written together; before the end what is left over moves to the front.
  auto store = [&](bool atEnd) {
    unsigned bits = 0;
    int row = 0, next = 0;
    if (atEnd) words[filled] = {7u, (unsigned)n};
    int vectors = atEnd ? (found + 3) >> 2 : found >> 2;
    auto entry = [&] {
      if (bits == 0) {
        bits = words[next].x;
        row = (int)words[next].y;
        next++;
      }
      int bit = __ffs(bits) - 1;
      bits &= bits - 1;
      return row + bit;
    };
    for (; stored < vectors; stored++) {
      int4 pack;
      pack.x = entry(), pack.y = entry(), pack.z = entry(), pack.w = entry();
      if (stored < CAPACITY / 4) list[stored * (size_t)stride + i] = pack;
    }
    if (atEnd) return;
    int kept = 0;
    if (bits != 0) words[kept++] = {bits, (unsigned)row};
    while (next < filled) words[kept++] = words[next++];
    filled = kept;
  };
  int cy = cellOf(x.y, box.edge, box.cells), cz = cellOf(x.z, box.edge, box.cells);
  auto gap = [&](float at, int c) { return fmaxf(fabsf(at - (c + 0.5f) * box.edge) - 0.5001f * box.edge, 0.0f); };
  for (int oz = -1; oz <= 1; oz++)
    for (int oy = -1; oy <= 1; oy++) {
      float gy = gap(x.y, cy + oy), gz = gap(x.z, cz + oz), rest = RADIUS * RADIUS - gy * gy - gz * gz;
      if (rest <= 0) continue;
      float span = sqrtf(rest);
      int low = (int)floorf((x.x - span) / box.edgeX - 1e-4f), high = (int)floorf((x.x + span) / box.edgeX + 1e-4f);
      int y = (cy + oy + box.cells) % box.cells, z = (cz + oz + box.cells) % box.cells;
      int line = (z * box.cells + y) * box.cellsX;
      for (int part = low < 0 ? -1 : 0; part <= (high >= box.cellsX ? 1 : 0); part++) {
        int a = max(low - part * box.cellsX, 0), b = min(high - part * box.cellsX, box.cellsX - 1);
        if (a > b) continue;
        int end = start[line + b + 1];
        for (int j = start[line + a]; j < end; j += 32) {
          int bits = min(end - j, 32);
          unsigned near = 0;
          for (int k = 0; k < bits; k += 4) {
            unsigned some = 0;
#pragma unroll
            for (int m = 0; m < 4; m++) {
              float4 q = r[j + k + m];  // rows after the last are padding
              float dx = wrapped(x.x - q.x, box), dy = wrapped(x.y - q.y, box), dz = wrapped(x.z - q.z, box);
              some |= dx * dx + dy * dy + dz * dz < RADIUS * RADIUS ? 1u << m : 0u;
            }
            near |= some << k;
          }
          near &= 0xffffffffu >> (32 - bits);
          if ((unsigned)(i - j) < 32u) near &= ~(1u << (i - j));
          if (near != 0) {
            words[filled++] = {near, (unsigned)j};
            found += __popc(near);
            if (filled == WORDS) store(false);
          }
        }
      }
    }
  store(true);
  counts[i] = min(found, CAPACITY);
  if (found > *longest) atomicMax(longest, found);
}

template <class T>
T* device(size_t count) {
  T* p;
  CHECK(cudaMalloc(&p, count * sizeof(T)));
  CHECK(cudaMemset(p, 0, count * sizeof(T)));
  return p;
}

struct Run {
  int n, groups, stride, cells3, tiles;
  Box box;
  float4 *r, *v, *f, *r2, *v2, *f2, *reference;
  int *cell, *arrival, *start, *totals, *totals2, *member, *counts, *longest;
  int4* list;
  unsigned* farthest;

  explicit Run(int repeat) {
    n = 4 * repeat * repeat * repeat;
    groups = (n + LANES - 1) / LANES;
    stride = (n + 63) / 64 * 64;
    float a = std::cbrt(4 / 0.8442f), length = a * repeat;
    int cellsX = (int)(length / (RADIUS / PARTS * 1.0002f)), cells = (int)(length / (RADIUS * 1.0002f));
    box = {length, 1 / length, length / cellsX, length / cells, cellsX, cells};
    cells3 = cellsX * cells * cells;
    tiles = (cells3 + 1 + 2047) / 2048;
    size_t rows = n + 16;
    r = device<float4>(rows), v = device<float4>(rows), f = device<float4>(rows);
    r2 = device<float4>(rows), v2 = device<float4>(rows), f2 = device<float4>(rows);
    reference = device<float4>(rows);
    cell = device<int>(n), arrival = device<int>(n), member = device<int>(n), counts = device<int>(n);
    start = device<int>(cells3 + 1), totals = device<int>(tiles + 1), totals2 = device<int>(64);
    list = device<int4>((size_t)stride * CAPACITY / 4);
    longest = device<int>(1), farthest = device<unsigned>(1);
    std::vector<float4> hr(rows, make_float4(1e9f, 1e9f, 1e9f, 0)), hv(n);
    std::mt19937 random(87287);
    std::normal_distribution<float> normal;
    const float basis[4][3] = {{0, 0, 0}, {.5f, .5f, 0}, {.5f, 0, .5f}, {0, .5f, .5f}};
    int k = 0;
    double mean[3] = {0, 0, 0}, sum = 0;
    for (int z = 0; z < repeat; z++)
      for (int y = 0; y < repeat; y++)
        for (int x = 0; x < repeat; x++)
          for (auto& b : basis) {
            hr[k] = make_float4((x + b[0]) * a, (y + b[1]) * a, (z + b[2]) * a, 0);
            hv[k] = make_float4(normal(random), normal(random), normal(random), 0);
            mean[0] += hv[k].x, mean[1] += hv[k].y, mean[2] += hv[k].z, k++;
          }
    for (auto& u : hv) {
      u.x -= mean[0] / n, u.y -= mean[1] / n, u.z -= mean[2] / n;
      sum += u.x * u.x + u.y * u.y + u.z * u.z;
    }
    float scale = std::sqrt(1.44 * 3 * n / sum);
    for (auto& u : hv) u.x *= scale, u.y *= scale, u.z *= scale;
    CHECK(cudaMemcpy(r, hr.data(), rows * 16, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(r2, hr.data(), rows * 16, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(v, hv.data(), (size_t)n * 16, cudaMemcpyHostToDevice));
  }

  void rebuild() {
    CHECK(cudaMemsetAsync(start, 0, (cells3 + 1) * sizeof(int)));
    bin<<<groups, LANES>>>(n, r, cell, arrival, start, box);
    scanTiles<<<tiles, 256>>>(cells3 + 1, start, totals);
    scanTiles<<<(tiles + 2047) / 2048, 256>>>(tiles, totals, totals2);
    // More than 2048 tiles need one more level.
    if (tiles > 2048) {
      scanTiles<<<1, 256>>>((tiles + 2047) / 2048, totals2, totals2 + 32);
      addTotals<<<(tiles + 255) / 256, 256>>>(tiles, totals, totals2);
    }
    addTotals<<<(cells3 + 256) / 256, 256>>>(cells3 + 1, start, totals);
    members<<<groups, LANES>>>(n, cell, start, arrival, member);
    permute<<<groups, LANES>>>(n, cell, start, member, r, v, f, r2, v2, f2, reference);
    std::swap(r, r2), std::swap(v, v2), std::swap(f, f2);
    build<<<groups, LANES>>>(n, stride, r, start, counts, list, longest, box);
  }

  template <int T, bool MOVE>
  void pairs(unsigned* note) {
    constexpr int EACH = LANES / T;
    forces<T, MOVE><<<(n + EACH - 1) / EACH, LANES>>>(n, stride, r, counts, list, f, box, r2, v, reference, note);
    if (MOVE) std::swap(r, r2);
  }
  template <bool MOVE>
  void pairs(unsigned* note = nullptr) {
    if (n >= 1 << 19) pairs<2, MOVE>(note);
    else if (n >= 1 << 17) pairs<4, MOVE>(note);
    else pairs<8, MOVE>(note);
  }
};

static float elapsed(cudaEvent_t a, cudaEvent_t b) {
  float ms;
  CHECK(cudaEventSynchronize(b));
  CHECK(cudaEventElapsedTime(&ms, a, b));
  return ms;
}

int main(int argc, char** argv) {
  std::vector<int> sizes;
  for (int k = 1; k < argc; k++) sizes.push_back(std::atoi(argv[k]));
  if (sizes.empty()) sizes = {32000, 1048576};
  cudaDeviceProp card;
  CHECK(cudaGetDeviceProperties(&card, 0));
  for (int atoms : sizes) {
    Run run((int)std::lround(std::cbrt(atoms / 4.0)));
    int interval = 4, steps = 0;
    unsigned moved = 0;
    int failures = 0;
    auto go = [&]() {
      CHECK(cudaMemsetAsync(run.farthest, 0, 4));
      run.rebuild();
      static unsigned* pinned = nullptr;
      if (!pinned) CHECK(cudaMallocHost(&pinned, 4));
      for (int k = 1; k < interval; k++) run.pairs<true>(run.farthest);
      CHECK(cudaMemcpyAsync(pinned, run.farthest, 4, cudaMemcpyDeviceToHost));
      run.pairs<true>();  // positions after it are sorted before the lists are read
      steps += interval;
      if (steps % 16 == 0 || steps < 200) {
        CHECK(cudaDeviceSynchronize());
        moved = *pinned;
        float distance;
        memcpy(&distance, &moved, 4);
        distance = std::sqrt(distance);
        if (distance > LIMIT) failures++;
        if (interval > 1)
          interval = std::min(64, std::max(2, (int)(LIMIT / (distance / (interval - 1) * 1.06f)) + 1));
      }
    };
    while (steps < 600) go();
    CHECK(cudaDeviceSynchronize());
    cudaEvent_t a, b;
    CHECK(cudaEventCreate(&a));
    CHECK(cudaEventCreate(&b));
    std::vector<double> rates;
    int before = failures;
    for (int round = 0; round < 5; round++) {
      int first = steps, wanted = (int)std::max(200.0, 1.5e9 / run.n * 1.0);
      CHECK(cudaEventRecord(a));
      while (steps - first < wanted) go();
      CHECK(cudaEventRecord(b));
      rates.push_back((double)(steps - first) * run.n / (elapsed(a, b) * 1e-3));
    }
    std::sort(rates.begin(), rates.end());
    auto time = [&](auto body) {
      std::vector<float> times;
      for (int k = 0; k < 21; k++) {
        CHECK(cudaEventRecord(a));
        body();
        CHECK(cudaEventRecord(b));
        times.push_back(elapsed(a, b));
      }
      std::sort(times.begin(), times.end());
      return times[10];
    };
    float pair = time([&] { run.pairs<false>(); }), joined = time([&] { run.pairs<true>(); }), rebuild = time([&] { run.rebuild(); });
    int longest;
    CHECK(cudaMemcpy(&longest, run.longest, 4, cudaMemcpyDeviceToHost));
    std::printf(
        "CUDA f32 | %d atoms | density 0.8442, cutoff 2.5, skin 0.3, dt 0.005 | %.3e atom-steps/s (%.2e … %.2e) | lists "
        "last %d steps, %d used too long | forces %.4f ms, with kick and drift %.4f ms, rebuild %.4f ms | longest list %d of %d | %s\n",
        run.n, rates[2], rates[0], rates[4], interval, failures - before, pair, joined, rebuild, longest, CAPACITY, card.name);
    CHECK(cudaGetLastError());
    for (void* p : {(void*)run.r, (void*)run.v, (void*)run.f, (void*)run.r2, (void*)run.v2, (void*)run.f2,
                    (void*)run.reference, (void*)run.cell, (void*)run.arrival, (void*)run.member, (void*)run.counts,
                    (void*)run.start, (void*)run.totals, (void*)run.totals2, (void*)run.list})
      CHECK(cudaFree(p));
  }
}
