import type { Grid } from '@corpuscle/core';
import { cellFunctor, type ExecutionContext, newestOnHost } from '@corpuscle/patterns';
import { nine } from '../../box/presentBox.js';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { countImages } from '../../images/countImages.js';
import { imageFields, latticeParams } from '../../images/unwrapped.js';
import {
  type ExternalForceOptions,
  externalForceTerm,
  externalOutputs,
} from '../externalForceTerm.js';

/** The fields of the place that a particle is bound to. */
const anchorFields = ['anchor_x', 'anchor_y', 'anchor_z'] as const;

/** A spring from every particle to its anchor, u = k/2 d², d the way that it has gone along the axes that count, through faces too. */
export const selfSpring = cellFunctor(
  {
    name: 'spring_self',
    fields: externalOutputs,
    read: {
      ...{ rx: 'real', ry: 'real', rz: 'real' },
      ...{ anchor_x: 'real', anchor_y: 'real', anchor_z: 'real' },
      ...imageFields,
    },
    params: { kx: 'real', ky: 'real', kz: 'real', ...nine('m') },
    traits: { gpu: true },
  },
  (i, p) => {
    const x = i.rx - i.anchor_x + (i.ix * p.mxx + i.iy * p.myx + i.iz * p.mzx);
    const y = i.ry - i.anchor_y + (i.ix * p.mxy + i.iy * p.myy + i.iz * p.mzy);
    const z = i.rz - i.anchor_z + (i.ix * p.mxz + i.iy * p.myz + i.iz * p.mzz);
    i.fx -= p.kx * x;
    i.fy -= p.ky * y;
    i.fz -= p.kz * z;
    i.ep += 0.5 * (p.kx * x * x + p.ky * y * y + p.kz * z * z);
  },
);

/** Springs from particles to their anchors; `k` in internal units. */
export function selfSpringTerm(
  { k, axes = 'xyz' }: { readonly k: number; readonly axes?: string },
  options: Pick<ExternalForceOptions<never>, 'particleFilter'> = {},
): ForceTerm {
  const along = (axis: string) => (axes.includes(axis) ? k : 0);
  return externalForceTerm(selfSpring, {
    ...options,
    params: () => ({ kx: along('x'), ky: along('y'), kz: along('z') }),
    inBox: latticeParams,
  });
}

/** Binds every particle to where it is, if none is bound yet. From now on it is known through how many faces particles have gone. */
export async function setAnchors(grid: Grid, ctx: ExecutionContext): Promise<void> {
  countImages(grid, ctx);
  if (grid.hasField(anchorFields[0])) return;
  await newestOnHost(grid, ctx);
  grid.addBlock({ name: 'anchor', type: 'f64', width: 4, members: [...anchorFields, null] });
  const { matrix } = grid.domain;
  const [x, y, z] = ['ix', 'iy', 'iz'].map((name) => grid.values(name));
  for (const [axis, name] of anchorFields.entries()) {
    const wrapped = grid.values(['rx', 'ry', 'rz'][axis]!);
    const shift = (row: number) =>
      Number(x![row]) * matrix[axis]! +
      Number(y![row]) * matrix[3 + axis]! +
      Number(z![row]) * matrix[6 + axis]!;
    grid.setValues(
      name,
      Array.from({ length: grid.count }, (_, row) => Number(wrapped[row]) + shift(row)),
    );
  }
}
