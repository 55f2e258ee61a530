import type { Grid } from '@corpuscle/core';
import { cellFunctor } from '@corpuscle/patterns';
import { boxParams, everyBoxParam } from '../../box/presentBox.js';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import {
  type ExternalForceOptions,
  externalForceTerm,
  externalOutputs,
} from '../externalForceTerm.js';
import { nearestImage } from '../nearestImage.js';

/** The fields of the place that a particle is bound to. */
export const anchorFields = ['anchor_x', 'anchor_y', 'anchor_z'] as const;

/**
 * A spring from every particle to its anchor, u = k/2 (d − r0)², d the distance along the axes that count, to the nearest periodic
 * image.
 */
export const harmonicForce = cellFunctor(
  {
    name: 'harmonic_force',
    fields: externalOutputs,
    read: {
      rx: 'real',
      ry: 'real',
      rz: 'real',
      anchor_x: 'real',
      anchor_y: 'real',
      anchor_z: 'real',
    },
    params: {
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
    let x = i.rx - i.anchor_x;
    let y = i.ry - i.anchor_y;
    let z = i.rz - i.anchor_z;
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
  /** One place for all particles. Default: the anchors of particles, fields `anchor_x`, `anchor_y`, `anchor_z`. */
  readonly point?: readonly number[];
}

/** Springs from particles to a point, or to their anchors. */
export function harmonicForceTerm(
  { k, r0 = 0, axes = 'xyz', point }: Spring,
  options: Pick<ExternalForceOptions<never>, 'particleFilter'> = {},
): ForceTerm {
  const fields =
    point && Object.fromEntries(anchorFields.map((name, axis) => [name, point[axis]!]));
  const on = (axis: string) => (axes.includes(axis) ? 1 : 0);
  return externalForceTerm(harmonicForce, {
    ...options,
    ...(fields && { fields }),
    params: () => ({ k, r0, onX: on('x'), onY: on('y'), onZ: on('z') }),
    inBox: everyBoxParam,
  });
}

/** Binds every particle to where it is. Host copies must be current. */
export function setAnchors(grid: Grid): void {
  grid.addBlock({ name: 'anchor', type: 'f64', width: 4, members: [...anchorFields, null] });
  for (const [axis, name] of anchorFields.entries())
    grid.setValues(name, grid.values(['rx', 'ry', 'rz'][axis]!));
}
