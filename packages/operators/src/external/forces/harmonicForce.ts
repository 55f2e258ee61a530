import { cellFunctor } from '@corpuscle/patterns';
import { boxParams, everyBoxParam } from '../../box/presentBox.js';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import {
  type ExternalForceOptions,
  externalForceTerm,
  externalOutputs,
} from '../externalForceTerm.js';
import { nearestImage } from '../nearestImage.js';

/** A spring from every particle to a point, u = k/2 (d − r0)², d the distance along the axes that count, to the nearest periodic image. */
export const harmonicForce = cellFunctor(
  {
    name: 'harmonic_force',
    fields: externalOutputs,
    read: { rx: 'real', ry: 'real', rz: 'real' },
    params: {
      ...{ px: 'real', py: 'real', pz: 'real' },
      k: 'real',
      r0: 'real',
      onX: 'real',
      onY: 'real',
      onZ: 'real',
      ...boxParams,
    },
    helpers: nearestImage,
    traits: { gpu: true },
  },
  (i, p, h) => {
    let x = i.rx - p.px;
    let y = i.ry - p.py;
    let z = i.rz - p.pz;
    const a = h.turns(x, y, z, p.ixx, p.iyx, p.izx);
    const b = h.turns(x, y, z, p.ixy, p.iyy, p.izy);
    const c = h.turns(x, y, z, p.ixz, p.iyz, p.izz);
    x = p.onX * h.without(x, a, b, c, p.mxx, p.myx, p.mzx);
    y = p.onY * h.without(y, a, b, c, p.mxy, p.myy, p.mzy);
    z = p.onZ * h.without(z, a, b, c, p.mxz, p.myz, p.mzz);
    const distance = Math.sqrt(x * x + y * y + z * z);
    const stretch = distance - p.r0;
    const pull = distance > 0 ? (-p.k * stretch) / distance : 0;
    i.fx += pull * x;
    i.fy += pull * y;
    i.fz += pull * z;
    i.ep += 0.5 * p.k * stretch * stretch;
  },
);

/** A spring; lengths and the constant in internal units. */
export interface Spring {
  readonly k: number;
  /** Length at rest. Default 0. */
  readonly r0?: number;
  /** Along which axes it pulls. Default xyz. */
  readonly axes?: string;
  readonly point: readonly number[];
}

/** Springs from particles to a point. */
export function harmonicForceTerm(
  { k, r0 = 0, axes = 'xyz', point }: Spring,
  options: Pick<ExternalForceOptions<never>, 'particleFilter'> = {},
): ForceTerm {
  const [px, py, pz] = point as [number, number, number];
  const on = (axis: string) => (axes.includes(axis) ? 1 : 0);
  return externalForceTerm(harmonicForce, {
    ...options,
    params: () => ({ px, py, pz, k, r0, onX: on('x'), onY: on('y'), onZ: on('z') }),
    inBox: everyBoxParam,
  });
}
