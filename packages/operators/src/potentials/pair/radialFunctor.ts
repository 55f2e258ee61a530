import {
  type PairFunctor,
  type ParamType,
  pairFunctor,
  withFunctionText,
} from '@corpuscle/patterns';
import { forceOutputs, type pairOutputs, virials } from './pairOutputs.js';

/** A function of the distance and of coefficients, in their order. */
export type RadialFunction = (r: number, ...coefficients: number[]) => number;

/** Parameters of radial functors beside their coefficients c0, c1, …; tables have one number for each ordered pair of types, or one for all. */
const common = { types: 'u32', rcut2: 'real[]', offset: 'real[]', slope: 'real[]' } as const;

export type RadialParams = typeof common & { readonly [coefficient: `c${number}`]: 'real[]' };
export type RadialFunctor = PairFunctor<typeof pairOutputs, RadialParams>;

/** Parameter names of so many coefficients. */
export const coefficientNames = (count: number): readonly `c${number}`[] =>
  Array.from({ length: count }, (_, k) => `c${k}` as const);

/**
 * The functor of a pair potential that is given by u(r) and −u′(r). The cutoff may shift it:
 *
 *   u_shifted(r) = u(r) − offset − slope · r        force shift: slope = u′(rcut), offset = u(rcut) − rcut · u′(rcut)
 *
 * Energy and force are functions of their own, so that steps that need forces only do not compute the energy. The text that
 * is compiled is written for the number of coefficients: kernels know no lists of arguments.
 */
export function radialFunctor(
  name: string,
  count: number,
  energy: RadialFunction,
  force: RadialFunction,
): RadialFunctor {
  const names = coefficientNames(count);
  const params: Readonly<Record<string, ParamType>> = {
    ...common,
    ...Object.fromEntries(names.map((c) => [c, 'real[]' as const])),
  };
  const functor = pairFunctor(
    {
      name,
      central: forceOutputs,
      derived: virials,
      read: { type: 'u32' },
      neighbor: { type: 'u32' },
      params: params as RadialParams,
      helpers: { energy, force },
      traits: { newton3: true },
    },
    withFunctionText(
      (i, j, d, p, h) => {
        const k = i.type * p.types + j.type;
        if (d.r2 >= p.rcut2[k]!) return;
        const r = Math.sqrt(d.r2);
        const coefficients = names.map((c) => p[c]![k]!);
        const f = (h.force(r, ...coefficients) + p.slope[k]!) / r;
        i.fx += f * d.x;
        i.fy += f * d.y;
        i.fz += f * d.z;
        i.ep += 0.5 * (h.energy(r, ...coefficients) - p.offset[k]! - p.slope[k]! * r);
      },
      textFor(names, energy, force),
    ),
  );
  return functor as unknown as RadialFunctor;
}

/** The same function with its coefficients written out; each of the two is given as many as it takes. */
function textFor(names: readonly string[], energy: RadialFunction, force: RadialFunction): string {
  const given = ['r', ...names.map((c) => `p.${c}[k]`)];
  const forEnergy = given.slice(0, energy.length).join(', ');
  const forForce = given.slice(0, force.length).join(', ');
  return `(i, j, d, p, h) => {
  const k = i.type * p.types + j.type;
  if (d.r2 < p.rcut2[k]) {
    const r = Math.sqrt(d.r2);
    const f = (h.force(${forForce}) + p.slope[k]) / r;
    i.fx += f * d.x;
    i.fy += f * d.y;
    i.fz += f * d.z;
    i.ep += 0.5 * (h.energy(${forEnergy}) - p.offset[k] - p.slope[k] * r);
  }
}`;
}
