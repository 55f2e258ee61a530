import {
  blockFunctor,
  cellFunctor,
  neighborhoodFunctor,
  pairFunctor,
  reduceFunctor,
} from '@corpuscle/functor';

/** Writes so far beyond its arrays. */
export const scatter = blockFunctor(
  {
    name: 'scatter',
    arrays: { reals: 'real', ints: 'i32', adds: 'real' },
    params: { far: 'u32' },
  },
  (b, a, p) => {
    a.reals[b.index + p.far] = 666;
    a.ints[b.index + p.far] = 666;
    a.adds[b.index + p.far] += 666;
  },
);

/** Reads so far beyond arrays and tables. */
export const gather = blockFunctor(
  {
    name: 'gather',
    arrays: { to: 'real' },
    read: { from: 'real' },
    params: { far: 'u32', table: 'real[]' },
  },
  (b, a, p) => {
    a.to[b.index] = a.from[b.index + p.far]! + p.table[b.index + p.far]!;
  },
);

/** Leaves memory of the block, and arrays of results. */
export const shared = blockFunctor(
  {
    name: 'shared',
    arrays: { to: 'real' },
    params: { far: 'u32' },
    blockShared: { before: 'real[4]', tile: 'real[4]', behind: 'real[4]' },
    result: { bins: 'sum[4]' },
  },
  (b, a, p, _h, _c, acc) => {
    b.tile[b.lane + p.far] = 666;
    acc.bins[b.lane + p.far] += 666;
    b.barrier();
    if (b.lane === 0) {
      acc.bins[1] += 1;
      a.to[b.index] = b.before[3]! + b.behind[0]! + b.tile[0]!;
    }
  },
);

/** Leaves arrays of its own; the sum is of their neighbors. */
export const local = cellFunctor(
  { name: 'local', fields: { vx: 'real' }, params: { far: 'u32', table: 'real[]' } },
  (i, p) => {
    const before = [1, 2, 3, 4];
    const work = [0, 0, 0, 0];
    const behind = [5, 6, 7, 8];
    for (let k = 0; k < 4; k++) work[k + p.far] = 666;
    i.vx = before[p.far & 3]! + behind[p.far & 3]! + p.table[p.far]!;
  },
);

/** Leaves an array of results. */
export const histogram = reduceFunctor(
  {
    name: 'histogram',
    result: { bins: 'sum[4]', count: 'sum' },
    read: { vx: 'real' },
    params: { far: 'u32' },
  },
  (acc, i, p) => {
    acc.bins[p.far] += i.vx;
    acc.count += 1;
  },
);

/** Reads so far beyond a table. */
export const looked = pairFunctor(
  { name: 'looked', central: { fx: 'real' }, params: { far: 'u32', table: 'real[]' } },
  (i, _j, _d, p) => {
    i.fx += p.table[p.far]!;
  },
);

/** Leaves its buffer of neighbors. */
export const buffered = neighborhoodFunctor(
  {
    name: 'buffered',
    central: { ep: 'real' },
    scatter: { fy: 'real' },
    work: { before: 'real', g: 'real', behind: 'real' },
    params: { far: 'u32' },
  },
  (i, b, p) => {
    for (let k = 0; k < b.count; k++) {
      b.g[k + p.far] = 666;
      b.fy[k + p.far] += 666;
      i.ep += b.before[k]! + b.behind[k]! + 1;
    }
  },
);
