import {
  type NeighborhoodFunctor,
  neighborhoodFunctor,
  type PairFunctor,
  pairFunctor,
} from '@corpuscle/functor';

// biome-ignore lint/suspicious/noExplicitAny: functors of all shapes share these bodies
export type AnyPairs = PairFunctor<any, any> | NeighborhoodFunctor<any, any>;

/** A pair force that feels the charges, so that nothing cancels. */
export const spring = pairFunctor(
  {
    name: 'spring',
    central: { fx: 'real', fy: 'real', fz: 'real', ep: 'real' },
    read: { charge: 'real' },
    neighbor: { charge: 'real' },
    params: { k: 'real' },
    traits: { newton3: true },
  },
  (i, j, d, p) => {
    const f = p.k * i.charge * j.charge * (4 - d.r2);
    i.fx += f * d.x;
    i.fy += f * d.y;
    i.fz += f * d.z;
    i.ep += 0.5 * f;
  },
);

/** Uses weights its own way. */
export const weighted = pairFunctor(
  {
    name: 'weighted',
    central: { ep: 'real' },
    params: { k: 'real' },
    traits: { needsPairWeights: true },
  },
  (i, _j, d, p) => {
    i.ep += p.k * d.weight * d.weight * (4 - d.r2);
  },
);

/** Three bodies with everything a buffer can have. */
export const triplets = neighborhoodFunctor(
  {
    name: 'triplets',
    central: { fx: 'real', ep: 'real', seen: 'u32' },
    read: { charge: 'real' },
    neighbor: { charge: 'real', type: 'u32' },
    scatter: { fx: 'real', fy: 'real' },
    work: { g: 'real' },
    params: { k: 'real' },
  },
  (i, b, p) => {
    i.ep += 1;
    i.seen += b.count;
    for (let k = 0; k < b.count; k++) b.g[k] = p.k * (4 - b.r2[k]!) * b.charge[k]!;
    for (let j = 0; j < b.count; j++) {
      for (let k = 0; k < j; k++) {
        if (b.type[j] !== b.type[k]) continue;
        const dot = b.dx[j]! * b.dx[k]! + b.dy[j]! * b.dy[k]! + b.dz[j]! * b.dz[k]!;
        const e = i.charge * b.g[j]! * b.g[k]! * dot;
        i.ep += e;
        i.fx += e * (b.dx[j]! + b.dx[k]!);
        b.fx[k] += e * b.dx[j]!;
        b.fx[j] += e * b.dx[k]!;
        b.fy[j] -= 0.5 * e;
        b.fy[k] -= 0.5 * e;
      }
    }
  },
);

/** The same by a block of lanes, each with its own j, and with values that other lanes have computed. */
export const sharedTriplets = neighborhoodFunctor(
  {
    name: 'shared_triplets',
    central: { fx: 'real', ep: 'real', seen: 'u32' },
    read: { charge: 'real' },
    neighbor: { charge: 'real', type: 'u32' },
    scatter: { fx: 'real', fy: 'real' },
    work: { g: 'real' },
    params: { k: 'real' },
    traits: { blockShared: true },
  },
  (i, b, p) => {
    if (b.lane === 0) {
      i.ep += 1;
      i.seen += b.count;
    }
    for (let k = b.lane; k < b.count; k += b.lanes) b.g[k] = p.k * (4 - b.r2[k]!) * b.charge[k]!;
    b.barrier();
    for (let j = b.lane; j < b.count; j += b.lanes) {
      for (let k = 0; k < j; k++) {
        if (b.type[j] !== b.type[k]) continue;
        const dot = b.dx[j]! * b.dx[k]! + b.dy[j]! * b.dy[k]! + b.dz[j]! * b.dz[k]!;
        const e = i.charge * b.g[j]! * b.g[k]! * dot;
        i.ep += e;
        i.fx += e * (b.dx[j]! + b.dx[k]!);
        b.fx[k] += e * b.dx[j]!;
        b.fx[j] += e * b.dx[k]!;
        b.fy[j] -= 0.5 * e;
        b.fy[k] -= 0.5 * e;
      }
    }
  },
);

/** Sees the weights of its neighbors. */
export const weightedTriplets = neighborhoodFunctor(
  { name: 'weighted_triplets', central: { ep: 'real' }, traits: { needsPairWeights: true } },
  (i, b) => {
    for (let k = 0; k < b.count; k++) i.ep += b.weight[k]! * (4 - b.r2[k]!);
  },
);

/** Deviations from the mean over the neighbors, and what is left of particles without any. */
export const deviation = pairFunctor(
  {
    name: 'deviation',
    central: { ep: 'real', seen: 'u32' },
    read: { charge: 'real' },
    neighbor: { charge: 'real', type: 'u32' },
    params: { k: 'real' },
    helpers: { square: (x: number) => x * x },
    context: { sum: 'real', squares: 'real', count: 'u32', nearest: 'real' },
    contextStart: (x, i, p) => {
      x.nearest = 4 * p.k;
      if (i.charge > 0.75) return;
      x.sum = i.charge;
    },
    contextStop: (x, i, p, h) => {
      const mean = x.count > 0 ? x.sum / x.count : 0;
      i.ep += p.k * (x.squares - x.count * h.square(mean)) + x.nearest;
      i.seen += x.count + 1;
    },
  },
  (i, j, d, p, h, _c, x) => {
    x.nearest = Math.min(x.nearest, d.r2 * p.k);
    if (j.type === 1) return;
    x.count++;
    x.sum += j.charge * (4 - d.r2);
    x.squares += h.square(j.charge * (4 - d.r2));
    i.ep += 0.125 * d.x;
  },
);

/** The same for both forms, but for one that tells them apart. */
export const countAll = neighborhoodFunctor(
  { name: 'count_all', central: { seen: 'u32' } },
  (i, b) => {
    i.seen += b.count + 1;
  },
);
export const countPairs = pairFunctor({ name: 'count_pairs', central: { seen: 'u32' } }, (i) => {
  i.seen += 1;
});
