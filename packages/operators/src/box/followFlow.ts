import type { Domain } from '@corpuscle/core';
import { cellFunctor } from '@corpuscle/patterns';
import { linearMap, linearMapOf } from './linearMap.js';
import { nine, valuesOf } from './presentBox.js';

/** What a flow does to particles that a box has taken along: v′ = v + v · D, r′ = r + v · C. */
export const followFlow = cellFunctor(
  {
    name: 'follow_flow',
    fields: { rx: 'real', ry: 'real', rz: 'real', vx: 'real', vy: 'real', vz: 'real' },
    params: { ...linearMap, ...nine('c') },
    traits: { gpu: true },
  },
  (i, p) => {
    const x = i.vx;
    const y = i.vy;
    const z = i.vz;
    i.vx += x * p.dxx + y * p.dyx + z * p.dzx;
    i.vy += x * p.dxy + y * p.dyy + z * p.dzy;
    i.vz += x * p.dxz + y * p.dyz + z * p.dzz;
    i.rx += x * p.cxx + y * p.cyx + z * p.czx;
    i.ry += x * p.cxy + y * p.cyy + z * p.czy;
    i.rz += x * p.cxz + y * p.cyz + z * p.czz;
  },
);

/**
 * The SLLOD equations (Evans and Morriss, Phys. Rev. A 30, 1528 (1984)) for velocities relative to the flow, dr/dt = v + r · ∇u,
 * dv/dt = F/m − v · ∇u, from one box to the next: v′ = v · M⁻¹ with M = H⁻¹ H′. Parameters of `followFlow`.
 *
 * After a drift of dt, half the flow before it and half after it make r′ = r M + dt v, where the box has made (r + dt v) M of it: the
 * way dt v (M − 1) is taken back. Of a shear that is the flight of a free particle, to the bit of rounding.
 *
 * @param drift the time of the drift just before; 0 where there was none.
 */
export function sllodParams(before: Domain, after: Domain, drift: number) {
  const grown = linearMapOf(before, after);
  const back = Object.values(grown).map((x) => -drift * x);
  return { ...linearMapOf(after, before), ...valuesOf('c', back) };
}
