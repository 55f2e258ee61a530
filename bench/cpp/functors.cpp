// The five functors of bench/functors as plain C++ loops over the same half list: functors <file> <rcut> <repeats>
// Prints "<real> <name> <milliseconds a pass, median> <norm of the outputs of one pass>" for each.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Entry {
  int32_t i, image, j0, j1;
};

struct List {
  int32_t count = 0;
  double box[3];
  std::vector<double> position;
  std::vector<uint32_t> type;
  std::vector<Entry> entries;
  std::vector<int32_t> neighbors;
};

template <class T>
static void fill(std::vector<T>& to, size_t length, FILE* file) {
  to.resize(length);
  if (fread(to.data(), sizeof(T), length, file) != length) exit(1);
}

static List read(const char* name) {
  List list;
  FILE* file = fopen(name, "rb");
  int32_t head[4];
  if (!file || fread(head, 4, 4, file) != 4 || fread(list.box, 8, 3, file) != 3) exit(1);
  list.count = head[0];
  fill(list.position, 4 * size_t(head[0]), file);
  fill(list.type, head[0], file);
  fill(list.entries, head[1], file);
  fill(list.neighbors, head[2], file);
  fclose(file);
  return list;
}

// Interactions: value(r2, i type, j type) is f with force f·d on i, or the coordination of both.
template <class R>
struct LennardJones {
  static constexpr bool vector = true;
  R epsilon = 1, sigma2 = 1;
  R operator()(R r2, uint32_t, uint32_t) const {
    R inverse = 1 / r2, s2 = sigma2 * inverse, s6 = s2 * s2 * s2;
    return 24 * epsilon * s6 * (2 * s6 - 1) * inverse;
  }
};
template <class R>
struct Morse {
  static constexpr bool vector = true;
  R depth = 1, alpha = 5, r0 = R(1.12);
  R operator()(R r2, uint32_t, uint32_t) const {
    R r = std::sqrt(r2), e = std::exp(-alpha * (r - r0));
    return -2 * alpha * depth * (1 - e) * e / r;
  }
};
template <class R>
struct Yukawa {
  static constexpr bool vector = true;
  R strength = 10, kappa = R(1.5);
  R operator()(R r2, uint32_t, uint32_t) const {
    R r = std::sqrt(r2);
    return strength * std::exp(-kappa * r) * (kappa + 1 / r) / r2;
  }
};
template <class R>
struct Coordination {
  static constexpr bool vector = false;
  R r02 = R(1.44);
  R operator()(R r2, uint32_t, uint32_t) const {
    R x2 = r2 / r02, x6 = x2 * x2 * x2;
    return std::abs(1 - x6) < R(1e-6) ? R(0.5) : (1 - x6) / (1 - x6 * x6);
  }
};
template <class R>
struct TwoTypes {
  static constexpr bool vector = true;
  R epsilon[4] = {1, R(0.8), R(0.8), R(0.5)}, sigma2[4] = {1, R(0.95), R(0.95), R(0.9)};
  R operator()(R r2, uint32_t a, uint32_t b) const {
    uint32_t pair = 2 * a + b;
    R inverse = 1 / r2, s2 = sigma2[pair] * inverse, s6 = s2 * s2 * s2;
    return 24 * epsilon[pair] * s6 * (2 * s6 - 1) * inverse;
  }
};

template <class R, class F>
static void pass(const List& list, const R* r, R* out, R rcut, const F& functor) {
  const R rcut2 = rcut * rcut;
  const R box[3] = {R(list.box[0]), R(list.box[1]), R(list.box[2])};
  for (const Entry& entry : list.entries) {
    const R* ri = r + 4 * size_t(entry.i);
    const R x = ri[0] + R(entry.image % 3 - 1) * box[0];
    const R y = ri[1] + R(entry.image / 3 % 3 - 1) * box[1];
    const R z = ri[2] + R(entry.image / 9 - 1) * box[2];
    const uint32_t type = list.type[entry.i];
    R fx = 0, fy = 0, fz = 0;
    for (int32_t k = entry.j0; k < entry.j1; k++) {
      const int32_t j = list.neighbors[k];
      const R* rj = r + 4 * size_t(j);
      const R dx = x - rj[0], dy = y - rj[1], dz = z - rj[2];
      const R r2 = dx * dx + dy * dy + dz * dz;
      if (r2 < rcut2) {
        const R value = functor(r2, type, list.type[j]);
        if constexpr (F::vector) {
          fx += value * dx, fy += value * dy, fz += value * dz;
          out[4 * size_t(j)] -= value * dx;
          out[4 * size_t(j) + 1] -= value * dy;
          out[4 * size_t(j) + 2] -= value * dz;
        } else {
          fx += value;
          out[4 * size_t(j)] += value;
        }
      }
    }
    out[4 * size_t(entry.i)] += fx;
    if constexpr (F::vector) {
      out[4 * size_t(entry.i) + 1] += fy;
      out[4 * size_t(entry.i) + 2] += fz;
    }
  }
}

template <class R, class F>
static void measure(const char* real, const char* name, const List& list, double rcut, int repeats) {
  std::vector<R> r(4 * size_t(list.count + 1), R(1e9)), out(4 * size_t(list.count + 1), R(0));
  std::copy(list.position.begin(), list.position.end(), r.begin());
  const F functor;
  pass<R, F>(list, r.data(), out.data(), R(rcut), functor);
  double norm = 0;
  for (R value : out) norm += double(value) * double(value);
  std::vector<double> times;
  for (int k = 0; k < repeats; k++) {
    auto start = std::chrono::steady_clock::now();
    pass<R, F>(list, r.data(), out.data(), R(rcut), functor);
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
  printf("%s\t%s\t%.6f\t%.9g\n", real, name, times[repeats / 2], std::sqrt(norm));
}

template <class R>
static void measureAll(const char* real, const List& list, double rcut, int repeats) {
  measure<R, LennardJones<R>>(real, "Lennard-Jones", list, rcut, repeats);
  measure<R, Morse<R>>(real, "Morse", list, rcut, repeats);
  measure<R, Yukawa<R>>(real, "Yukawa", list, rcut, repeats);
  measure<R, Coordination<R>>(real, "coordination 6/12", list, rcut, repeats);
  measure<R, TwoTypes<R>>(real, "two-type table", list, rcut, repeats);
}

int main(int count, char** words) {
  if (count != 4) return 2;
  List list = read(words[1]);
  list.type.push_back(0);  // of the padding row, whose position is far away
  measureAll<double>("f64", list, atof(words[2]), atoi(words[3]));
  measureAll<float>("f32", list, atof(words[2]), atoi(words[3]));
}
