import type { Domain } from '@corpuscle/core';
import { cellFunctor } from '@corpuscle/patterns';
import { linearMap, linearMapOf } from './linearMap.js';
import { product } from './matrix.js';

/** Maps velocities linearly, v′ = v + v · D. */
export const mapVelocities = cellFunctor(
  {
    name: 'map_velocities',
    fields: { vx: 'real', vy: 'real', vz: 'real' },
    params: linearMap,
    traits: { gpu: true },
  },
  (i, p) => {
    const x = i.vx;
    const y = i.vy;
    const z = i.vz;
    i.vx += x * p.dxx + y * p.dyx + z * p.dzx;
    i.vy += x * p.dxy + y * p.dyy + z * p.dzy;
    i.vz += x * p.dxz + y * p.dyz + z * p.dzz;
  },
);

/**
 * What the flow of a box does to velocities relative to it by the SLLOD equations (Evans and Morriss, Phys. Rev. A 30, 1528
 * (1984)), dv/dt = F/m − v · ∇u: from one box to the next v′ = v · (H⁻¹ H′)⁻¹. Parameters of `mapVelocities`.
 */
export const sllodMap = (before: Domain, after: Domain) =>
  linearMapOf(product(after.inverse, before.matrix));
