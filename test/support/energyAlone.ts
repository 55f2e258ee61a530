import {
  energyGradient,
  type ForceTerm,
  pairForceTerm,
  pairOutputs,
  readSetfl,
} from '@corpuscle/operators';
import { neighborhoodFunctor } from '@corpuscle/patterns';
import { slopesOf } from '../../packages/operators/src/potentials/eam/slopesOf.js';
import { manyBodyData } from './manyBodyCases.js';

const cubic = (b: number, v0: number, v1: number, s0: number, s1: number): number => {
  const rise = v1 - v0;
  return v0 + b * (s0 + b * (3 * rise - 2 * s0 - s1 + b * (s0 + s1 - 2 * rise)));
};

/** An embedded-atom potential in tables as one energy, F(Σ ρ_j(r)) + ½ Σ z(r)/r, of which forces and virials follow. */
const embeddedAtomEnergy = neighborhoodFunctor(
  {
    name: 'eam_energy_alone',
    central: pairOutputs,
    read: { type: 'u32' },
    neighbor: { type: 'u32' },
    gradient: energyGradient,
    params: {
      types: 'u32',
      points: 'u32',
      inverse: 'real',
      rcut2: 'real',
      v: 'real[]',
      s: 'real[]',
      pair: 'u32[]',
      zv: 'real[]',
      zs: 'real[]',
      densityPoints: 'u32',
      densityInverse: 'real',
      fv: 'real[]',
      fs: 'real[]',
    },
    helpers: { cubic },
  },
  (i, b, p, h) => {
    let rho = 0;
    for (let j = 0; j < b.count; j++) {
      if (b.r2[j]! >= p.rcut2) continue;
      const r = Math.sqrt(b.r2[j]!);
      const at = r * p.inverse;
      const interval = Math.min(h.u32(at), p.points - 2);
      const x = Math.min(at - interval, 1);
      const n = b.type[j]! * p.points + interval;
      const k = p.pair[i.type * p.types + b.type[j]!]! * p.points + interval;
      rho += h.cubic(x, p.v[n]!, p.v[n + 1]!, p.s[n]!, p.s[n + 1]!);
      i.ep += (0.5 * h.cubic(x, p.zv[k]!, p.zv[k + 1]!, p.zs[k]!, p.zs[k + 1]!)) / r;
    }
    const at = rho * p.densityInverse;
    const interval = Math.min(h.u32(at), p.densityPoints - 2);
    const x = Math.min(at - interval, 1);
    const m = i.type * p.densityPoints + interval;
    i.ep +=
      h.cubic(x, p.fv[m]!, p.fv[m + 1]!, p.fs[m]!, p.fs[m + 1]!) +
      p.fs[m + 1]! * (at - interval - x);
  },
);

/** The potential of the EAM references, from its energy. */
export function embeddedAtomFromEnergy(): ForceTerm {
  const tables = readSetfl(manyBodyData('MN.eam.alloy'));
  const order = ['M', 'N'].map((element) => tables.elements.indexOf(element));
  const columns = (all: readonly Float64Array[], which: readonly number[]) => ({
    v: which.flatMap((k) => [...all[k]!]),
    s: which.flatMap((k) => slopesOf(all[k]!)),
  });
  const density = columns(tables.density, order);
  const pair = columns(tables.pair, [...tables.pair.keys()]);
  const embedding = columns(tables.embedding, order);
  const number = (i: number, j: number) =>
    (Math.max(i, j) * (Math.max(i, j) + 1)) / 2 + Math.min(i, j);
  return pairForceTerm(embeddedAtomEnergy, tables.rcut, {
    types: 2,
    points: tables.density[0]!.length,
    inverse: 1 / tables.spacing,
    rcut2: tables.rcut ** 2,
    ...density,
    pair: order.flatMap((i) => order.map((j) => number(i, j))),
    zv: pair.v,
    zs: pair.s,
    densityPoints: tables.embedding[0]!.length,
    densityInverse: 1 / tables.densitySpacing,
    fv: embedding.v,
    fs: embedding.s,
  });
}
