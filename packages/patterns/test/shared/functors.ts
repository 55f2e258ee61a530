import { blockFunctor, cellFunctor, pairFunctor, reduceFunctor } from '@corpuscle/functor';

/** The seed page's example: a vector added to the velocities. */
export const addVelocity = cellFunctor(
  {
    name: 'add_velocity',
    fields: { vx: 'real', vy: 'real', vz: 'real' },
    params: { x: 'real', y: 'real', z: 'real' },
  },
  (i, p) => {
    i.vx += p.x;
    i.vy += p.y;
    i.vz += p.z;
  },
);

/** Kick and drift as an integrator does it, in one functor. */
export const kickDrift = cellFunctor(
  {
    name: 'kick_drift',
    fields: { vx: 'real', vy: 'real', vz: 'real', q: 'real' },
    read: { fx: 'real', fy: 'real', fz: 'real', mass: 'real' },
    params: { dt: 'real' },
  },
  (i, p) => {
    const factor = (0.5 * p.dt) / i.mass;
    i.vx += factor * i.fx;
    i.vy += factor * i.fy;
    i.vz += factor * i.fz;
    i.q = i.vx * p.dt - i.q;
  },
);

/** Branches, loops, early return, ints, a table: what masks have to get right. */
export const branches = cellFunctor(
  {
    name: 'branches',
    fields: { vx: 'real', vy: 'real', vz: 'real', flag: 'i32', cb: 'u32' },
    read: { type: 'u32', ca: 'u32' },
    params: { limit: 'real', table: 'real[]', steps: 'i32' },
  },
  (i, p, h) => {
    if (i.vx > p.limit) {
      i.vx = p.limit;
      i.flag += 1;
    } else if (i.vx < -p.limit) {
      i.vx = -p.limit;
      i.flag = h.i32(-7);
      return;
    }
    let turns = h.i32(0);
    let x = i.vy;
    while (x > 1 && turns < p.steps) {
      x = x * 0.5;
      turns += 1;
    }
    i.vy = x;
    i.cb += i.ca;
    i.vz = i.type === 1 ? p.table[i.type] : i.vz + p.table[i.type];
  },
);

/** Every storage type there is. */
export const storage = cellFunctor(
  {
    name: 'storage',
    fields: { s: 'real', sx: 'real', sz: 'real', flag: 'i32', cc: 'u32', q: 'real', fy: 'real' },
    read: { id: 'u32', type: 'u32', ca: 'u32', mass: 'real', sy: 'real' },
  },
  (i, _p, h) => {
    i.s = i.s * 2 + h.real(i.id);
    i.sx += i.sy;
    i.sz = -i.sz;
    i.flag = i.flag - h.i32(i.type);
    i.cc = i.ca * i.id + i.type;
    i.q += i.mass * h.real(i.flag);
    i.fy = h.real(i.type);
  },
);

/** Functions with polynomials of their own on SIMD lanes. */
export const transcendental = cellFunctor(
  { name: 'transcendental', fields: { vx: 'real', vy: 'real', vz: 'real' }, params: { k: 'real' } },
  (i, p) => {
    i.vx = Math.exp(-p.k * Math.abs(i.vx)) + Math.sin(i.vy);
    i.vy = Math.log(1 + Math.abs(i.vy)) * Math.cos(i.vz);
    i.vz = Math.tanh(i.vz) + (Math.abs(i.vz) + 0.5) ** 1.5;
  },
);

/** The seed page's example: the sum of the norms of the forces; and its extremes. */
export const forceNorms = reduceFunctor(
  {
    name: 'force_norms',
    result: { norm: 'sum', largest: 'max', smallest: 'min' },
    read: { fx: 'real', fy: 'real', fz: 'real' },
  },
  (acc, i) => {
    const norm = Math.sqrt(i.fx * i.fx + i.fy * i.fy + i.fz * i.fz);
    acc.norm += norm;
    acc.largest = Math.max(acc.largest, norm);
    acc.smallest = Math.min(acc.smallest, norm);
  },
);

/** Adds under a condition, and subtracts. */
export const someOfThem = reduceFunctor(
  {
    name: 'some_of_them',
    result: { count: 'sum', charge: 'sum', highest: 'max' },
    read: { type: 'u32', q: 'real', vx: 'real' },
    params: { wanted: 'u32', weight: 'real' },
  },
  (acc, i, p) => {
    if (i.type !== p.wanted) return;
    acc.count += 1;
    acc.charge -= i.q * p.weight;
    if (i.vx > 0) acc.highest = Math.max(acc.highest, i.vx);
  },
);

/** The seed page's example: a value added to a two-dimensional array, with two levels of parallelism. */
export const addValue = blockFunctor(
  { name: 'add_value', arrays: { values: 'real' }, params: { columns: 'i32', value: 'real' } },
  (b, a, p) => {
    for (let k = b.lane; k < p.columns; k += b.size) a.values[b.index * p.columns + k] += p.value;
  },
);

/** Notes where each block of a three-dimensional space stands. */
export const coordinates = blockFunctor(
  { name: 'coordinates', arrays: { x: 'i32', y: 'u32', z: 'real' } },
  (b, a, _p, h) => {
    if (b.lane === 0) {
      a.x[b.index] = h.i32(b.x);
      a.y[b.index] = h.u32(b.y);
      a.z[b.index] = h.real(b.z);
    }
  },
);

/** Gathers through an index array. */
export const gather = blockFunctor(
  {
    name: 'gather',
    arrays: { to: 'real' },
    read: { from: 'real', index: 'i32' },
    params: { scale: 'real[]' },
  },
  (b, a, p) => {
    if (b.lane === 0) a.to[b.index] = a.from[a.index[b.index]] * p.scale[b.index];
  },
);

/** Writes one element too far when `offset` is not zero. */
export const offBy = blockFunctor(
  { name: 'off_by', arrays: { values: 'real' }, params: { offset: 'i32' } },
  (b, a, p) => {
    if (b.lane === 0) a.values[b.index + p.offset] = 1;
  },
);

/** A repulsion, smooth at the cutoff, so that rounding changes no total by much. */
export const soft = pairFunctor(
  { name: 'soft', central: { fx: 'real', ep: 'real' }, params: { rcut2: 'real' } },
  (i, _j, d, p) => {
    const u = p.rcut2 - d.r2;
    i.fx += 4 * u * d.x;
    i.ep += 0.5 * u * u;
  },
);

export const kickX = cellFunctor(
  { name: 'kick_x', fields: { vx: 'real' }, read: { fx: 'real' }, params: { dt: 'real' } },
  (i, p) => {
    i.vx += p.dt * i.fx;
  },
);

const position = { rx: 'real', ry: 'real', rz: 'real' } as const;
const velocity = { vx: 'real', vy: 'real', vz: 'real' } as const;

export const drift = cellFunctor(
  { name: 'drift', fields: position, read: velocity, params: { dt: 'real' } },
  (i, p) => {
    i.rx += p.dt * i.vx;
    i.ry += p.dt * i.vy;
    i.rz += p.dt * i.vz;
  },
);

/** Velocities are what particles go in a step. */
export const fly = cellFunctor({ name: 'fly', fields: position, read: velocity }, (i) => {
  i.rx += i.vx;
  i.ry += i.vy;
  i.rz += i.vz;
});
