import { cellFunctor } from '@corpuscle/patterns';

/** Factors of velocities in a box whose lengths change, in half of half a step. */
const stretching = { gx: 'real', gy: 'real', gz: 'real' } as const;
/** The same where the strain rate is triangular: g, then shears, then g again. */
const press = { ...stretching, sxy: 'real', sxz: 'real', syz: 'real' } as const;

/** How half a step of a box whose lengths change does so with a way, d · (1 + A). */
const growing = { axx: 'real', ayy: 'real', azz: 'real' } as const;
/** The same for a box with tilts. */
const half = { ...growing, ayx: 'real', azx: 'real', azy: 'real' } as const;

/** Names of these numbers. */
export const halfNames = Object.keys(half) as readonly (keyof typeof half)[];

const moving = {
  fields: { rx: 'real', ry: 'real', rz: 'real', vx: 'real', vy: 'real', vz: 'real' },
  read: { fx: 'real', fy: 'real', fz: 'real', mass: 'real' },
} as const;
const kicking = { fields: { vx: 'real', vy: 'real', vz: 'real' }, read: moving.read } as const;

/**
 * First half of a step: thermostat, barostat, kick and drift. The particles have followed the box already, so that the way of the
 * drift, which comes in the middle, follows its second half.
 */
const moveInBox = cellFunctor(
  {
    name: 'move_in_box',
    ...moving,
    params: { scale: 'real', dt: 'real', halfDt: 'real', ...stretching, ...growing },
    traits: { gpu: true },
  },
  (i, p) => {
    const k = p.halfDt / i.mass;
    i.vx = p.gx * (p.scale * p.gx * i.vx) + k * i.fx;
    i.vy = p.gy * (p.scale * p.gy * i.vy) + k * i.fy;
    i.vz = p.gz * (p.scale * p.gz * i.vz) + k * i.fz;
    const x = p.dt * i.vx;
    const y = p.dt * i.vy;
    const z = p.dt * i.vz;
    i.rx += x + x * p.axx;
    i.ry += y + y * p.ayy;
    i.rz += z + z * p.azz;
  },
);

/** The same in a box with tilts. */
const moveInShearedBox = cellFunctor(
  {
    name: 'move_in_sheared_box',
    ...moving,
    params: { scale: 'real', dt: 'real', halfDt: 'real', ...press, ...half },
    traits: { gpu: true },
  },
  (i, p) => {
    const k = p.halfDt / i.mass;
    const wx = p.scale * p.gx * i.vx;
    const wy = p.scale * p.gy * i.vy;
    const wz = p.scale * p.gz * i.vz;
    i.vx = p.gx * (wx + (p.sxy * wy + p.sxz * wz)) + k * i.fx;
    i.vy = p.gy * (wy + p.syz * wz) + k * i.fy;
    i.vz = p.gz * wz + k * i.fz;
    const x = p.dt * i.vx;
    const y = p.dt * i.vy;
    const z = p.dt * i.vz;
    i.rx += x + (x * p.axx + y * p.ayx + z * p.azx);
    i.ry += y + (y * p.ayy + z * p.azy);
    i.rz += z + z * p.azz;
  },
);

/** Kick and drift before the second half of a long step of the box: the particles have followed that already. */
export const driftBeforeBox = cellFunctor(
  {
    name: 'drift_before_box',
    ...moving,
    params: { dt: 'real', halfDt: 'real', ...half },
    traits: { gpu: true },
  },
  (i, p) => {
    const k = p.halfDt / i.mass;
    i.vx += k * i.fx;
    i.vy += k * i.fy;
    i.vz += k * i.fz;
    const x = p.dt * i.vx;
    const y = p.dt * i.vy;
    const z = p.dt * i.vz;
    i.rx += x + (x * p.axx + y * p.ayx + z * p.azx);
    i.ry += y + (y * p.ayy + z * p.azy);
    i.rz += z + z * p.azz;
  },
);

/** Second half of a step: kick, barostat. */
const kickInBox = cellFunctor(
  {
    name: 'kick_in_box',
    ...kicking,
    params: { halfDt: 'real', ...stretching },
    traits: { gpu: true },
  },
  (i, p) => {
    const k = p.halfDt / i.mass;
    i.vx = p.gx * (p.gx * (i.vx + k * i.fx));
    i.vy = p.gy * (p.gy * (i.vy + k * i.fy));
    i.vz = p.gz * (p.gz * (i.vz + k * i.fz));
  },
);

/** The same in a box with tilts. */
const kickInShearedBox = cellFunctor(
  {
    name: 'kick_in_sheared_box',
    ...kicking,
    params: { halfDt: 'real', ...press },
    traits: { gpu: true },
  },
  (i, p) => {
    const k = p.halfDt / i.mass;
    const wx = p.gx * (i.vx + k * i.fx);
    const wy = p.gy * (i.vy + k * i.fy);
    const wz = p.gz * (i.vz + k * i.fz);
    i.vx = p.gx * (wx + (p.sxy * wy + p.sxz * wz));
    i.vy = p.gy * (wy + p.syz * wz);
    i.vz = p.gz * wz;
  },
);

/** What a barostat makes of particles in both halves of a step, and the names of the values that this takes. */
interface BoxMoves {
  readonly move: typeof moveInBox | typeof moveInShearedBox;
  readonly kick: typeof kickInBox | typeof kickInShearedBox;
  readonly taken: Readonly<Record<'move' | 'kick', readonly string[]>>;
}

const inStretchedBox: BoxMoves = {
  move: moveInBox,
  kick: kickInBox,
  taken: {
    move: Object.keys({ ...stretching, ...growing }),
    kick: Object.keys(stretching),
  },
};
const inShearedBox: BoxMoves = {
  move: moveInShearedBox,
  kick: kickInShearedBox,
  taken: { move: Object.keys({ ...press, ...half }), kick: Object.keys(press) },
};

/** The functors for a coupling: boxes that are not sheared take fewer operations. @param isLeaning see `MtkKind` */
export const boxMoves = (coupling = 'iso', isLeaning = false): BoxMoves =>
  coupling === 'triclinic' || isLeaning ? inShearedBox : inStretchedBox;
