import { reduceFunctor } from '@corpuscle/functor';

/** Extremes with the particles that have them, and how many there are. */
export const extremes = reduceFunctor(
  {
    name: 'extremes',
    result: { fastest: 'argmax', slowest: 'argmin', count: 'sum' },
    read: { vx: 'real' },
  },
  (acc, i) => {
    acc.fastest = Math.max(acc.fastest, i.vx);
    acc.slowest = Math.min(acc.slowest, i.vx);
    acc.count += 1;
  },
);

/** A histogram of velocities; what lies outside is counted nowhere. */
export const histogram = reduceFunctor(
  {
    name: 'histogram',
    result: { bins: 'sum[16]', weighted: 'sum[3]', total: 'sum' },
    read: { vx: 'real', type: 'u32', q: 'real' },
    params: { low: 'real', width: 'real' },
  },
  (acc, i, p, h) => {
    acc.bins[h.i32(Math.floor((i.vx - p.low) / p.width))] += 1;
    acc.weighted[i.type] -= i.q;
    acc.total += i.q;
  },
);

/** Mean and variance in one pass (Chan, Golub, LeVeque 1979), joined by a function of the user's. */
export const variance = reduceFunctor(
  {
    name: 'variance',
    result: { n: 'real', mean: 'real', m2: 'real', sums: 'real[2]', high: 'max' },
    identity: { n: 0, sums: [0, 0] },
    read: { vx: 'real', type: 'u32' },
    combine: (a, b) => {
      a.sums[0] += b.sums[0]!;
      a.sums[1] += b.sums[1]!;
      if (b.n === 0) return;
      const n = a.n + b.n;
      const d = b.mean - a.mean;
      a.mean += (d * b.n) / n;
      a.m2 += b.m2 + (d * d * a.n * b.n) / n;
      a.n = n;
    },
  },
  (acc, i) => {
    acc.n += 1;
    const d = i.vx - acc.mean;
    acc.mean = acc.mean + d / acc.n;
    acc.m2 += d * (i.vx - acc.mean);
    acc.sums[i.type === 0 ? 0 : 1] += i.vx;
    acc.high = Math.max(acc.high, i.vx);
  },
);
