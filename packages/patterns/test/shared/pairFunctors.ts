import { pairFunctor } from '@corpuscle/functor';

/** Morse: exp on every pair; helpers with several calls. */
export const morse = pairFunctor(
  {
    name: 'morse',
    central: { fx: 'real', fy: 'real', fz: 'real', ep: 'real' },
    params: { depth: 'real', width: 'real', r0: 'real' },
    traits: { newton3: true },
  },
  (i, _j, d, p) => {
    const r = Math.sqrt(d.r2);
    const a = Math.exp(-p.width * (r - p.r0));
    const f = (2 * p.depth * p.width * (a * a - a)) / r;
    i.fx += f * d.x;
    i.fy += f * d.y;
    i.fz += f * d.z;
    i.ep += 0.5 * p.depth * (a * a - 2 * a);
  },
);

/** Screened charges with a table by type: attributes and tables of both sides. */
export const screened = pairFunctor(
  {
    name: 'screened',
    central: { fx: 'real', fy: 'real', fz: 'real', ep: 'real' },
    read: { type: 'u32', charge: 'real', mass: 'real' },
    neighbor: { type: 'u32', charge: 'real', mass: 'real' },
    params: { types: 'u32', kappa: 'real[]', order: 'i32[]' },
    traits: { newton3: true },
  },
  (i, j, d, p) => {
    const pair = i.type * p.types + j.type;
    const r = Math.sqrt(d.r2);
    const u = (i.charge * j.charge * Math.exp(-p.kappa[pair]! * r)) / r;
    if (p.order[pair]! > 1) {
      const f = (u * (p.kappa[pair]! + 1 / r)) / r / (i.mass + j.mass);
      i.fx += f * d.x;
      i.fy += f * d.y;
      i.fz += f * d.z;
    } else {
      i.ep += 0.5 * u;
    }
  },
);

/** Friction along the line between two particles: odd under exchange through velocity differences; no newton3. */
export const friction = pairFunctor(
  {
    name: 'friction',
    central: { fx: 'real', fy: 'real', fz: 'real' },
    read: { vx: 'real', vy: 'real', vz: 'real' },
    neighbor: { vx: 'real', vy: 'real', vz: 'real' },
    params: { gamma: 'real' },
  },
  (i, j, d, p) => {
    const along = (i.vx - j.vx) * d.x + (i.vy - j.vy) * d.y + (i.vz - j.vz) * d.z;
    const f = (-p.gamma * along) / d.r2;
    i.fx += f * d.x;
    i.fy += f * d.y;
    i.fz += f * d.z;
  },
);

/** Friction along and across, with virials that follow: forces that are not central, in a branch, in two terms each. */
export const dashpot = pairFunctor(
  {
    name: 'dashpot',
    central: { fx: 'real', fy: 'real', fz: 'real' },
    derived: {
      vxx: { of: 'fx', along: 'x', factor: 0.5 },
      vxy: { of: 'fy', along: 'x', factor: 0.5 },
      vyz: { of: 'fz', along: 'y', factor: 0.5 },
    },
    read: { vx: 'real', vy: 'real', vz: 'real' },
    neighbor: { vx: 'real', vy: 'real', vz: 'real' },
    params: { gamma: 'real' },
    traits: { newton3: true },
  },
  (i, j, d, p) => {
    const [x, y, z] = [i.vx - j.vx, i.vy - j.vy, i.vz - j.vz];
    if (d.r2 < 4) {
      i.fx -= p.gamma * x;
      i.fy -= p.gamma * y;
      i.fz -= p.gamma * z;
    }
    const f = d.r2;
    i.fx += f * d.x;
    i.fy += f * d.y;
    i.fz += f * d.z;
  },
);

/** Smooth and hard coordination: one output in a block of its own, one integer. */
export const coordination = pairFunctor(
  {
    name: 'coordination',
    central: { cn: 'real', hard: 'u32' },
    params: { r0: 'real', near2: 'real' },
    traits: { newton3: true },
  },
  (i, _j, d, p) => {
    const s = d.r2 / (p.r0 * p.r0);
    i.cn += 1 / (1 + s * s * s);
    if (d.r2 < p.near2) i.hard += 1;
  },
);

/** The farthest neighbor within reach: looks at its own output, so lanes may not run across neighbors. */
export const farthest = pairFunctor(
  { name: 'farthest', central: { far: 'real' }, neighbor: { type: 'u32' } },
  (i, j, d) => {
    if (j.type === 1) return;
    i.far = Math.max(i.far, d.r2);
  },
);
