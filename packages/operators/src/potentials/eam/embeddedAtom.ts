import { cellFunctor, pairFunctor, reduceFunctor } from '@corpuscle/patterns';
import { forceOutputs, virials } from '../pair/pairOutputs.js';

/*
 * Functions of an embedded-atom potential as tables: values v and slopes s (times the spacing) at points 0, 1, …, one table
 * after the other; between two points the cubic with these values and slopes.
 */
const type = { type: 'u32' } as const;
const cubic = (b: number, v0: number, v1: number, s0: number, s1: number): number => {
  const rise = v1 - v0;
  return v0 + b * (s0 + b * (3 * rise - 2 * s0 - s1 + b * (s0 + s1 - 2 * rise)));
};
const slope = (b: number, v0: number, v1: number, s0: number, s1: number): number => {
  const rise = v1 - v0;
  return s0 + b * (2 * (3 * rise - 2 * s0 - s1) + 3 * b * (s0 + s1 - 2 * rise));
};
const helpers = { cubic, slope };
/** Interval of a table of `last` + 1 intervals: its number and the way into it. */
const radial = { points: 'u32', inverse: 'real', rcut2: 'real' } as const;

/** Densities; `given` has the number of the table that a type i takes from a type j, at i · types + j. */
const densityTables = { types: 'u32', given: 'u32[]', v: 'real[]', s: 'real[]' } as const;

const density = {
  central: { eamDensity: 'real' },
  neighbor: type,
  params: { ...radial, ...densityTables },
  helpers,
} as const;

/** First pass, where elements differ: each particle gathers from both sides. */
export const embeddedAtomDensity = pairFunctor(
  { name: 'eam_density', ...density, read: type },
  (i, j, d, p, h) => {
    if (d.r2 < p.rcut2) {
      const at = Math.sqrt(d.r2) * p.inverse;
      const interval = Math.min(h.u32(at), p.points - 2);
      const b = Math.min(at - interval, 1);
      const k = p.given[i.type * p.types + j.type]! * p.points + interval;
      i.eamDensity += h.cubic(b, p.v[k]!, p.v[k + 1]!, p.s[k]!, p.s[k + 1]!);
    }
  },
);

/** First pass with one element: a pair gives both particles the same. */
export const oneElementDensity = pairFunctor(
  { name: 'eam_density', ...density, neighbor: {}, traits: { newton3: true } },
  (i, _j, d, p, h) => {
    if (d.r2 < p.rcut2) {
      const at = Math.sqrt(d.r2) * p.inverse;
      const k = Math.min(h.u32(at), p.points - 2);
      const b = Math.min(at - k, 1);
      i.eamDensity += h.cubic(b, p.v[k]!, p.v[k + 1]!, p.s[k]!, p.s[k + 1]!);
    }
  },
);

const embedding = {
  read: { ...type, eamDensity: 'real' },
  params: { points: 'u32', inverse: 'real', v: 'real[]', s: 'real[]' },
  helpers,
} as const;

/** F′(ρ), and F(ρ) where energies of particles are asked for. Beyond the last point F goes on straight. */
export const embeddedAtomEmbed = cellFunctor(
  {
    name: 'eam_embed',
    fields: { eamSlope: 'real', ep: 'real' },
    ...embedding,
    params: { ...embedding.params, energies: 'u32' },
  },
  (i, p, h) => {
    const at = i.eamDensity * p.inverse;
    const interval = Math.min(h.u32(at), p.points - 2);
    const b = Math.min(at - interval, 1);
    const k = i.type * p.points + interval;
    const steep = h.slope(b, p.v[k]!, p.v[k + 1]!, p.s[k]!, p.s[k + 1]!);
    i.eamSlope = steep * p.inverse;
    if (p.energies !== 0)
      i.ep += h.cubic(b, p.v[k]!, p.v[k + 1]!, p.s[k]!, p.s[k + 1]!) + steep * (at - interval - b);
  },
);

export const embeddedAtomEnergy = reduceFunctor(
  { name: 'eam_energy', result: { energy: 'sum' }, ...embedding },
  (acc, i, p, h) => {
    const at = i.eamDensity * p.inverse;
    const interval = Math.min(h.u32(at), p.points - 2);
    const b = Math.min(at - interval, 1);
    const k = i.type * p.points + interval;
    const steep = h.slope(b, p.v[k]!, p.v[k + 1]!, p.s[k]!, p.s[k + 1]!);
    acc.energy +=
      h.cubic(b, p.v[k]!, p.v[k + 1]!, p.s[k]!, p.s[k + 1]!) + steep * (at - interval - b);
  },
);

/** Second pass: forces −(F′_i ρ′_j + F′_j ρ′_i + φ′), from tables of ρ and of z = r φ. */
export const embeddedAtom = pairFunctor(
  {
    name: 'eam',
    central: forceOutputs,
    derived: virials,
    read: { ...type, eamSlope: 'real' },
    neighbor: { ...type, eamSlope: 'real' },
    params: {
      ...radial,
      ...densityTables,
      pair: 'u32[]', // number of the table of each pair of types
      zv: 'real[]',
      zs: 'real[]',
    },
    helpers,
    traits: { newton3: true },
  },
  (i, j, d, p, h) => {
    if (d.r2 < p.rcut2) {
      const r = Math.sqrt(d.r2);
      const at = r * p.inverse;
      const interval = Math.min(h.u32(at), p.points - 2);
      const b = Math.min(at - interval, 1);
      const m = p.given[j.type * p.types + i.type]! * p.points + interval;
      const n = p.given[i.type * p.types + j.type]! * p.points + interval;
      const k = p.pair[i.type * p.types + j.type]! * p.points + interval;
      const own = h.slope(b, p.v[m]!, p.v[m + 1]!, p.s[m]!, p.s[m + 1]!);
      const other = h.slope(b, p.v[n]!, p.v[n + 1]!, p.s[n]!, p.s[n + 1]!);
      const z = h.slope(b, p.zv[k]!, p.zv[k + 1]!, p.zs[k]!, p.zs[k + 1]!);
      const u = h.cubic(b, p.zv[k]!, p.zv[k + 1]!, p.zs[k]!, p.zs[k + 1]!) / r;
      const f = (u / r - p.inverse * (i.eamSlope * other + j.eamSlope * own + z / r)) / r;
      i.fx += f * d.x;
      i.fy += f * d.y;
      i.fz += f * d.z;
      i.ep += 0.5 * u;
    }
  },
);
