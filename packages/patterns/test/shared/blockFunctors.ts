import { blockFunctor } from '@corpuscle/functor';

/** Differences of neighboring elements of a row, which lanes read from each other's shared copy. */
export const differences = blockFunctor(
  {
    name: 'differences',
    arrays: { to: 'real' },
    read: { from: 'real' },
    params: { columns: 'u32' },
    blockShared: { tile: 'real[64]', seen: 'u32[1]' },
  },
  (b, a, p) => {
    for (let first = 0; first < p.columns; first += 63) {
      for (let k = b.lane; k < 64 && first + k < p.columns; k += b.size)
        b.tile[k] = a.from[b.index * p.columns + first + k]!;
      b.barrier();
      for (let k = b.lane; k < 63 && first + k + 1 < p.columns; k += b.size)
        a.to[b.index * p.columns + first + k] = b.tile[k + 1]! - b.tile[k]!;
      b.barrier();
    }
  },
);

/** Sums of rows by a tree over the lanes; right for any number of lanes. */
export const rowSums = blockFunctor(
  {
    name: 'row_sums',
    arrays: { sums: 'real' },
    read: { from: 'real' },
    params: { columns: 'u32' },
    blockShared: { part: 'real[256]' },
  },
  (b, a, p) => {
    for (let k = b.lane; k < p.columns; k += b.size)
      b.part[b.lane] += a.from[b.index * p.columns + k]!;
    b.barrier();
    for (let half = 128; half > 0; half >>= 1) {
      if (b.lane < half && b.lane + half < b.size) b.part[b.lane] += b.part[b.lane + half]!;
      b.barrier();
    }
    if (b.lane === 0) a.sums[b.index] = b.part[0]!;
  },
);

/** Work that grows with the index; returns how much there was. */
export const uneven = blockFunctor(
  {
    name: 'uneven',
    arrays: { turns: 'u32' },
    params: { most: 'u32' },
    result: { total: 'sum', longest: 'max', shortest: 'min', parity: 'sum[2]' },
  },
  (b, a, _p, h, _c, acc) => {
    let n = h.u32(0);
    for (let k = h.u32(b.lane); k < b.index; k += b.size) n += 1;
    if (b.lane === 0) {
      a.turns[b.index] = b.index;
      acc.longest = Math.max(acc.longest, h.real(b.index));
      acc.shortest = Math.min(acc.shortest, h.real(b.index));
      acc.parity[b.index & 1] += 1;
    }
    acc.total += h.real(n);
  },
);

/** Notes where it stands, and how often it has been here. */
export const visits = blockFunctor(
  { name: 'visits', arrays: { count: 'u32', place: 'u32' }, params: { nx: 'u32', ny: 'u32' } },
  (b, a, p) => {
    if (b.lane === 0) {
      a.count[b.index] += 1;
      a.place[b.index] = b.x + p.nx * (b.y + p.ny * b.z);
    }
  },
);

/** One lane an element. */
export const halve = blockFunctor(
  { name: 'halve', arrays: { values: 'real' }, result: { sum: 'sum' } },
  (b, a, _p, _h, _c, acc) => {
    a.values[b.index] = a.values[b.index]! / 2;
    acc.sum += a.values[b.index]!;
  },
);

/** Squares between two hooks: the prolog clears the total, the epilog scales it. */
export const hooked = blockFunctor(
  {
    name: 'hooked',
    arrays: { values: 'real', log: 'real' },
    params: { n: 'u32' },
    prolog: (b, a) => {
      if (b.lane === 0) a.log[0] = -1;
    },
    epilog: (b, a, p) => {
      if (b.lane === 0) {
        let sum = 0;
        for (let k = 0; k < p.n; k++) sum += a.values[k]!;
        a.log[1] = sum * a.log[0]!;
      }
    },
  },
  (b, a) => {
    if (b.lane === 0) a.values[b.index] = a.values[b.index]! * a.values[b.index]! * -a.log[0]!;
  },
);
