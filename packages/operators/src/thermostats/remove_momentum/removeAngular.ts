import type { Grid } from '@corpuscle/core';
import {
  cellFunctor,
  type ExecutionContext,
  type ParticleAdaptations,
  prepareCellParticles,
  prepareReduction,
  prepareValues,
  reduceFunctor,
  valueFunctor,
} from '@corpuscle/patterns';
import { referencesOf } from '../../run/contextValues.js';
import type { Removal } from './Removal.js';

const position = { rx: 'real', ry: 'real', rz: 'real' } as const;
const velocity = { vx: 'real', vy: 'real', vz: 'real' } as const;
const center = { x: 'real', y: 'real', z: 'real', m: 'real' } as const;

const findCenter = reduceFunctor(
  {
    name: 'center_of_mass',
    result: { x: 'sum', y: 'sum', z: 'sum', m: 'sum' },
    read: { ...position, mass: 'real' },
  },
  (acc, i) => {
    acc.x += i.mass * i.rx;
    acc.y += i.mass * i.ry;
    acc.z += i.mass * i.rz;
    acc.m += i.mass;
  },
);

/** Angular momentum and tensor of inertia about the center of mass. */
const findRotation = reduceFunctor(
  {
    name: 'angular_momentum',
    result: {
      lx: 'sum',
      ly: 'sum',
      lz: 'sum',
      ixx: 'sum',
      iyy: 'sum',
      izz: 'sum',
      ixy: 'sum',
      ixz: 'sum',
      iyz: 'sum',
    },
    read: { ...position, ...velocity, mass: 'real' },
    params: center,
  },
  (acc, i, p) => {
    const x = i.rx - p.x / p.m;
    const y = i.ry - p.y / p.m;
    const z = i.rz - p.z / p.m;
    acc.lx += i.mass * (y * i.vz - z * i.vy);
    acc.ly += i.mass * (z * i.vx - x * i.vz);
    acc.lz += i.mass * (x * i.vy - y * i.vx);
    acc.ixx += i.mass * (y * y + z * z);
    acc.iyy += i.mass * (x * x + z * z);
    acc.izz += i.mass * (x * x + y * y);
    acc.ixy -= i.mass * x * y;
    acc.ixz -= i.mass * x * z;
    acc.iyz -= i.mass * y * z;
  },
);

/** ω = I⁻¹ L by cofactors. Particles on one line have no such inverse: I is half its trace for every L of theirs, which is normal to the line. */
const findOmega = valueFunctor(
  {
    name: 'angular_velocity',
    values: {
      lx: 'real',
      ly: 'real',
      lz: 'real',
      ixx: 'real',
      iyy: 'real',
      izz: 'real',
      ixy: 'real',
      ixz: 'real',
      iyz: 'real',
      wx: 'real',
      wy: 'real',
      wz: 'real',
    },
  },
  (v) => {
    const cxx = v.iyy * v.izz - v.iyz * v.iyz;
    const cxy = v.ixz * v.iyz - v.ixy * v.izz;
    const cxz = v.ixy * v.iyz - v.ixz * v.iyy;
    const cyy = v.ixx * v.izz - v.ixz * v.ixz;
    const cyz = v.ixy * v.ixz - v.ixx * v.iyz;
    const czz = v.ixx * v.iyy - v.ixy * v.ixy;
    const determinant = v.ixx * cxx + v.ixy * cxy + v.ixz * cxz;
    const trace = v.ixx + v.iyy + v.izz;
    const isLine = determinant <= 1e-6 * trace * trace * trace;
    const scale = isLine ? 0 : 1 / determinant;
    const along = isLine && trace > 0 ? 2 / trace : 0;
    v.wx = along * v.lx + scale * (cxx * v.lx + cxy * v.ly + cxz * v.lz);
    v.wy = along * v.ly + scale * (cxy * v.lx + cyy * v.ly + cyz * v.lz);
    v.wz = along * v.lz + scale * (cxz * v.lx + cyz * v.ly + czz * v.lz);
  },
);

const subtract = cellFunctor(
  {
    name: 'remove_rotation',
    fields: velocity,
    read: position,
    params: { ...center, wx: 'real', wy: 'real', wz: 'real' },
  },
  (i, p) => {
    const x = i.rx - p.x / p.m;
    const y = i.ry - p.y / p.m;
    const z = i.rz - p.z / p.m;
    i.vx -= p.wy * z - p.wz * y;
    i.vy -= p.wz * x - p.wx * z;
    i.vz -= p.wx * y - p.wy * x;
  },
);

/** Calls that take the rotation about the center of mass away from particles, whose total momentum is zero. */
export function removeAngular(
  grid: Grid,
  ctx: ExecutionContext,
  selection: ParticleAdaptations = {},
): Removal {
  const place = ctx.value({ x: 0, y: 0, z: 0, m: 0 });
  const inertia = { lx: 0, ly: 0, lz: 0, ixx: 0, iyy: 0, izz: 0, ixy: 0, ixz: 0, iyz: 0 };
  const turn = ctx.value({ ...inertia, wx: 0, wy: 0, wz: 0 });
  const at = referencesOf(place);
  const values = referencesOf(turn);
  const { wx, wy, wz } = values;
  const calls = [
    prepareReduction(grid, findCenter, {}, ctx, { into: place, ...selection }),
    prepareReduction(grid, findRotation, {}, ctx, { into: turn, params: at, ...selection }),
    prepareValues(findOmega, ctx, { values }),
    prepareCellParticles(grid, subtract, ctx, { params: { ...at, wx, wy, wz }, ...selection }),
  ];
  return {
    calls,
    close() {
      for (const call of calls) call.close();
      place.close();
      turn.close();
    },
  };
}
