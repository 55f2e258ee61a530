import { type PairFunctor, pairFunctor } from '@corpuscle/patterns';
import { type CutoffSwitch, type Window, windowNumbers, windows } from '../pair/cutoffSwitch.js';
import { forceOutputs, type pairOutputs, virials } from '../pair/pairOutputs.js';
import { dissipativeParticles, dpdFields, dpdHelpers, dpdParams } from './dissipativeParticles.js';
import type { DpdPair } from './dpdForce.js';

const params = {
  ...dpdParams,
  on: 'real[]', // where the window begins
  w1: 'real[]',
  w2: 'real[]',
  w3: 'real[]',
  offset: 'real[]', // taken off the energy
} as const;

/** `dissipativeParticles` with a window, in which the repulsion ends. Friction and noise keep their weight w. */
const define = (window: Window) =>
  pairFunctor(
    {
      name: `dpd_${window}`,
      central: forceOutputs,
      derived: virials,
      read: dpdFields,
      neighbor: dpdFields,
      params,
      helpers: {
        ...dpdHelpers,
        at: windows[window].at,
        switchedForce: windows[window].force,
        switchedEnergy: windows[window].energy,
      },
      traits: { newton3: true },
    },
    (i, j, d, p, h) => {
      const k = i.type * p.types + j.type;
      if (d.r2 < p.rcut2[k]! && d.r2 > 0) {
        const r = Math.sqrt(d.r2);
        const w = 1 - r * p.inverse[k]!;
        const v = 1 - h.at(r, p.on[k]!) * p.inverse[k]!;
        const F = p.strength[k]! * v;
        const U = p.halfRange[k]! * v * v;
        const repulsion = h.switchedForce(F, U, r, p.on[k]!, p.w1[k]!, p.w2[k]!, p.w3[k]!);
        const energy = h.switchedEnergy(F, U, r, p.on[k]!, p.w1[k]!, p.w2[k]!, p.w3[k]!);
        const approach = d.x * (i.vx - j.vx) + d.y * (i.vy - j.vy) + d.z * (i.vz - j.vz);
        const xi = h.noise(i.id, j.id, p.low, p.high, p.stream, p.seed, p.seedHigh, h);
        const drag = p.friction[k]! * w * (approach / r);
        const f = (repulsion + w * (p.noise[k]! * xi - drag)) / r;
        i.fx += f * d.x;
        i.fy += f * d.y;
        i.fz += f * d.z;
        i.ep += 0.5 * (energy - p.offset[k]!);
      }
    },
  );

const functors = new Map<Window, ReturnType<typeof define>>();

/** The functor with this window; made when it is first asked for. */
export function switchedDpd(window: Window): PairFunctor<typeof pairOutputs, typeof params> {
  const functor = functors.get(window) ?? define(window);
  functors.set(window, functor);
  return functor;
}

/** The functor with a window or none. */
export const dpdFunctor = (window: CutoffSwitch) =>
  window === 'none' ? dissipativeParticles : switchedDpd(window);

/** The numbers of a window that ends the repulsion A (1 − r/rcut) of a pair. */
export function dpdWindow(window: Window, { A, rcut, switchFrom = 0 }: DpdPair) {
  const { weights, offset } = windowNumbers(window, switchFrom, rcut, {
    force: (r) => A * (1 - r / rcut),
    energy: (r) => 0.5 * A * rcut * (1 - r / rcut) ** 2,
    forceSlope: () => -A / rcut,
  });
  const [w1, w2, w3] = weights;
  return { on: switchFrom, w1, w2, w3, offset };
}
