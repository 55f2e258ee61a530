import type { Grid } from '@corpuscle/core';
import {
  type CallParams,
  cellFunctor,
  type ExecutionContext,
  type ParticleAdaptations,
  type PreparedCall,
  prepareCellParticles,
  prepareReduction,
  prepareValues,
  reduceFunctor,
  valueFunctor,
} from '@corpuscle/patterns';
import { nine, presentBox } from '../../box/presentBox.js';
import type { ForceRequest, ForceTerm } from '../../forces/ForceTerm.js';
import { evaluateOnce, type PreparedForce } from '../../forces/PreparedForce.js';
import { countImages } from '../../images/countImages.js';
import { imageFields, latticeParams } from '../../images/unwrapped.js';

/** Mass, and mass times distance to a point, of unwrapped positions: the center of a group that goes through a face does not jump. */
export const springWeights = reduceFunctor(
  {
    name: 'spring_weights',
    result: { mass: 'sum', x: 'sum', y: 'sum', z: 'sum' },
    read: { rx: 'real', ry: 'real', rz: 'real', mass: 'real', ...imageFields },
    params: { px: 'real', py: 'real', pz: 'real', ...nine('m') },
    traits: { gpu: true },
  },
  (acc, i, p) => {
    const x = i.rx - p.px + (i.ix * p.mxx + i.iy * p.myx + i.iz * p.mzx);
    const y = i.ry - p.py + (i.ix * p.mxy + i.iy * p.myy + i.iz * p.mzy);
    const z = i.rz - p.pz + (i.ix * p.mxz + i.iy * p.myz + i.iz * p.mzz);
    acc.mass += i.mass;
    acc.x += i.mass * x;
    acc.y += i.mass * y;
    acc.z += i.mass * z;
  },
);

/** The acceleration that the spring gives to the group, and the energy. */
const springPull = valueFunctor(
  {
    name: 'spring_pull',
    values: {
      mass: 'real',
      x: 'real',
      y: 'real',
      z: 'real',
      ax: 'real',
      ay: 'real',
      az: 'real',
      energy: 'real',
    },
    params: { k: 'real', r0: 'real', onX: 'real', onY: 'real', onZ: 'real' },
  },
  (v, p) => {
    // A group that has lost its particles has no center: nothing is pulled.
    const parts = v.mass > 0 ? 1 / v.mass : 0;
    const x = p.onX * v.x * parts;
    const y = p.onY * v.y * parts;
    const z = p.onZ * v.z * parts;
    const distance = Math.sqrt(x * x + y * y + z * z);
    const stretch = distance - p.r0;
    const pull = distance > 0 ? ((-p.k * stretch) / distance) * parts : 0;
    v.ax = pull * x;
    v.ay = pull * y;
    v.az = pull * z;
    v.energy = v.mass > 0 ? 0.5 * p.k * stretch * stretch : 0;
  },
);

/** f += m a. */
const accelerate = cellFunctor(
  {
    name: 'spring_force',
    fields: { fx: 'real', fy: 'real', fz: 'real' },
    read: { mass: 'real' },
    params: { ax: 'real', ay: 'real', az: 'real' },
    traits: { gpu: true },
  },
  (i, p) => {
    i.fx += i.mass * p.ax;
    i.fy += i.mass * p.ay;
    i.fz += i.mass * p.az;
  },
);

/** A spring from a center of mass to a point; lengths and the constant in internal units. */
export interface CenterSpring {
  readonly point: readonly number[];
  readonly k: number;
  /** Length at rest. Default 0. */
  readonly r0?: number;
  /** Along which axes it pulls. Default xyz. */
  readonly axes?: string;
}

/**
 * A spring from the center of mass of the particles that take part to a point: u = k/2 (d − r0)². Nothing is read back; no particle
 * has a part of its energy.
 */
export function springTerm(
  { point, k, r0 = 0, axes = 'xyz' }: CenterSpring,
  options: ParticleAdaptations = {},
): ForceTerm {
  const on = (axis: string) => (axes.includes(axis) ? 1 : 0);
  const prepare = (grid: Grid, ctx: ExecutionContext, request: ForceRequest): PreparedForce => {
    countImages(grid, ctx);
    const sums = ctx.value({ mass: 0, x: 0, y: 0, z: 0 });
    const pull = ctx.value({ ax: 0, ay: 0, az: 0, energy: 0 });
    const [px, py, pz] = point as [number, number, number];
    const box = presentBox(grid, latticeParams);
    const params = { px, py, pz, ...box.params } as CallParams<typeof springWeights.params>;
    const calls: PreparedCall<object, unknown>[] = [
      prepareReduction(grid, springWeights, {}, ctx, { ...options, params, into: sums }),
      prepareValues(springPull, ctx, {
        values: {
          mass: sums.of('mass'),
          x: sums.of('x'),
          y: sums.of('y'),
          z: sums.of('z'),
          ax: pull.of('ax'),
          ay: pull.of('ay'),
          az: pull.of('az'),
          energy: pull.of('energy'),
        },
        params: { k, r0, onX: on('x'), onY: on('y'), onZ: on('z') },
      }),
    ];
    if (request.forces)
      calls.push(
        prepareCellParticles(grid, accelerate, ctx, {
          ...options,
          params: { ax: pull.of('ax'), ay: pull.of('ay'), az: pull.of('az') },
        }),
      );
    return {
      calls: [...box.calls, ...calls],
      totals: request.totals ? [pull] : [],
      isCurrent: box.isCurrent,
      close() {
        for (const call of calls) call.close();
        sums.close();
        pull.close();
      },
    };
  };
  return {
    name: 'spring',
    rcut: 0,
    sharesVirial: 'none',
    prepare,
    compute: (grid, ctx, request) => evaluateOnce(prepare(grid, ctx, request)),
    totals: ({ energy }) => ({ energy: energy!, virial: [0, 0, 0, 0, 0, 0] }),
  };
}
