import type { Grid } from '@corpuscle/core';
import {
  type BoxStrain,
  type ExecutionContext,
  type PreparedCall,
  prepareCellParticles,
  prepareValues,
  valueFunctor,
} from '@corpuscle/patterns';
import { followBox, leaveStrain, noteStrain, strainNames } from '@corpuscle/patterns/boxes';
import { followFlow } from '../followFlow.js';
import { valuesOf } from '../presentBox.js';

/** What D has beside zeros, and C. */
const places = ['xx', 'yy', 'zz', 'yx', 'zx', 'zy'] as const;
const waysBack = ['cxx', 'cyy', 'czz', 'cyx', 'czx', 'czy'] as const;
const NO_MAP = Array<number>(9).fill(0);

/** Of v′ = v + v · D the way that `sllodParams` takes back, C = −drift · ((1 + D)⁻¹ − 1). */
const flowBack = valueFunctor(
  {
    name: 'flow_back',
    values: {
      ...{ xx: 'real', yy: 'real', zz: 'real', yx: 'real', zx: 'real', zy: 'real' },
      ...{ cxx: 'real', cyy: 'real', czz: 'real', cyx: 'real', czx: 'real', czy: 'real' },
    },
    params: { drift: 'real' },
  },
  (v, p) => {
    const x = p.drift / (1 + v.xx);
    const y = p.drift / (1 + v.yy);
    const z = p.drift / (1 + v.zz);
    const yx = v.yx / (1 + v.yy);
    v.cxx = v.xx * x;
    v.cyy = v.yy * y;
    v.czz = v.zz * z;
    v.cyx = yx * x;
    v.czy = (v.zy / (1 + v.yy)) * z;
    v.czx = ((v.zx - v.zy * yx) / (1 + v.zz)) * x;
  },
);

/** What comes before a device strains the box with its particles, and after it. */
export interface ParticlesOfStrain {
  readonly before: readonly PreparedCall[];
  readonly after: readonly PreparedCall[];
  close(): void;
}

/**
 * Particles of a box that a device strains, from E to E′: with 1 + D = (1 + E′)⁻¹ (1 + E) they go back to where they were, or their
 * velocities follow the flow, as by `sllodParams`.
 * @param drift the time of the drift just before where velocities follow; null where particles go back
 */
export function particlesOfStrain(
  { value: strain }: BoxStrain,
  grid: Grid,
  ctx: ExecutionContext,
  drift: number | null,
): ParticlesOfStrain {
  const names = [...strainNames, ...(drift === null ? [] : waysBack)];
  const back = ctx.value(Object.fromEntries(names.map((name) => [name, 0])));
  const own = (taken: readonly string[]) =>
    Object.fromEntries(taken.map((name) => [name, back.of(name)]));
  const seen = Object.fromEntries(strainNames.map((name) => [`f${name}`, strain.of(name)]));
  const values = { ...own(strainNames), ...seen } as never;
  const before = [prepareValues(noteStrain, ctx, { values })];
  const after = [prepareValues(leaveStrain, ctx, { values })];
  const finish = (call: object) => after.push(call as PreparedCall);
  if (drift === null)
    finish(prepareCellParticles(grid, followBox, ctx, { params: own(strainNames) as never }));
  else {
    const flow = Object.fromEntries(places.map((name) => [`d${name}`, back.of(name)]));
    const still = { ...valuesOf('d', NO_MAP), ...valuesOf('c', NO_MAP) };
    const values = own([...places, ...waysBack]) as never;
    finish(prepareValues(flowBack, ctx, { values, params: { drift } }));
    const params = { ...still, ...flow, ...own(waysBack) } as never;
    finish(prepareCellParticles(grid, followFlow, ctx, { params }));
  }
  return {
    before,
    after,
    close() {
      for (const call of [...before, ...after]) call.close();
      back.close();
    },
  };
}
